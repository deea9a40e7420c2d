#include <memory>

#include "commands.h"

namespace meshwise::cli {
namespace {

std::string plan_text(const Json& plan) {
  return "tp=" + fixed(number(plan, "tp"), 0) +
         " pp=" + fixed(number(plan, "pp"), 0) + ", " +
         fixed(number(plan, "dp"), 0) + " replicas";
}

std::string meets(const Json& each) {
  return each.value("slo_met", false) ? "yes" : "no";
}

// The table without its last column, whether a target is met, where there is
// no target.
Table targeted(Table table, const Json& reply) {
  if (reply.contains("slo_s")) return table;
  table.columns.pop_back();
  for (auto& row : table.rows) row.pop_back();
  return table;
}

const char* bound_text(const std::string& bound) {
  if (bound == "weights") return "the weights' reading";
  if (bound == "kv") return "the KV cache's reading";
  return bound == "compute" ? "compute" : "the all-reduces";
}

Table ranking(const Json& reply) {
  Table table;
  table.title = "Replicas, best token time first (ms)";
  table.columns = {{"tp"},
                   {"pp"},
                   {"replicas"},
                   {"TPOT", true, "TPOT (ms)"},
                   {"weights", true, "weights (ms)"},
                   {"KV", true, "KV (ms)"},
                   {"all-red.", true, "all-reduces (ms)"},
                   {"hops", true, "hops (ms)"},
                   {"KV tokens", true, "KV capacity (tokens)"},
                   {"meets", false, "meets the target"}};
  for (const Json& each : reply["plans"]) {
    const Json& p = each["plan"];
    table.rows.push_back({fixed(number(p, "tp"), 0), fixed(number(p, "pp"), 0),
                          fixed(number(p, "dp"), 0),
                          fixed(1e3 * number(each, "tpot_s"), 2),
                          fixed(1e3 * number(each, "weights_s"), 2),
                          fixed(1e3 * number(each, "kv_s"), 2),
                          fixed(1e3 * number(each, "collective_s"), 2),
                          fixed(1e3 * number(each, "hops_s"), 2),
                          grouped(number(each, "max_tokens")), meets(each)});
  }
  return targeted(table, reply);
}

Table algorithms(const Json& reply) {
  Table table;
  table.title = "The same replica under each all-reduce";
  table.columns = {{"algorithm", false},
                   {"one all-reduce (us)", true},
                   {"TPOT (ms)", true},
                   {"meets", false}};
  for (const Json& each : reply["algorithms"]) {
    table.rows.push_back({text_of(each, "algorithm"),
                          fixed(1e6 * number(each, "one_all_reduce_s"), 2),
                          fixed(1e3 * number(each, "tpot_s"), 2), meets(each)});
  }
  return targeted(table, reply);
}

Table sweep(const Json& reply) {
  Table table;
  table.title = "TPOT by batch and context";
  table.columns = {{"batch", true},
                   {"context (tokens)", true},
                   {"TPOT (ms)", true},
                   {"meets", false}};
  for (const Json& each : reply["sweep"]) {
    table.rows.push_back({fixed(number(each, "batch"), 0),
                          grouped(number(each, "context_tokens")),
                          fixed(1e3 * number(each, "tpot_s"), 2), meets(each)});
  }
  return targeted(table, reply);
}

std::string head_text(const Json& reply) {
  std::string out =
      "Binding constraint: " + bold(text_of(reply, "binding_constraint")) +
      "\n" + plan_text(reply["plan"]) + ", batch " +
      fixed(number(reply, "batch"), 0) + ", context " +
      grouped(number(reply, "context_tokens")) + ", " +
      text_of(reply, "algorithm") + " all-reduce\n\n";
  out += "TPOT " + bold(fixed(1e3 * number(reply, "tpot_s"), 2) + " ms") +
         " = " + fixed(1e3 * number(reply, "weights_s"), 2) + " weights + " +
         fixed(1e3 * number(reply, "kv_s"), 2) + " KV + " +
         fixed(1e3 * number(reply, "collective_s"), 2) + " all-reduces + " +
         fixed(1e3 * number(reply, "hops_s"), 2) + " hops;\n  bound by " +
         bound_text(text_of(reply, "bound")) + "\n";
  if (reply.contains("slo_s")) {
    const bool met = reply.value("slo_met", false);
    out += (met ? green("meets") : red("misses")) + " the target of " +
           fixed(1e3 * number(reply, "slo_s"), 2) + " ms";
    if (met) {
      out += "; up to batch " + grouped(number(reply, "largest_batch")) +
             " at this context,\n  or " +
             grouped(number(reply, "largest_context_tokens")) +
             " tokens at this batch";
    }
    out += "\n";
  }
  if (reply.contains("latency_limit_us")) {
    out += "The target holds up to " +
           fixed(number(reply, "latency_limit_us"), 2) + " us a hop\n";
  }
  out += "TTFT " + duration(number(reply, "ttft_s")) + " (compute " +
         duration(number(reply["ttft"], "compute_s")) + ", all-reduces " +
         duration(number(reply["ttft"], "collective_s")) + ")\n";
  out += "KV cache: " + fixed(number(reply, "kv_bytes_per_token") / 1e6, 3) +
         " MB a token, " + grouped(number(reply, "max_tokens")) +
         " tokens a replica\n";
  for (const Json& reason : reply["reasons"]) {
    if (text_of(reason, "id") == "slo") continue;  // said above
    out += red("cannot serve: ") + text_of(reason, "says") + "\n";
  }
  return out + "\n";
}

void print_text(const Json& reply) {
  print(head_text(reply) + algorithms(reply).text() + "\n" +
        sweep(reply).text() + "\n" + ranking(reply).text() +
        assumptions_text(reply) + explain_text(reply));
}

}  // namespace

Command add_decode(CLI::App& app) {
  auto options = std::make_shared<Options>();
  for (const Group group :
       {Group::kModel, Group::kCluster, Group::kServing, Group::kPlan}) {
    options->add(app, group);
  }
  options->add(app, {"--algorithm", "options", "algorithm", Kind::kText,
                     "decode's all-reduce: ring, tree, one-shot,\n"
                     "two-shot, halving-doubling, hierarchical or\n"
                     "multi-rail"});
  options->add(app, {"--top", "options", "top", Kind::kNumber,
                     "how many replicas to list (8)"});
  options->add_scenario(app);
  options->add_format(app);
  return [=](Session& session) {
    const Json reply = session.ask(options->request("decode"), *options);
    const Format format = options->format();
    if (format == Format::kJson) return print_json(reply);
    if (format == Format::kText) return print_text(reply);
    print(ranking(reply).in(format));
  };
}

}  // namespace meshwise::cli
