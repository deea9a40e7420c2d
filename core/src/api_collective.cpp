#include "api_parts.h"
#include "fields.h"
#include "meshwise/collectives.h"

namespace meshwise::api {
namespace {

struct Asked {
  Operation op = Operation::kAllReduce;
  Bytes size;
  Group group;
  Algorithm standard = Algorithm::kRing;
  Seconds step;
};

std::vector<std::string> operation_names() {
  std::vector<std::string> out;
  for (int i = 0; i < kOperationCount; ++i) {
    out.emplace_back(operation_name(static_cast<Operation>(i)));
  }
  return out;
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> out;
  for (int i = 0; i < kAlgorithmCount; ++i) {
    out.emplace_back(algorithm_name(static_cast<Algorithm>(i)));
  }
  return out;
}

// Ranks of a group of `gpus` on the cluster's tiers, filled from the inside.
Span span_of(int gpus, const Cluster& cluster) {
  Plan plan;
  plan.tp = gpus;
  return place(plan, cluster).of(Axis::kTp);
}

// The stated link is the outermost tier that the group reaches; without one
// the cluster's own links stand.
Group group_from(int gpus, Cluster cluster, bool states_link,
                 const Link& link) {
  set_gpus(cluster, gpus);
  const Span span = span_of(gpus, cluster);
  if (states_link) {
    cluster.tiers[static_cast<std::size_t>(span.slowest())].link = link;
  }
  return group_of(span, cluster);
}

void read_message(Reader& reader, Asked& asked) {
  double value = 0.0;
  const bool bytes_given = reader.has("bytes");
  const bool parameters_given = reader.has("parameters");
  if (bytes_given == parameters_given) {
    reader.fail(bytes_given ? "parameters" : "bytes",
                bytes_given ? Code::kInconsistent : Code::kMissing,
                bytes_given ? "both bytes and parameters are stated"
                            : "the message has no size",
                "bytes, or parameters (bf16 gradients, 2 bytes each)");
  }
  if (read_field(reader, "collective", "bytes", value)) {
    asked.size = bytes(value);
  }
  if (read_field(reader, "collective", "parameters", value)) {
    asked.size = bytes(2.0 * value);
  }
}

void read_algorithm(Reader& reader, Asked& asked) {
  asked.standard = default_algorithm(asked.op, Group{});
  std::size_t index = 0;
  if (!reader.choice("algorithm", index, algorithm_names())) return;
  const auto chosen = static_cast<Algorithm>(index);
  if (!applies(asked.op, chosen, asked.group)) {
    reader.fail("algorithm", Code::kInconsistent,
                std::string(algorithm_name(chosen)) + " is no algorithm of " +
                    std::string(operation_name(asked.op)) + " for this group",
                "hierarchical and multi-rail need a group that spans tiers");
    return;
  }
  asked.standard = chosen;
}

Asked read_collective(Call& call, const Cluster& cluster) {
  Asked out;
  static const Json kNothing = Json::object();
  std::optional<Reader> part = call.reader.object("collective");
  Reader reader =
      part ? *part : Reader(kNothing, "/collective", call.reader.problems());
  std::size_t index = 0;
  if (reader.choice("op", index, operation_names())) {
    out.op = static_cast<Operation>(index);
  }
  read_message(reader, out);
  int gpus = cluster.gpus;
  read_field(reader, "collective", "gpus", gpus);
  Link link =
      cluster.tiers[static_cast<std::size_t>(span_of(gpus, cluster).slowest())]
          .link;
  double value = 0.0;
  bool states_link = false;
  if (read_field(reader, "collective", "bandwidth_gbps", value)) {
    link.bandwidth = gigabytes_per_second(value);
    states_link = true;
  }
  if (read_field(reader, "collective", "latency_us", value)) {
    link.latency = microseconds(value);
    states_link = true;
  }
  out.group = group_from(gpus, cluster, states_link, link);
  read_algorithm(reader, out);
  if (read_field(reader, "collective", "step_ms", value)) {
    out.step = milliseconds(value);
  }
  reader.finish();
  return out;
}

Json row_json(const Asked& asked, Algorithm algorithm) {
  const CollectiveTime time =
      collective_time(asked.op, algorithm, asked.size, asked.group);
  const double seconds_taken = time.total().base();
  const double algbw = to_gb(asked.size) / seconds_taken;
  Json out = Json::object();
  set(out, "algorithm", algorithm_name(algorithm));
  put(out, "time_s", seconds_taken);
  put(out, "alpha_s", time.alpha.base());
  put(out, "beta_s", time.beta.base());
  if (seconds_taken > 0.0) {
    put(out, "algbw_gbps", algbw);
    put(out, "busbw_gbps", algbw * bus_factor(asked.op, asked.group.ranks()));
  }
  set(out, "regime", time.alpha > time.beta ? "latency" : "bandwidth");
  if (asked.step > seconds(0.0)) {
    put(out, "step_fraction", time.total() / asked.step);
  }
  return out;
}

}  // namespace

Reply collective(Call& call) {
  RequestScenario scenario =
      read_request_scenario(call.reader, call.catalog, call.shelf);
  const Asked asked = read_collective(call, scenario.scenario.cluster);
  if (auto problem = finish(call)) return *problem;

  Json out = reply_of("collective");
  set(out, "op", operation_name(asked.op));
  put(out, "bytes", asked.size.base());
  set(out, "gpus", asked.group.ranks());
  Json link = Json::object();
  put_rounded(link, "bandwidth_gbps", to_gbps(asked.group.slowest().bandwidth));
  put_rounded(link, "latency_us", to_us(asked.group.slowest().latency));
  set(out, "link", std::move(link));
  Json rows = Json::array();
  for (int i = 0; i < kAlgorithmCount; ++i) {
    const auto algorithm = static_cast<Algorithm>(i);
    if (applies(asked.op, algorithm, asked.group)) {
      rows.push_back(row_json(asked, algorithm));
    }
  }
  set(out, "rows", std::move(rows));
  set(out, "default", algorithm_name(asked.standard));
  set(out, "best",
      algorithm_name(best_algorithm(asked.op, asked.size, asked.group)));
  if (asked.step > seconds(0.0)) {
    put(out, "step_s", asked.step.base());
    put(out, "step_fraction",
        collective_time(asked.op, asked.standard, asked.size, asked.group)
                .total() /
            asked.step);
  }
  put(out, "crossover_bytes",
      crossover(asked.op, asked.standard, asked.group).base());
  set(out, "explain",
      explain_json(explain_collective(asked.op, asked.standard, asked.size,
                                      asked.group)));
  return out;
}

}  // namespace meshwise::api
