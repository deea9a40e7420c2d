// Question 2: the decomposition.

#include <algorithm>

#include "grade_parts.h"

namespace meshwise {
namespace {

Passage degrees_passage(const Judge& judge) {
  Passage all;
  for (Axis axis : kAxes) {
    const Passage& one =
        judge.claims.answer.degrees[static_cast<std::size_t>(axis)];
    if (one.blank()) continue;
    all.text += (all.text.empty() ? "" : ", ") + std::string(axis_name(axis)) +
                " " + one.text.substr(0, 200);
    if (all.end == 0) all.begin = one.begin;
    all.end = std::max(all.end, one.end);
  }
  return all;
}

// The first degree that could not be read, as a review; nothing if all could.
std::optional<CriterionResult> unread_degree(const Judge& judge,
                                             std::string_view id) {
  for (Axis axis : kAxes) {
    const auto i = static_cast<std::size_t>(axis);
    const Read<int>& read = judge.claims.degrees[i];
    if (!read.unreadable()) continue;
    return review(judge, id, evidence_of(judge.claims.answer.degrees[i]),
                  "The degree of " + std::string(axis_name(axis)) +
                      " could not be read: " + read.why + ".");
  }
  return std::nullopt;
}

CriterionResult judge_product(const Judge& judge) {
  const char* id = "q2.product";
  const Followed& f = judge.followed;
  if (auto unread = unread_degree(judge, id)) return *unread;
  if (!f.stated) return unanswered(judge, id, 2);
  const std::int64_t all = judge.scenario.cluster.gpus;
  const bool stated_fewer = judge.claims.gpus.read();
  const std::string product = std::to_string(f.product);
  Evidence evidence =
      evidence_of(degrees_passage(judge), plan_words(f.plan) + " = " + product);
  // In Megatron's reading ep lies inside dp and multiplies nothing.
  const std::int64_t without_ep = f.plan.ep > 0 ? f.product / f.plan.ep : 0;
  const bool inside = f.plan.ep > 1 && f.plan.dp % f.plan.ep == 0 &&
                      judge.scenario.model.moe.experts > 0 &&
                      without_ep == f.gpus;
  CriterionResult out;
  if (f.product > all) {
    out = result(judge, id, 0.0, "too_many", std::move(evidence),
                 "The degrees multiply to " + product + ", and there are " +
                     std::to_string(all) + " GPUs.");
  } else if (f.product == f.gpus || inside) {
    out = result(judge, id, 1e9, "right", std::move(evidence),
                 "The degrees multiply to " + product + " GPUs.");
  } else if (!f.training && !stated_fewer) {
    out = result(judge, id, 1e9, "replica", std::move(evidence),
                 "The replica uses " + product + " GPUs.");
  } else {
    out = result(judge, id, 0.0, "wrong_product", std::move(evidence),
                 "The degrees multiply to " + product + ", not to " +
                     std::to_string(f.gpus) + " GPUs.");
  }
  out.hint = "Multiply all five degrees, those of 1 included.";
  if (judge.claims.answer.several) {
    out.says += " Of several plans the first was counted.";
  }
  out.number = DecidingNumber{"product of the degrees",
                              static_cast<double>(f.product), "GPUs"};
  return out;
}

std::string reason_words(const Judge& judge) {
  const Followed& f = judge.followed;
  if (!f.training) {
    return "A GPU would hold " +
           in_units(Dimension::kBytes, f.decode.weights_per_gpu.base()) +
           " of weights and " +
           in_units(Dimension::kBytes, f.decode.kv_per_gpu.base()) +
           " of KV cache; it has " +
           in_units(Dimension::kBytes, f.scenario.cluster.gpu.hbm.base()) + ".";
  }
  std::string words;
  for (const ReasonDetail& one : explain_reasons(f.scenario, f.evaluation)) {
    if (one.reason == Reason::kCriticalBatch || one.reason == Reason::kGpus) {
      continue;
    }
    words += words.empty() ? "It fails on " : ", ";
    words +=
        std::string(reason_name(one.reason)) + " (" +
        (one.reason == Reason::kHbm
             ? in_units(Dimension::kBytes, one.have) + " of " +
                   in_units(Dimension::kBytes, one.limit)
             : plain_number(one.have) + " against " + plain_number(one.limit)) +
        ")";
  }
  return words.empty() ? "" : words + ".";
}

// What the sequence length does to the activations, where it decides.
std::string score_words(const Judge& judge) {
  if (judge.binding.constraint != Constraint::kMemoryActivations) return "";
  Plan plan;
  plan.recompute = Recompute::kNone;
  const LayerActivations layer = layer_activations(
      judge.scenario.model, judge.scenario.training, plan, Recompute::kNone);
  return " The score matrix grows with the sequence squared (s^2): " +
         in_units(Dimension::kBytes, layer.scores.base()) + " of the " +
         in_units(Dimension::kBytes, layer.total.base()) +
         " of one layer; the rest of the activations grows with s.";
}

std::string options_words(const Plan& plan) {
  return "ZeRO " + std::to_string(plan.zero) + ", " +
         std::string(recompute_name(plan.recompute)) +
         " recompute, micro-batch " + std::to_string(plan.micro_batch);
}

CriterionResult judge_fits(const Judge& judge) {
  const char* id = "q2.fits";
  const Followed& f = judge.followed;
  if (auto unread = unread_degree(judge, id)) return *unread;
  if (!f.stated) return unanswered(judge, id, 2);
  Evidence evidence = evidence_of(degrees_passage(judge), plan_words(f.plan));
  CriterionResult out;
  if (f.product > 1048576) {
    out = result(judge, id, 0.0, "absurd", std::move(evidence),
                 "No cluster has that many GPUs.");
  } else if (f.runs) {
    const double total = f.training ? f.evaluation.peak.memory.total().base()
                                    : f.decode.weights_per_gpu.base() +
                                          f.decode.kv_per_gpu.base();
    std::string says =
        "A GPU holds " + in_units(Dimension::kBytes, total) + " of " +
        in_units(Dimension::kBytes, f.scenario.cluster.gpu.hbm.base());
    if (f.training) says += ", with " + options_words(f.plan);
    if (f.options_filled) says += ": these options were needed";
    out = result(judge, id, 1e9, f.options_filled ? "with_options" : "runs",
                 std::move(evidence), says + ".");
    out.number = DecidingNumber{"memory of a GPU", total / kGiB, "GiB"};
  } else {
    std::string says = f.options_filled
                           ? "It does not run as stated. With " +
                                 options_words(f.plan) +
                                 " it would, and the rest is judged on that."
                           : "It cannot run. " + reason_words(judge);
    out = result(judge, id, 0.0, "cannot_run", std::move(evidence),
                 std::move(says));
  }
  out.says += score_words(judge);
  out.hint =
      "Check the divisions (heads, layers, sequence, batch), then add "
      "up state and activations of one GPU.";
  out.worked = reason_words(judge);
  return out;
}

CriterionResult serving_good(const Judge& judge, Evidence evidence) {
  const char* id = "q2.good";
  const Followed& f = judge.followed;
  const double slo = f.scenario.serving.slo_tpot.base();
  const double own = f.decode.tpot.base();
  const DecodeHeadroom room = decode_headroom(f.scenario, f.plan, f.algorithm);
  std::string says = "A token takes " + in_units(Dimension::kTime, own) +
                     " at batch " + std::to_string(f.scenario.serving.batch) +
                     " and " + std::to_string(f.scenario.serving.context) +
                     " tokens of context by " +
                     std::string(algorithm_name(f.decode.algorithm));
  if (slo > 0.0) says += "; the target is " + in_units(Dimension::kTime, slo);
  says += ".";
  if (room.batch > 0) {
    says += " It holds to batch " + std::to_string(room.batch) + ", or to " +
            std::to_string(room.context) + " tokens.";
  }
  const DecodeTime other = decode(f.scenario, f.plan, Algorithm::kOneShot);
  if (f.plan.tp > 1 && f.algorithm != Algorithm::kOneShot) {
    says += " A one-shot all-reduce would make it " +
            in_units(Dimension::kTime, other.tpot.base()) + ".";
  }
  const Tolerances& t = judge.tolerances();
  double share = (f.relative - t.good_none) / (t.good_full - t.good_none);
  share = std::clamp(share, 0.0, 1.0);
  const double marks = judge.data.rubric.find(id)->marks;
  double score = marks * share;
  const char* path = share >= 1.0 ? "near_best" : "slower";
  if (!f.decode.slo_met) {
    score = 0.0;
    path = "over_slo";
  } else if (f.plan.pp > 1) {
    Plan flat = f.plan;
    flat.tp *= flat.pp;
    flat.pp = 1;
    Plan narrow = f.plan;
    narrow.pp = 1;
    if (decode(f.scenario, narrow, f.algorithm).feasible() ||
        decode(f.scenario, flat, f.algorithm).feasible()) {
      score = std::min(score, judge.data.rubric.serving_pipeline);
      path = "needless_pipeline";
      says += " Pipeline stages shorten no token.";
    }
  }
  CriterionResult out =
      result(judge, id, score, path, std::move(evidence), std::move(says));
  out.number = DecidingNumber{"time a token", own * 1e3, "ms"};
  return out;
}

CriterionResult training_good(const Judge& judge, Evidence evidence) {
  const char* id = "q2.good";
  const Followed& f = judge.followed;
  const Tolerances& t = judge.tolerances();
  const Training& training = f.scenario.training;
  const double batch =
      static_cast<double>(training.global_batch * training.seq);
  if (training.critical_batch > 0.0 && batch > training.critical_batch) {
    return result(judge, id, 0.0, "over_critical", std::move(evidence),
                  "A step of " + grouped(batch) +
                      " tokens is over the critical batch of " +
                      grouped(training.critical_batch) + ".");
  }
  double share = (f.relative - t.good_none) / (t.good_full - t.good_none);
  share = std::clamp(share, 0.0, 1.0);
  const double marks = judge.data.rubric.find(id)->marks;
  const StepTime& time = f.evaluation.time;
  const double lost_pp = time.pp_bubble.base();
  const double lost_tp = time.tp.base();
  const double lost_dp = time.dp.base();
  const double lost_cp = time.cp.base();
  const double most = std::max({lost_pp, lost_tp, lost_dp, lost_cp});
  const char* where = most == lost_pp   ? "the pipeline bubble"
                      : most == lost_tp ? "the TP collectives"
                      : most == lost_dp ? "the gradient exchange"
                                        : "the CP exchange";
  std::string says = "It reaches " + short_number(f.relative) +
                     " of the best plan's tokens a second at " +
                     std::to_string(training.global_batch) +
                     " sequences a step.";
  if (share < 1.0) {
    says += " Most of the loss is " + std::string(where) + ": " +
            in_units(Dimension::kTime, most) + " of " +
            in_units(Dimension::kTime, time.step.base()) + ".";
  }
  CriterionResult out =
      result(judge, id, marks * share, share >= 1.0 ? "near_best" : "slower",
             std::move(evidence), std::move(says));
  out.number = DecidingNumber{"share of the best plan", f.relative, ""};
  out.worked = "The best plan at this batch is " + plan_words(f.best) + ".";
  return out;
}

CriterionResult judge_good(const Judge& judge) {
  const char* id = "q2.good";
  const Followed& f = judge.followed;
  if (auto unread = unread_degree(judge, id)) return *unread;
  if (!f.stated) return unanswered(judge, id, 2);
  Evidence evidence = evidence_of(degrees_passage(judge), plan_words(f.plan));
  CriterionResult out;
  if (f.product > judge.scenario.cluster.gpus) {
    out = result(judge, id, 0.0, "too_many", std::move(evidence),
                 "There are only " +
                     std::to_string(judge.scenario.cluster.gpus) + " GPUs.");
  } else if (!f.runs) {
    out = result(judge, id, 0.0, "cannot_run", std::move(evidence),
                 "A plan that cannot run has no speed.");
  } else {
    out = f.training ? training_good(judge, std::move(evidence))
                     : serving_good(judge, std::move(evidence));
  }
  out.hint = f.training ? "Look for the part of the step that is not compute."
                        : "Look for what every token has to wait for.";
  return out;
}

// One stated reason for one axis.
CriterionResult judge_one_unused(const Judge& judge, std::size_t index) {
  const char* id = "q2.unused";
  const UnusedClaim& claim = judge.claims.unused[index];
  const UnusedAnswer& answer = judge.claims.answer.unused[index];
  Passage both = answer.because.blank() ? answer.axis : answer.because;
  if (claim.axis.unreadable() || claim.axis.absent()) {
    return review(judge, id, evidence_of(both),
                  "The axis could not be read: dp, tp, pp, cp or ep.");
  }
  const Axis axis = claim.axis.value;
  const std::string name(axis_name(axis));
  Evidence evidence = evidence_of(both, name);
  if (judge.followed.stated && degree(judge.followed.plan, axis) > 1) {
    return result(judge, id, 0.0, "in_use", std::move(evidence),
                  name + " is in use: the plan has " + name + "=" +
                      std::to_string(degree(judge.followed.plan, axis)) + ".");
  }
  if (answer.because.blank()) {
    return result(judge, id, 0.0, "no_reason", std::move(evidence),
                  "An axis is named without the reason for leaving it out.");
  }
  const std::vector<std::string> reasons =
      judge.lexicon().all(claim.because, "reason");
  for (const std::string& reason : reasons) {
    if (!reason_holds(judge, axis, reason)) continue;
    return result(judge, id, 1e9, "holds", std::move(evidence),
                  "That reason holds for " + name + " here.");
  }
  if (reasons.empty()) {
    return review(judge, id, std::move(evidence),
                  "The reason could not be read with confidence.");
  }
  if (reasons.size() == 1 && reasons[0] == "consequence") {
    return result(judge, id, 0.0, "consequence", std::move(evidence),
                  "That no GPUs are left follows from the plan: it is no "
                  "reason for it.");
  }
  return result(judge, id, 0.0, "does_not_hold", std::move(evidence),
                "That reason does not hold for " + name + " here.");
}

CriterionResult judge_unused(const Judge& judge) {
  const char* id = "q2.unused";
  CriterionResult best;
  for (std::size_t i = 0; i < judge.claims.unused.size() && i < 16; ++i) {
    const UnusedAnswer& answer = judge.claims.answer.unused[i];
    if (answer.axis.blank() && answer.because.blank()) continue;
    CriterionResult one = judge_one_unused(judge, i);
    const bool better =
        best.id.empty() || one.score > best.score ||
        (best.score == 0.0 && one.verdict == CriterionVerdict::kReview);
    if (better) best = std::move(one);
  }
  if (best.id.empty()) best = unanswered(judge, id, 2);
  best.hint = "Name one axis of degree 1, and what it would cost here.";
  return best;
}

}  // namespace

void judge_q2(const Judge& judge, std::vector<CriterionResult>& out) {
  out.push_back(judge_product(judge));
  out.push_back(judge_fits(judge));
  out.push_back(judge_good(judge));
  out.push_back(judge_unused(judge));
}

}  // namespace meshwise
