// The plan that questions 2 to 5 are judged on.

#include <algorithm>

#include "grade_parts.h"

namespace meshwise {
namespace {

// Reasons for which a plan cannot run; the rest say that it should not.
bool can_run(const Reasons& reasons) {
  for (int i = 0; i < kReasonCount; ++i) {
    const auto reason = static_cast<Reason>(i);
    if (reason == Reason::kCriticalBatch || reason == Reason::kSlo ||
        reason == Reason::kGpus) {
      continue;
    }
    if (reasons.has(reason)) return false;
  }
  return true;
}

void read_degrees(const Claims& claims, Followed& out) {
  for (Axis axis : kAxes) {
    const Read<int>& read = claims.degrees[static_cast<std::size_t>(axis)];
    if (read.unreadable()) out.unreadable = true;
    if (!read.read()) continue;
    out.stated = true;
    set_degree(out.plan, axis, read.value);
  }
  double product = 1.0;
  for (Axis axis : kAxes) product *= degree(out.plan, axis);
  out.product = product > 1e15 ? 1000000000000000 : gpus_used(out.plan);
}

double tokens_per_second(const Evaluation& evaluation) {
  return evaluation.throughput.tokens_per_s;
}

const std::optional<Evaluation>& best_of(const Scenario& scenario,
                                         CacheEntries& cache) {
  CacheKey key{};
  key[0] = scenario.training.global_batch;
  key[1] = scenario.cluster.gpus;
  const auto found = cache.best.find(key);
  if (found != cache.best.end()) return found->second;
  return cache.best.emplace(key, best_plan(scenario)).first->second;
}

void resize(Scenario& scenario, std::int64_t gpus) {
  if (gpus == scenario.cluster.gpus || gpus > 1048576) return;
  if (!set_parameter(scenario, nullptr, Parameter::kGpus,
                     static_cast<double>(gpus))) {
    Cluster& cluster = scenario.cluster;
    cluster.gpus = static_cast<int>(gpus);
    cluster.tiers[static_cast<std::size_t>(cluster.tier_count - 1)].gpus =
        cluster.gpus;
  }
}

// One batch: the plan's evaluation there, with the best options for those
// that are not held.
struct Trial {
  Evaluation as_stated;  // unstated options at their defaults
  Evaluation chosen;
  double relative = 0.0;
};

Trial try_batch(const Scenario& full, const Scenario& own, const Plan& plan,
                const HeldOptions& stated, CacheEntries& cache) {
  Trial trial;
  HeldOptions all = stated;
  all.zero = all.recompute = all.micro_batch = true;
  trial.as_stated = best_options(own, plan, all);
  trial.chosen = trial.as_stated;
  if (!can_run(trial.chosen.reasons)) {
    trial.chosen = best_options(own, plan, stated);
  }
  const std::optional<Evaluation>& best = best_of(full, cache);
  if (!best.has_value() || !can_run(trial.chosen.reasons)) return trial;
  double speed = tokens_per_second(trial.chosen);
  const Evaluation free = best_options(own, plan, stated);
  if (free.feasible()) speed = std::max(speed, tokens_per_second(free));
  trial.relative = speed / tokens_per_second(*best);
  return trial;
}

// Batches that may suit a plan which states none.
std::vector<std::int64_t> batches(const Scenario& scenario, const Plan& plan) {
  const Training& training = scenario.training;
  std::vector<std::int64_t> list{training.global_batch};
  const std::int64_t unit = static_cast<std::int64_t>(plan.dp) * plan.ep *
                            std::max(plan.micro_batch, 1);
  if (unit > (1 << 24)) return list;
  // The plan's own multiple at or above the scenario's batch, and its
  // doublings under the critical batch.
  const std::int64_t up = (training.global_batch + unit - 1) / unit * unit;
  const double most =
      training.critical_batch / static_cast<double>(training.seq);
  list.push_back(up);
  for (std::int64_t b = up * 2; static_cast<double>(b) <= most; b *= 2) {
    list.push_back(b);
  }
  const auto whole = static_cast<std::int64_t>(most) / unit * unit;
  if (whole > 0) list.push_back(whole);
  return list;
}

void follow_training(const Claims& claims, CacheEntries& cache,
                     const Rubric& rubric, Followed& out) {
  Scenario full = out.scenario;
  Plan plan = out.plan;
  HeldOptions stated;
  stated.zero = claims.zero.read();
  stated.recompute = claims.recompute.read();
  stated.micro_batch = claims.micro_batch.read();
  if (stated.zero) plan.zero = claims.zero.value;
  if (stated.recompute) plan.recompute = claims.recompute.value;
  if (stated.micro_batch) {
    plan.micro_batch = static_cast<int>(
        std::min<std::int64_t>(claims.micro_batch.value, 4096));
  }
  std::vector<std::int64_t> tries = batches(full, plan);
  if (claims.global_batch.read()) tries = {claims.global_batch.value};
  if (claims.global_batch_tokens.read()) {
    const double seqs = static_cast<double>(claims.global_batch_tokens.value) /
                        static_cast<double>(full.training.seq);
    tries = {std::max<std::int64_t>(1, static_cast<std::int64_t>(seqs + 0.5))};
  }
  out.batch_stated =
      claims.global_batch.read() || claims.global_batch_tokens.read();
  out.zero_stated = stated.zero;
  bool any = false;
  Trial best;
  for (std::int64_t batch : tries) {
    Scenario at = full;
    at.training.global_batch = std::min<std::int64_t>(batch, 16777216);
    Scenario own = at;
    resize(own, out.product);
    Trial trial = try_batch(at, own, plan, stated, cache);
    if (!any || trial.relative > best.relative + 1e-9) {
      best = trial;
      out.scenario = own;
    }
    any = true;
    // The scenario's own batch will do where the plan is good at it.
    if (best.relative >= rubric.tolerances.good_full) break;
  }
  out.runs_as_stated = can_run(best.as_stated.reasons);
  out.runs = can_run(best.chosen.reasons);
  out.options_filled = !out.runs_as_stated && out.runs;
  out.relative = best.relative;
  out.evaluation = best.chosen;
  if (!out.runs) {
    // Its own degrees under other options than the ones stated.
    const Evaluation other = best_options(out.scenario, plan, HeldOptions{});
    if (can_run(other.reasons)) {
      out.evaluation = other;
      out.options_filled = true;
    }
  }
  out.plan = out.evaluation.plan;
  Scenario at = full;
  at.training.global_batch = out.scenario.training.global_batch;
  const std::optional<Evaluation>& winner = best_of(at, cache);
  if (winner.has_value()) {
    out.best = winner->plan;
    out.best_value = tokens_per_second(*winner);
  }
}

Algorithm serving_algorithm(const Claims& claims) {
  const AxisClaim& tp = claims.axes[static_cast<std::size_t>(Axis::kTp)];
  if (tp.algorithm.read()) return tp.algorithm.value;
  return Algorithm::kRing;
}

void follow_serving(const Claims& claims, const Rubric& rubric, Followed& out) {
  Serving& serving = out.scenario.serving;
  if (claims.batch.read()) serving.batch = claims.batch.value;
  if (claims.context.read()) serving.context = claims.context.value;
  if (claims.hbm_bandwidth.read()) {
    const double stated = claims.hbm_bandwidth.value.value;
    if (stated >= rubric.tolerances.hbm_bandwidth_least &&
        stated <= rubric.tolerances.hbm_bandwidth_most) {
      out.scenario.cluster.gpu.hbm_bandwidth = BytesPerSecond(stated);
    }
  }
  serving.batch_max = std::max(serving.batch_max, serving.batch);
  out.algorithm = serving_algorithm(claims);
  out.decode = decode(out.scenario, out.plan, out.algorithm);
  out.runs = out.runs_as_stated =
      can_run(out.decode.reasons) && out.plan.cp == 1 && out.plan.ep == 1;
  for (const DecodePlan& one : decode_plans(out.scenario, out.algorithm)) {
    if (!one.time.feasible()) continue;
    if (out.best_value == 0.0 || one.time.tpot.base() < out.best_value) {
      out.best_value = one.time.tpot.base();
      out.best = one.plan;
    }
  }
  const double own = out.decode.tpot.base();
  if (own > 0.0) out.relative = out.best_value / own;
  const double replica = out.plan.tp * out.plan.pp;
  const double weights = out.decode.weights_per_gpu.base();
  out.sane = replica > 1.0 || weights <= out.scenario.cluster.gpu.hbm.base();
}

CacheKey stated_key(const Claims& claims, const Followed& out) {
  CacheKey key{};
  std::size_t i = 0;
  const auto put = [&](bool read, std::int64_t value) {
    key[i++] = read ? value : -1;
  };
  for (Axis axis : kAxes) put(true, degree(out.plan, axis));
  put(claims.zero.read(), claims.zero.value);
  put(claims.recompute.read(), static_cast<int>(claims.recompute.value));
  put(claims.micro_batch.read(), claims.micro_batch.value);
  put(claims.global_batch.read(), claims.global_batch.value);
  put(claims.global_batch_tokens.read(), claims.global_batch_tokens.value);
  put(claims.batch.read(), claims.batch.value);
  put(claims.context.read(), claims.context.value);
  const double hbm = claims.hbm_bandwidth.value.value;
  put(claims.hbm_bandwidth.read() && hbm > 0.0 && hbm<1e15, hbm> 0.0 &&
              hbm < 1e15
          ? static_cast<std::int64_t>(hbm)
          : 0);
  put(true, static_cast<int>(serving_algorithm(claims)));
  put(claims.gpus.read(), claims.gpus.value);
  put(true, (out.stated ? 1 : 0) + (out.unreadable ? 2 : 0));
  return key;
}

}  // namespace

CacheKey plan_key(const Followed& followed, std::int64_t extra) {
  CacheKey key{};
  std::size_t i = 0;
  const Plan& p = followed.plan;
  for (Axis axis : kAxes) key[i++] = degree(p, axis);
  key[i++] = p.zero;
  key[i++] = static_cast<int>(p.recompute);
  key[i++] = p.micro_batch;
  for (Axis axis : p.order) key[i++] = static_cast<int>(axis);
  key[i++] = followed.scenario.training.global_batch;
  key[i++] = followed.scenario.serving.batch;
  key[i++] = followed.scenario.serving.context;
  key[i++] = static_cast<std::int64_t>(
      followed.scenario.cluster.gpu.hbm_bandwidth.base());
  key[i++] = static_cast<int>(followed.algorithm);
  key[i++] = extra;
  key[i++] = followed.scenario.cluster.gpus;
  return key;
}

Followed follow(const Scenario& scenario, const Claims& claims,
                CacheEntries& cache, const Rubric& rubric) {
  Followed out;
  out.scenario = scenario;
  out.training = scenario.phase == Phase::kTraining;
  read_degrees(claims, out);
  const CacheKey key = stated_key(claims, out);
  const auto known = cache.followed.find(key);
  if (known != cache.followed.end()) return known->second;
  out.gpus = scenario.cluster.gpus;
  if (claims.gpus.read() && claims.gpus.value < out.gpus) {
    out.gpus = claims.gpus.value;
  }
  if (out.stated && out.product <= 1048576) {
    if (out.training) {
      out.sane = out.product <= scenario.cluster.gpus;
      follow_training(claims, cache, rubric, out);
    } else {
      follow_serving(claims, rubric, out);
      out.sane = out.sane && out.product <= scenario.cluster.gpus;
    }
  } else {
    out.sane = false;
  }
  if (cache.followed.size() < kMaxCacheEntries) {
    cache.followed.emplace(key, out);
  }
  return out;
}

}  // namespace meshwise
