#include <memory>

#include "commands.h"

namespace meshwise::cli {
namespace {

constexpr const char* kAxisNames[] = {"dp", "tp", "pp", "cp", "ep"};

std::string axes(const Json& plan) {
  std::string out;
  for (const char* axis : kAxisNames) {
    const double degree = number(plan, axis);
    if (degree > 1.0) {
      out +=
          (out.empty() ? "" : " ") + std::string(axis) + "=" + fixed(degree, 0);
    }
  }
  return out.empty() ? "one GPU" : out;
}

std::string short_recompute(const Json& plan) {
  const std::string name = text_of(plan, "recompute");
  return name == "selective" ? "sel." : name;
}

Table ranking(const Json& reply) {
  Table table;
  table.title =
      "Plans, best first (= ties within 1 %; m micro-batches of mb; x1 over "
      "one GPU)";
  table.columns = {{"#", true},       {"axes", false},    {"ZeRO", true},
                   {"rec.", false},   {"mb", true},       {"m", true},
                   {"step ms", true}, {"tokens/s", true}, {"x1", true},
                   {"rel.", true},    {"GiB", true}};
  for (const Json& p : reply["plans"]) {
    table.rows.push_back(
        {fixed(number(p, "rank"), 0) + (p.value("tied", false) ? "=" : " "),
         axes(p), fixed(number(p, "zero"), 0), short_recompute(p),
         fixed(number(p, "micro_batch"), 0),
         fixed(number(p, "micro_batches"), 0),
         grouped(1e3 * number(p, "step_s")), grouped(number(p, "tokens_per_s")),
         fixed(number(p, "speedup"), 1), fixed(number(p, "relative"), 3),
         fixed(number(p["memory"], "total_bytes") / 1073741824.0, 1)});
  }
  return table;
}

Table parts(const Json& reply) {
  Table table;
  table.title = "Parts of the step (ms)";
  table.columns = {{"axes", false}, {"compute", true}, {"tp", true},
                   {"cp", true},    {"ep", true},      {"bubble", true},
                   {"p2p", true},   {"dp", true},      {"optim.", true}};
  for (const Json& p : reply["plans"]) {
    const Json& t = p["time"];
    std::vector<std::string> row{axes(p)};
    for (const char* key : {"compute_s", "tp_s", "cp_s", "ep_s", "pp_bubble_s",
                            "pp_transfer_s", "dp_s", "optimizer_s"}) {
      const double ms = 1e3 * number(t, key);
      row.push_back(ms >= 1000.0 ? grouped(ms) : fixed(ms, 1));
    }
    table.rows.push_back(row);
  }
  return table;
}

Table minima(const Json& plan) {
  Table table;
  table.title = "Least bandwidth of each axis (GB, GB/s)";
  table.columns = {{"axis", false},  {"tier", false}, {"moved", true},
                   {"least", true},  {"most", true},  {"there is", true},
                   {"viable", false}};
  for (const auto& [axis, m] : plan["minimum"].items()) {
    table.rows.push_back(
        {axis, text_of(m, "tier"), fixed(number(m, "volume_bytes") / 1e9, 2),
         fixed(number(m, "least_gbps"), 2), fixed(number(m, "most_gbps"), 2),
         fixed(number(m, "available_gbps"), 1),
         m.value("viable", false) ? "yes" : "no"});
  }
  return table;
}

std::string rejected_text(const Json& reply) {
  if (!reply.contains("rejected") || reply["rejected"].empty()) return "";
  std::string out = "\nRejected by reason:";
  for (const auto& [reason, count] : reply["rejected"].items()) {
    out += " " + reason + " " + grouped(count.get<double>());
  }
  out += "\n";
  if (!reply.contains("rejected_plans")) return out;
  for (const Json& p : reply["rejected_plans"]) {
    std::string line = axes(p) + ": ";
    for (const Json& reason : p["reasons"]) {
      line += (line.back() == ' ' ? "" : "; ") + text_of(reason, "says");
    }
    std::string lines = wrap(line, 79, "    ");
    lines[2] = '-';
    out += lines + "\n";
  }
  return out;
}

std::string infeasible_text(const Json& reply) {
  std::string out;
  for (const Json& p : reply["plans"]) {
    if (!p.contains("infeasible")) continue;
    out += red("This plan cannot run:") + "\n";
    for (const Json& reason : p["infeasible"]) {
      out += wrap(text_of(reason, "says"), 79, "    ") + "\n";
    }
  }
  return out;
}

void print_text(const Json& reply) {
  std::string out =
      "Binding constraint: " + bold(text_of(reply, "binding_constraint")) +
      "\n" + grouped(number(reply, "searched")) + " plans tried, " +
      grouped(number(reply, "feasible")) + " can run; " +
      fixed(number(reply, "achieved_tflops"), 1) +
      " TFLOP/s achieved a GPU\n\n";
  out += infeasible_text(reply);
  if (reply["plans"].empty()) {
    out += "No plan of these GPUs can run.\n";
  } else {
    out += ranking(reply).text() + "\n" + parts(reply).text() + "\n" +
           minima(reply["plans"][0]).text();
  }
  out += rejected_text(reply) + assumptions_text(reply) + explain_text(reply);
  print(out);
}

}  // namespace

Command add_plan(CLI::App& app) {
  auto options = std::make_shared<Options>();
  auto top = std::make_shared<std::string>();
  auto all = std::make_shared<bool>(false);
  for (const Group group :
       {Group::kModel, Group::kCluster, Group::kTraining, Group::kPlan}) {
    options->add(app, group);
  }
  options->add_scenario(app);
  options->add_format(app);
  app.add_option("--top", *top, "how many plans to list (10)");
  app.add_flag("--all-options", *all,
               "a row for every choice of options, not one a decomposition");
  app.footer("With --dp, --tp, --pp, --cp or --ep: that one plan.");
  return [=](Session& session) {
    Json request = options->request("plan");
    if (request.contains("plan")) request["options"]["one"] = true;
    if (*all) request["options"]["all_options"] = true;
    if (!top->empty()) {
      request["options"]["top"] = number_of("--top", *top);
    }
    const Json reply = session.ask(request, *options);
    if (options->format() == Format::kJson) return print_json(reply);
    if (options->format() == Format::kText) return print_text(reply);
    print(ranking(reply).in(options->format()));
  };
}

}  // namespace meshwise::cli
