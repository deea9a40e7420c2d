// What a plan states beside its degrees, and the axes it leaves out.

#include <algorithm>

#include "prose_parts.h"

namespace meshwise {
namespace {

const Amount* amount_behind(const ProseText& text, std::size_t begin,
                            std::size_t limit) {
  const auto& amounts = text.found.amounts;
  const auto it = std::lower_bound(
      amounts.begin(), amounts.end(), begin,
      [](const Amount& a, std::size_t b) { return a.begin < b; });
  if (it == amounts.end() || it->begin - begin > limit) return nullptr;
  return &*it;
}

bool holds(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

Passage of(const ProseText& text, const Amount& amount) {
  return text.source->passage({amount.begin, amount.end});
}

// ZeRO and recompute by their names; "DDP" and "FSDP" name a stage as well.
void read_names(const ProseText& text, Answer& answer) {
  for (const Mention& mention : text.found.mentions) {
    const Range range{mention.begin, mention.end};
    const bool bare_none = text.source->of(range) == "none";
    if (mention.negated || bare_none) continue;
    if (answer.zero.blank() && text.in(mention, "zero")) {
      answer.zero = text.source->passage(range);
    }
    const bool about = text.in(mention, "recompute_named");
    if (answer.recompute.blank() && about) {
      answer.recompute = text.source->passage(range);
      answer.recompute.text = text.id(mention);
    }
  }
}

// "micro-batch 4", "1 sequence per replica"
void read_micro_batch(const ProseText& text, Answer& answer) {
  for (const Mention& mention : text.found.mentions) {
    if (!text.in(mention, "parameter") || text.id(mention) != "micro_batch") {
      continue;
    }
    const Amount* amount = amount_behind(text, mention.end, 12);
    if (amount == nullptr || !amount->exact) continue;
    const std::string_view between =
        text.text().substr(mention.end, amount->begin - mention.end);
    const bool direct = amount->dimension == Dimension::kNone ||
                        amount->dimension == Dimension::kSequences;
    const std::size_t clause_break = between.find_first_of(",;.\n");
    if (!direct || clause_break != std::string_view::npos) continue;
    answer.micro_batch = of(text, *amount);
    return;
  }
}

bool per_step(const ProseText& text, const Amount& amount) {
  const std::string_view behind = text.text().substr(amount.end, 14);
  return holds(behind, "step") || holds(behind, "Schritt") ||
         holds(behind, "batch");
}

bool critical_near(const ProseText& text, const Amount& amount) {
  for (const Mention& mention : text.found.mentions) {
    if (mention.clause == amount.clause && text.in(mention, "parameter") &&
        text.id(mention) == "critical_batch") {
      return true;
    }
  }
  return false;
}

// Sequences, else tokens a step; the critical batch is not the plan's own.
void read_global_batch(const ProseText& text, Answer& answer) {
  const Amount* tokens = nullptr;
  for (const Amount& amount : text.found.amounts) {
    const bool sequences = amount.dimension == Dimension::kSequences;
    if (!sequences && amount.dimension != Dimension::kTokens) continue;
    if (critical_near(text, amount) || amount.bound != Bound::kEqual) continue;
    const std::string_view behind = text.text().substr(amount.end, 14);
    if (holds(behind, "replica") || holds(behind, "GPU")) continue;
    if (sequences && amount.value > 1.0) {
      answer.global_batch = of(text, amount);
      return;
    }
    if (!sequences && tokens == nullptr && per_step(text, amount)) {
      tokens = &amount;
    }
  }
  for (const Mention& mention : text.found.mentions) {
    if (!text.in(mention, "parameter") || text.id(mention) != "global_batch") {
      continue;
    }
    const Amount* amount = amount_behind(text, mention.end, 16);
    const bool count = amount != nullptr && amount->exact &&
                       amount->dimension == Dimension::kNone &&
                       !amount->scaled && amount->clause == mention.clause;
    if (!count) continue;
    answer.global_batch = of(text, *amount);
    return;
  }
  if (tokens != nullptr) answer.global_batch = of(text, *tokens);
}

double product_of(const Answer& answer, const Lexicon& lexicon) {
  double product = 1.0;
  for (const Passage& degree : answer.degrees) {
    const Findings found = lexicon.find(degree.text.substr(0, 40));
    if (!found.amounts.empty()) product *= found.amounts.front().value;
  }
  return product;
}

// "8 GPUs" that the degrees multiply to: the plan says how many it uses.
void read_gpus(const ProseText& text, Answer& answer) {
  const double product = product_of(answer, *text.lexicon);
  for (const Amount& amount : text.found.amounts) {
    if (amount.dimension != Dimension::kCount || amount.value != product ||
        !holds(amount.unit, "GPU")) {
      continue;
    }
    answer.gpus = of(text, amount);
    return;
  }
}

// A rate of terabytes a second is the memory's.
void read_hbm_bandwidth(const ProseText& text, Answer& answer) {
  if (!answer.hbm_bandwidth.blank()) return;
  for (const Amount& amount : text.found.amounts) {
    if (amount.dimension != Dimension::kBandwidth || amount.value < 1e12 ||
        amount.value > 2e13) {
      continue;
    }
    answer.hbm_bandwidth = of(text, amount);
    return;
  }
}

// ---- axes left out ----

// The sentence and the one behind it, where that gives the reason.
Range with_reason(const ProseText& text, int sentence) {
  Range range = text.sentence(sentence);
  std::size_t next = static_cast<std::size_t>(sentence) + 1;
  while (next < text.sentences.size() && text.sentences[next].empty()) ++next;
  if (next >= text.sentences.size()) return range;
  const Range behind = text.sentences[next];
  const bool reason_here = text.has("reason", range);
  const bool another =
      text.has("unused", behind) && text.first("axis", behind) != nullptr;
  if (!another && (!reason_here || text.has("reason", behind))) {
    range.end = behind.end;
  }
  return range;
}

}  // namespace

void read_options(const ProseText& text, Answer& answer) {
  read_names(text, answer);
  read_micro_batch(text, answer);
  read_global_batch(text, answer);
  read_gpus(text, answer);
  read_hbm_bandwidth(text, answer);
}

void read_unused(const ProseText& text, Answer& answer) {
  constexpr std::size_t kMost = 8;
  int last_sentence = -1;
  for (const Mention& mention : text.found.mentions) {
    if (answer.unused.size() >= kMost) return;
    if (!text.in(mention, "axis")) continue;
    const auto axis = axis_from_name(text.id(mention));
    if (!axis.has_value() || in_plan(answer, *axis)) continue;
    const Range sentence = text.sentence(mention.sentence);
    const bool named_unused = text.has("unused", sentence);
    const bool degree_of_one =
        !answer.degrees[static_cast<std::size_t>(*axis)].blank() &&
        text.has("because", sentence);
    const bool reasoned =
        (mention.negated || degree_of_one) && text.has("reason", sentence);
    if (!named_unused && !reasoned) continue;
    if (mention.sentence == last_sentence) continue;
    last_sentence = mention.sentence;
    UnusedAnswer one;
    one.axis = text.source->passage({mention.begin, mention.end});
    one.because = text.source->passage(with_reason(text, mention.sentence));
    answer.unused.push_back(std::move(one));
  }
}

}  // namespace meshwise
