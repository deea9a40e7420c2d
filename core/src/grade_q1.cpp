// Question 1: the binding constraint, and the number behind it.

#include <algorithm>

#include "grade_parts.h"

namespace meshwise {
namespace {

struct ReadConstraint {
  std::string id;       // "" none; "memory" without saying which
  bool listed = false;  // every option is named
  bool several = false;
};

bool is_memory(const std::string& id) { return id.rfind("memory", 0) == 0; }

// The kind of memory that the reason alone speaks of, "" where both or none.
std::string kind_of_memory(const Judge& judge, const Findings& found) {
  std::string kind;
  for (const std::string& id : judge.lexicon().all(found, "constraint")) {
    if (id != "memory-state" && id != "memory-activations") continue;
    if (!kind.empty()) return "";
    kind = id;
  }
  return kind;
}

ReadConstraint read_constraint(const Judge& judge) {
  ReadConstraint read;
  const Findings& found = judge.claims.constraint;
  std::vector<std::string> ids = judge.lexicon().all(found, "constraint");
  const bool serving = judge.scenario.phase == Phase::kServing;
  for (std::string& id : ids) {
    if (id == "memory-bandwidth") id = serving ? "latency" : "throughput";
  }
  if (ids.empty()) return read;
  read.id = ids.front();
  if (read.id == "memory") {
    for (const std::string& id : ids) {
      if (id != "memory" && is_memory(id)) {
        read.id = id;
        break;
      }
    }
  }
  if (read.id == "memory") {
    const std::string kind =
        kind_of_memory(judge, judge.claims.constraint_because);
    if (!kind.empty()) read.id = kind;
  }
  const auto has = [&](std::string_view id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  const bool memory = std::any_of(ids.begin(), ids.end(), is_memory);
  read.listed = memory && has("throughput") && has("latency");
  read.several = ids.size() > 1 &&
                 std::any_of(ids.begin(), ids.end(), [&](const auto& id) {
                   return is_memory(id) != is_memory(read.id);
                 });
  return read;
}

std::string what_binds(const Judge& judge) {
  const Binding& b = judge.binding;
  const std::string hbm = in_units(Dimension::kBytes, b.capacity.base());
  const std::string state = in_units(Dimension::kBytes, b.state.base());
  const std::string activations =
      in_units(Dimension::kBytes, b.activations.base());
  switch (b.constraint) {
    case Constraint::kMemoryState:
      return "One GPU would hold " + state + " of training state; it has " +
             hbm + ".";
    case Constraint::kMemoryActivations:
      return "One GPU holds the state (" + state + "), not " + activations +
             " of activations beside it: it has " + hbm + ".";
    case Constraint::kThroughput:
      return "One GPU holds " + state + " of state and " + activations +
             " of activations in " + hbm + "; what it misses is the wanted " +
             short_number(b.speedup_needed) + "x speed.";
    case Constraint::kLatency:
      return "The fewest GPUs that hold the weights (" +
             std::to_string(b.gpus_for_weights) + ") take " +
             in_units(Dimension::kTime, b.tpot.base()) +
             " a token; the target is " +
             in_units(Dimension::kTime, b.slo.base()) + ".";
    case Constraint::kNone:
      break;
  }
  return "Nothing binds here.";
}

CriterionResult judge_kind(const Judge& judge, const ReadConstraint& read) {
  const char* id = "q1.kind";
  const Passage& field = judge.claims.answer.constraint;
  if (field.blank()) return unanswered(judge, id, 1);
  Evidence evidence = evidence_of(field, read.id);
  if (read.id.empty()) {
    return review(judge, id, std::move(evidence),
                  "No constraint could be read here: memory (state or "
                  "activations), throughput or latency?");
  }
  const std::string truth(constraint_name(judge.binding.constraint));
  CriterionResult out;
  if (read.listed) {
    out = result(judge, id, 0.0, "lists_all", std::move(evidence),
                 "Every constraint is named: commit to the one that binds.");
  } else if (read.id == truth) {
    out = result(judge, id, 1e9, "right", std::move(evidence),
                 "Yes: " + truth + " binds.");
    if (read.several) out.says += " The first constraint named was counted.";
  } else if (read.id == "memory" && is_memory(truth)) {
    out = result(judge, id, judge.data.rubric.kind_unspecified, "unspecified",
                 std::move(evidence),
                 "Memory it is; say whether the state or the activations.");
  } else {
    out = result(judge, id, 0.0, "wrong", std::move(evidence),
                 "The planner does not find " + read.id + " to bind.");
  }
  out.hint =
      "Ask in turn: does one GPU hold the state, then the activations "
      "as well, and only then whether it is fast enough.";
  out.worked = what_binds(judge);
  return out;
}

// A clause that compares two phases' bounds.
struct Phases {
  std::vector<std::string> prefill;
  std::vector<std::string> decode;
  bool prefill_named = false;
  bool decode_named = false;
};

void add_phase_text(const Judge& judge, const Findings& found, Phases& phases) {
  // What follows a phase's name, up to the other's, is said of it; what
  // stands before the first name in its sentence is said of that one.
  std::string current;
  std::vector<std::string> before;
  int sentence = -1;
  const auto& lexicon = judge.lexicon();
  for (const Mention& mention : found.mentions) {
    if (mention.sentence != sentence) before.clear();
    sentence = mention.sentence;
    if (lexicon.in_group(mention, "phase")) {
      current = lexicon.id(mention);
      (current == "prefill" ? phases.prefill_named : phases.decode_named) =
          true;
      auto& list = current == "prefill" ? phases.prefill : phases.decode;
      list.insert(list.end(), before.begin(), before.end());
      before.clear();
    } else if (lexicon.in_group(mention, "bound") && !mention.negated) {
      if (current == "prefill") phases.prefill.push_back(lexicon.id(mention));
      if (current == "decode") phases.decode.push_back(lexicon.id(mention));
      if (current.empty()) before.push_back(lexicon.id(mention));
    }
  }
}

bool contains(const std::vector<std::string>& list, std::string_view id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

Phases read_phases(const Judge& judge) {
  Phases phases;
  const Claims& claims = judge.claims;
  add_phase_text(judge, claims.constraint, phases);
  add_phase_text(judge, claims.constraint_because, phases);
  const auto own = [&](const Passage& field, const Findings& found,
                       std::vector<std::string>& list, bool& named) {
    if (field.blank()) return;
    named = true;
    list = judge.lexicon().all(found, "bound");
  };
  own(claims.answer.prefill, claims.prefill, phases.prefill,
      phases.prefill_named);
  own(claims.answer.decode, claims.decode, phases.decode, phases.decode_named);
  return phases;
}

// "Both have the same bottleneck."
bool says_alike(const Judge& judge) {
  const Claims& claims = judge.claims;
  const auto& lexicon = judge.lexicon();
  return !lexicon.first(claims.constraint, "alike").empty() ||
         !lexicon.first(claims.constraint_because, "alike").empty();
}

CriterionResult judge_phases(const Judge& judge) {
  const char* id = "q1.phases";
  const Answer& answer = judge.claims.answer;
  const Phases phases = read_phases(judge);
  const Passage& field =
      answer.prefill.blank() ? answer.constraint_because : answer.prefill;
  Evidence evidence = evidence_of(field);
  CriterionResult out;
  if (!phases.prefill_named || !phases.decode_named) {
    if (answer.blank(1)) return unanswered(judge, id, 1);
    out = result(judge, id, 0.0, "not_told_apart", std::move(evidence),
                 "Prefill and decode are not told apart.");
  } else if (says_alike(judge)) {
    out = result(judge, id, 0.0, "not_told_apart", std::move(evidence),
                 "Prefill and decode are said to be bound alike.");
  } else if (!contains(phases.prefill, "compute")) {
    const bool read = !phases.prefill.empty();
    out = read ? result(judge, id, 0.0, "prefill_wrong", std::move(evidence),
                        "Prefill is bound by something else: it works on many "
                        "tokens at once.")
               : review(judge, id, std::move(evidence),
                        "What binds prefill could not be read.");
  } else if (!contains(phases.decode, "memory-bandwidth") &&
             !contains(phases.decode, "latency")) {
    const bool read = !phases.decode.empty();
    out = read ? result(judge, id, 0.0, "decode_wrong", std::move(evidence),
                        "Decode is bound by something else: it works on one "
                        "token at a time.")
               : review(judge, id, std::move(evidence),
                        "What binds decode could not be read.");
  } else {
    out = result(judge, id, 1e9, "told_apart", std::move(evidence),
                 "Prefill and decode are told apart, with what binds each.");
  }
  out.hint = "Count the FLOPs a byte read in each phase.";
  const DecodeTime& time = judge.followed.decode;
  if (judge.followed.stated) {
    out.worked = "Prefill computes for " +
                 in_units(Dimension::kTime, time.ttft_compute.base()) +
                 "; a decoded token reads weights for " +
                 in_units(Dimension::kTime, time.weights.base()) +
                 " and computes for " +
                 in_units(Dimension::kTime, time.compute.base()) + ".";
  }
  return out;
}

// The quantity that a number is said to be of: the concept named right behind
// it, else right before it, in its own clause.
struct Attached {
  std::string_view kind;
  bool behind = false;  // "12 GiB of activations"
};

Attached attached(const Judge& judge, const Findings& found,
                  const Amount& amount) {
  Attached before;
  for (const Mention& mention : found.mentions) {
    if (mention.clause != amount.clause) continue;
    if (!judge.lexicon().in_group(mention, "quantity")) continue;
    if (mention.begin >= amount.end && mention.begin - amount.end <= 24) {
      return {judge.lexicon().id(mention), true};
    }
    if (mention.end <= amount.begin && amount.begin - mention.end <= 24) {
      before = {judge.lexicon().id(mention), false};
    }
  }
  return before;
}

bool kinds_agree(const Attached& words, std::string_view fact) {
  const std::string_view said = words.kind;
  if (said.empty() || fact.empty() || said == fact) return true;
  const auto family = [](std::string_view kind) {
    if (kind == "state" || kind == "weights" || kind == "gradients") return 1;
    if (kind == "activations" || kind == "layer") return 2;
    if (kind == "kv") return 3;
    return 0;
  };
  const int a = family(said);
  const int b = family(fact);
  // "969 GiB of activations" is no total.
  if (words.behind && a != 0 && fact == "total") return false;
  return a == 0 || b == 0 || a == b;
}

// A number of the prompt is set against another of its kind.
bool compared(const Judge& judge, const Findings& found, const Amount& amount,
              const Fact& fact) {
  const bool with_number = std::any_of(
      found.amounts.begin(), found.amounts.end(), [&](const Amount& other) {
        return other.dimension == amount.dimension &&
               !near(other.value, amount.value, 0.01);
      });
  if (with_number || fact.kind == "hbm") return with_number;
  // "969 GiB, five times what the HBM holds".
  return std::any_of(found.mentions.begin(), found.mentions.end(),
                     [&](const Mention& mention) {
                       return mention.sentence == amount.sentence &&
                              judge.lexicon().is(mention, "quantity", "hbm");
                     });
}

struct Backing {
  const Amount* amount = nullptr;
  const Fact* fact = nullptr;
  bool given_only = false;
  bool wrong_kind = false;
};

Backing find_backing(const Judge& judge, const Findings& found) {
  Backing miss;
  const double tolerance = judge.tolerances().number;
  for (const Amount& amount : found.amounts) {
    if (amount.dimension == Dimension::kNone ||
        amount.dimension == Dimension::kCount) {
      continue;
    }
    const Fact* near_fact = nullptr;
    for (const Fact& fact : judge.facts) {
      if (!matches_fact(amount, fact, tolerance)) continue;
      // What the GPU has saves no number that is of something else.
      if (miss.wrong_kind && fact.kind == "hbm") continue;
      if (!kinds_agree(attached(judge, found, amount), fact.kind)) {
        miss.wrong_kind = true;
        continue;
      }
      const auto off = [&](const Fact& f) {
        const double d = f.value - amount.value;
        return (d < 0.0 ? -d : d) / f.value;
      };
      if (near_fact == nullptr || off(fact) < off(*near_fact)) {
        near_fact = &fact;
      }
    }
    if (near_fact == nullptr) continue;
    if (is_given(judge.given, amount) &&
        !compared(judge, found, amount, *near_fact)) {
      miss.given_only = true;
      continue;
    }
    return {&amount, near_fact, false, false};
  }
  return miss;
}

std::string slip_words(const Amount& amount, const Fact& fact) {
  if (amount.dimension != Dimension::kBytes) return "";
  if (near(amount.value, fact.value * 1.073741824, 0.02) && amount.binary) {
    return " It is written in GiB and is right in GB: 1 GiB is 1.0737 GB.";
  }
  if (near(amount.value * 1.073741824, fact.value, 0.02) && !amount.binary) {
    return " It is written in GB and is right in GiB: 1 GiB is 1.0737 GB.";
  }
  return "";
}

CriterionResult judge_number(const Judge& judge) {
  const char* id = "q1.number";
  const Claims& claims = judge.claims;
  if (claims.answer.blank(1)) return unanswered(judge, id, 1);
  CriterionResult out;
  Backing miss;
  for (const auto* part : {&claims.constraint_because, &claims.constraint,
                           &claims.prefill, &claims.decode}) {
    const Backing found = find_backing(judge, *part);
    miss.given_only = miss.given_only || found.given_only;
    miss.wrong_kind = miss.wrong_kind || found.wrong_kind;
    if (found.amount == nullptr) continue;
    const Passage& field =
        part == &claims.constraint_because ? claims.answer.constraint_because
        : part == &claims.constraint       ? claims.answer.constraint
        : part == &claims.prefill          ? claims.answer.prefill
                                           : claims.answer.decode;
    const std::string said = field.text.substr(
        found.amount->begin, found.amount->end - found.amount->begin);
    out = result(judge, id, 1e9, "backed", evidence_of(field, said),
                 said + " is " + found.fact->label + ": the planner has " +
                     in_units(found.fact->dimension, found.fact->value) + "." +
                     slip_words(*found.amount, *found.fact));
    out.number =
        DecidingNumber{found.fact->label, found.fact->value,
                       std::string(dimension_name(found.fact->dimension))};
    break;
  }
  if (out.id.empty()) {
    const bool any = !claims.constraint_because.amounts.empty() ||
                     !claims.constraint.amounts.empty();
    const char* path = miss.given_only   ? "given"
                       : miss.wrong_kind ? "wrong_kind"
                       : any             ? "no_match"
                                         : "no_number";
    const char* says =
        miss.given_only
            ? "The number stands in the question: compare it with something, "
              "or compute your own."
        : miss.wrong_kind
            ? "The number is one of the planner's, but not of the quantity it "
              "is attached to."
        : any ? "No number here agrees with one of the planner's within its "
                "tolerance."
              : "No number backs the constraint.";
    out = result(judge, id, 0.0, path,
                 evidence_of(claims.answer.constraint_because), says);
  }
  out.hint = "Put one quantity that you worked out beside what one GPU has.";
  out.worked = what_binds(judge);
  return out;
}

CriterionResult judge_first(const Judge& judge, const ReadConstraint& read) {
  const bool plan_first = judge.claims.answer.opens_with_plan;
  const bool opens = !read.listed && !plan_first;
  const char* path = read.listed  ? "lists_all"
                     : plan_first ? "plan_first"
                                  : "opens";
  return result(judge, "q1.first", opens ? 1e9 : 0.0, path,
                evidence_of(judge.claims.answer.constraint, read.id),
                read.listed  ? "It opens with a list."
                : plan_first ? "A plan stands before what binds."
                             : "The answer opens with a constraint.");
}

}  // namespace

void judge_q1(const Judge& judge, std::vector<CriterionResult>& out) {
  const ReadConstraint read = read_constraint(judge);
  out.push_back(judge_kind(judge, read));
  if (judge.scenario.phase == Phase::kServing) {
    out.push_back(judge_phases(judge));
  } else if (judge.claims.answer.constraint.blank()) {
    out.push_back(unanswered(judge, "q1.first", 1));
  } else if (read.id.empty()) {
    out.push_back(review(judge, "q1.first",
                         evidence_of(judge.claims.answer.constraint),
                         "No constraint could be read here."));
  } else {
    out.push_back(judge_first(judge, read));
  }
  out.push_back(judge_number(judge));
}

}  // namespace meshwise
