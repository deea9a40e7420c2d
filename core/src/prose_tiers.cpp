// Question 3: what is said of each axis, its tier and its minimum.

#include <algorithm>

#include "prose_parts.h"

namespace meshwise {
namespace {

std::size_t index_of(Axis axis) { return static_cast<std::size_t>(axis); }

// A stretch of text and the axes that it speaks of.
struct Segment {
  Range range;
  unsigned axes = 0;  // bits by Axis
  bool own = false;   // an axis is named in it
  bool tier = false;
  int sentence = 0;
};

class TierReader {
 public:
  TierReader(const ProseText& text, Answer& answer)
      : text_(text), answer_(answer) {
    for (const Axis axis : kAxes) {
      if (in_plan(answer, axis)) plan_ |= 1u << index_of(axis);
    }
  }

  void run() {
    split();
    hand_on();
    for (const Axis axis : kAxes) {
      if (plan_ != 0 && (plan_ >> index_of(axis) & 1u) == 0) continue;
      read(axis);
    }
  }

 private:
  // ---- segments: clauses, cut between two axes that each get a tier ----

  void split() {
    std::vector<const Mention*> marks;
    for (const Mention& mention : text_.found.mentions) {
      const bool axis = text_.in(mention, "axis");
      if (axis || text_.in(mention, "tier") || text_.in(mention, "axis_hint")) {
        marks.push_back(&mention);
      }
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < text_.clauses.size(); ++i) {
      const Range clause = text_.clauses[i];
      if (clause.empty()) continue;
      add_segment(clause);
      for (; next < marks.size() && marks[next]->begin < clause.end; ++next) {
        mark(*marks[next]);
      }
    }
  }

  void add_segment(Range range) {
    Segment one;
    one.range = range;
    one.sentence = sentence_at(range.begin);
    segments_.push_back(one);
  }

  [[nodiscard]] int sentence_at(std::size_t at) const {
    const auto it = std::upper_bound(
        text_.sentences.begin(), text_.sentences.end(), at,
        [](std::size_t b, const Range& r) { return b < r.begin; });
    return static_cast<int>(it - text_.sentences.begin()) - 1;
  }

  void mark(const Mention& mention) {
    Segment& now = segments_.back();
    if (text_.in(mention, "tier")) {
      now.tier = true;
      return;
    }
    const bool hint = text_.in(mention, "axis_hint");
    const auto axis = axis_from_name(text_.id(mention));
    if (!axis.has_value()) return;
    const unsigned bit = 1u << index_of(*axis);
    // An axis of degree 1 is not placed.
    if (plan_ != 0 && (plan_ & bit) == 0) return;
    if ((hint && now.own) || genitive(mention)) return;
    if (now.own && now.tier && (now.axes & bit) == 0 &&
        mention.begin > now.range.begin) {
      const Range rest{mention.begin, now.range.end};
      now.range.end = mention.begin;
      add_segment(rest);
      segments_.back().sentence = mention.sentence;
    }
    segments_.back().axes |= bit;
    segments_.back().own = !hint;
  }

  // "the weights of a TP shard" goes on with what it was about.
  [[nodiscard]] bool genitive(const Mention& mention) const {
    const std::size_t from = mention.begin > 7 ? mention.begin - 7 : 0;
    const std::string_view before =
        text_.text().substr(from, mention.begin - from);
    for (const std::string_view word : {" of a ", " of the ", " per "}) {
      if (before.size() >= word.size() &&
          before.substr(before.size() - word.size()) == word) {
        return true;
      }
    }
    return false;
  }

  // Text that names no axis goes on with the one before; a tier at the head
  // of a sentence belongs to the axis that follows in it.
  void hand_on() {
    unsigned current = 0;
    const bool single = plan_ != 0 && (plan_ & (plan_ - 1)) == 0;
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      Segment& one = segments_[i];
      if (single) {
        one.axes = plan_;
        continue;
      }
      if (one.axes == 0 && one.tier && heads(i)) {
        one.axes = next_axes(i);
      } else if (one.axes == 0) {
        one.axes = current;
      }
      if (one.axes != 0) current = one.axes;
    }
  }

  [[nodiscard]] bool heads(std::size_t i) const {
    for (std::size_t k = i; k > 0; --k) {
      if (segments_[k - 1].sentence != segments_[i].sentence) break;
      if (segments_[k - 1].own) return false;
    }
    return next_axes(i) != 0;
  }

  [[nodiscard]] unsigned next_axes(std::size_t i) const {
    for (std::size_t k = i + 1; k < segments_.size() && k < i + 4; ++k) {
      if (segments_[k].sentence != segments_[i].sentence) break;
      if (segments_[k].own) return segments_[k].axes;
    }
    return 0;
  }

  // ---- one axis ----

  void read(Axis axis) {
    const unsigned bit = 1u << index_of(axis);
    AxisAnswer& to = answer_.axes[index_of(axis)];
    std::vector<Range> own;
    for (const Segment& one : segments_) {
      if ((one.axes & bit) == 0) continue;
      if (!own.empty() && own.back().end == one.range.begin) {
        own.back().end = one.range.end;
      } else {
        own.push_back(one.range);
      }
    }
    tiers(axis, to);
    to.because = joined(own);
    minimum(own, axis, to);
    algorithm(own, to);
  }

  // The first tier that is affirmed, else one that is denied. DP may lie on
  // both, each named in a sentence of its own.
  void tiers(Axis axis, AxisAnswer& to) {
    const unsigned bit = 1u << index_of(axis);
    std::vector<Range> affirmed;
    Range denied;
    for (const Segment& one : segments_) {
      if ((one.axes & bit) == 0 || !one.tier) continue;
      if (text_.first("tier", one.range) == nullptr) {
        if (denied.empty()) denied = one.range;
      } else if (affirmed.empty() || axis == Axis::kDp) {
        affirmed.push_back(one.range);
      }
    }
    if (affirmed.empty() && !denied.empty()) affirmed.push_back(denied);
    if (to.tier.blank()) to.tier = joined(affirmed);
  }

  [[nodiscard]] Passage joined(const std::vector<Range>& ranges) const {
    Passage all;
    for (const Range range : ranges) {
      const Passage one = text_.source->passage(range);
      if (one.blank()) continue;
      if (all.text.empty()) {
        all = one;
      } else {
        all.text += "; " + one.text;
        all.end = std::max(all.end, one.end);
      }
    }
    return all;
  }

  void algorithm(const std::vector<Range>& own, AxisAnswer& to) {
    for (const Range range : own) {
      const Mention* found = text_.first("algorithm", range);
      if (found == nullptr || !to.algorithm.blank()) continue;
      to.algorithm = text_.source->passage({found->begin, found->end});
      return;
    }
  }

  // ---- the minimum ----

  struct Candidate {
    const Amount* amount = nullptr;
    int score = 0;
  };

  void minimum(const std::vector<Range>& own, Axis axis, AxisAnswer& to) {
    Candidate rate;
    Candidate hop;
    for (const Range range : own) {
      auto at = std::lower_bound(
          text_.found.amounts.begin(), text_.found.amounts.end(), range.begin,
          [](const Amount& a, std::size_t b) { return a.begin < b; });
      for (; at != text_.found.amounts.end() && at->begin < range.end; ++at) {
        consider(*at, axis, at->dimension == Dimension::kTime ? hop : rate);
      }
    }
    const bool latency = hop.amount != nullptr &&
                         (rate.amount == nullptr || hop.score > rate.score);
    const Amount* best = latency ? hop.amount : rate.amount;
    if (best == nullptr) return;
    to.minimum = text_.source->passage({best->begin, best->end});
    to.is_latency = latency;
  }

  // What speaks for a number as the minimum: words of need beside it, a
  // conclusion, or its place; a tier's own rate is none without such words.
  void consider(const Amount& amount, Axis axis, Candidate& best) const {
    const bool time = amount.dimension == Dimension::kTime;
    if (!time && amount.dimension != Dimension::kBandwidth) return;
    if (amount.value >= 1e12) return;
    if (time && (amount.value > 1e-3 || !per_hop(amount))) return;
    int score = 1;
    const bool beside = need_beside(amount);
    if (beside) score += 6;
    if (text_.has("need", text_.clause(amount.clause))) score += 4;
    if (text_.has("need", text_.sentence(amount.sentence))) score += 2;
    if (concludes(amount)) score += 3;
    if (reported(amount) && !beside) score -= 6;
    // DP is judged where it crosses the nodes.
    if (axis == Axis::kDp) {
      const Mention* tier = text_.first("tier", text_.clause(amount.clause));
      if (tier != nullptr) score += text_.id(*tier) == "inner" ? -1 : 1;
    }
    if (score < 1) return;
    if (best.amount == nullptr || score > best.score) {
      best = {&amount, score};
    }
  }

  [[nodiscard]] bool per_hop(const Amount& amount) const {
    return text_.has("hop", text_.sentence(amount.sentence));
  }

  // "at least 9.4 GB/s", ">= 60 GB/s", "15 GB/s minimum", "needs 45 GB/s"
  [[nodiscard]] bool need_beside(const Amount& amount) const {
    if (amount.bound == Bound::kAtLeast) return true;
    const std::size_t from = amount.begin > 24 ? amount.begin - 24 : 0;
    const Mention* before = text_.first("need", {from, amount.begin});
    if (before != nullptr && before->clause == amount.clause) return true;
    const Mention* behind = text_.first("need", {amount.end, amount.end + 24});
    return behind != nullptr && behind->clause == amount.clause;
  }

  // "so 81 GB/s", "= 45 GB/s", "→ 9.4 GB/s"
  [[nodiscard]] bool concludes(const Amount& amount) const {
    std::size_t at = amount.begin;
    const std::string_view words = text_.text();
    while (at > 0 && (words[at - 1] == ' ' || words[at - 1] == '~' ||
                      words[at - 1] == '>')) {
      --at;
    }
    const auto ends = [&](std::string_view what) {
      return at >= what.size() &&
             words.substr(at - what.size(), what.size()) == what;
    };
    for (const std::string_view sign :
         {"=", "→", "≈", "so", "⇒", "->", "hence", "therefore", "say", "also",
          "i.e.", "about"}) {
      if (ends(sign)) return true;
    }
    return false;
  }

  // "intra-node / 81 GB/s": a slash between two fields.
  [[nodiscard]] bool names_tier(const Amount& amount) const {
    const std::string_view words = text_.text();
    std::size_t at = amount.begin;
    while (at > 0 && (words[at - 1] == ' ' || words[at - 1] == '/')) --at;
    const std::size_t from = at > 24 ? at - 24 : 0;
    const Mention* tier = text_.first("tier", {from, at});
    return tier != nullptr && tier->end == at && at != amount.begin;
  }

  // "at 300 GB/s", "on 50 GB/s", "/ 50 GB/s", "we have 50 GB/s": the link's
  // own rate, or a factor of a formula.
  [[nodiscard]] bool reported(const Amount& amount) const {
    const std::size_t from = amount.begin > 16 ? amount.begin - 16 : 0;
    const std::string_view before =
        text_.text().substr(from, amount.begin - from);
    if (names_tier(amount)) return false;
    for (const std::string_view word :
         {"at ", "on ", "/ ", "/", "over ", "the ", "have ", "only ", "have ~",
          "of ", "bei ", "with ", "than ", "to ", "die "}) {
      if (before.size() >= word.size() &&
          before.substr(before.size() - word.size()) == word) {
        return true;
      }
    }
    return text_.has("not_met_by", text_.clause(amount.clause));
  }

  const ProseText& text_;
  Answer& answer_;
  unsigned plan_ = 0;
  std::vector<Segment> segments_;
};

}  // namespace

void read_tiers_of_plan(const ProseText& text, Answer& answer) {
  if (text.blank()) return;
  Answer trial = answer;
  for (AxisAnswer& one : trial.axes) one = {};
  TierReader(text, trial).run();
  for (std::size_t i = 0; i < kAxisCount; ++i) {
    AxisAnswer& to = answer.axes[i];
    if (to.tier.blank()) to.tier = trial.axes[i].tier;
    const bool decodes = i == index_of(Axis::kTp);
    if (to.algorithm.blank() && decodes) to.algorithm = trial.axes[i].algorithm;
  }
}

void read_question_3(const ProseText& text, Answer& answer) {
  if (text.blank()) return;
  TierReader(text, answer).run();
}

}  // namespace meshwise
