#include <memory>

#include "commands.h"

namespace meshwise::cli {
namespace {

constexpr const char* kAxisNames[] = {"dp", "tp", "pp", "cp", "ep"};

// The parts of a step, in the order of its sum.
struct Part {
  const char* key;
  const char* brief;
  const char* full;
};
constexpr Part kParts[] = {
    {"compute_s", "compute", "compute"},
    {"tp_s", "tp", "tensor-parallel exchange"},
    {"cp_s", "cp", "context-parallel exchange"},
    {"ep_s", "ep", "expert-parallel exchange"},
    {"pp_bubble_s", "bubble", "pipeline bubble"},
    {"pp_transfer_s", "p2p", "pipeline transfers"},
    {"dp_s", "dp", "gradient exchange"},
    {"optimizer_s", "optim.", "optimizer"},
};

std::string order(const Json& plan) {
  std::string out;
  if (!plan.contains("order")) return out;
  for (const Json& axis : plan["order"]) {
    out += (out.empty() ? "" : " ") + axis.get<std::string>();
  }
  return out;
}

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

// A plan that cannot run has no rank.
std::string rank_text(const Json& plan) {
  const double rank = number(plan, "rank");
  if (rank == 0.0) return "- ";
  return fixed(rank, 0) + (plan.value("tied", false) ? "=" : " ");
}

Table ranking(const Json& reply) {
  Table table;
  table.title = (reply["plans"].size() > 1
                     ? std::string("Plans, best first (= ties within 1 %; ")
                     : std::string("The plan (")) +
                "m micro-batches of mb; x1 over one GPU)";
  table.columns = {{"#", true},       {"axes", false},    {"ZeRO", true},
                   {"rec.", false},   {"mb", true},       {"m", true},
                   {"step ms", true}, {"tokens/s", true}, {"x1", true},
                   {"rel.", true},    {"GiB", true}};
  for (const Json& p : reply["plans"]) {
    table.rows.push_back(
        {rank_text(p), axes(p), fixed(number(p, "zero"), 0), short_recompute(p),
         fixed(number(p, "micro_batch"), 0),
         fixed(number(p, "micro_batches"), 0),
         grouped(1e3 * number(p, "step_s")), grouped(number(p, "tokens_per_s")),
         fixed(number(p, "speedup"), 1), fixed(number(p, "relative"), 3),
         fixed(number(p["memory"], "total_bytes") / 1073741824.0, 1)});
  }
  return table;
}

// The same and the parts of the step, for a spreadsheet or a document.
Table whole(const Json& reply) {
  Table table;
  table.columns = {{"rank"},
                   {"dp"},
                   {"tp"},
                   {"pp"},
                   {"cp"},
                   {"ep"},
                   {"ZeRO"},
                   {"recompute", false},
                   {"micro-batch (sequences)"},
                   {"micro-batches"},
                   {"order", false},
                   {"verdict", false},
                   {"step (ms)"},
                   {"tokens/s"},
                   {"speed-up over one GPU"},
                   {"share of the best"},
                   {"memory (GiB)"}};
  for (const Part& part : kParts) {
    table.columns.push_back({std::string(part.full) + " (ms)"});
  }
  for (const Json& p : reply["plans"]) {
    std::vector<std::string> row;
    for (const char* key : {"rank", "dp", "tp", "pp", "cp", "ep", "zero"}) {
      row.push_back(fixed(number(p, key), 0));
    }
    row.insert(row.end(),
               {text_of(p, "recompute"), fixed(number(p, "micro_batch"), 0),
                fixed(number(p, "micro_batches"), 0), order(p),
                text_of(p, "verdict"), fixed(1e3 * number(p, "step_s"), 3),
                fixed(number(p, "tokens_per_s"), 1),
                fixed(number(p, "speedup"), 3), fixed(number(p, "relative"), 4),
                gib(number(p["memory"], "total_bytes"))});
    for (const Part& part : kParts) {
      row.push_back(fixed(1e3 * number(p["time"], part.key), 3));
    }
    table.rows.push_back(row);
  }
  return table;
}

Table parts(const Json& reply) {
  Table table;
  table.title = "Parts of the step (ms)";
  table.columns = {{"axes", false}};
  for (const Part& part : kParts) table.columns.push_back({part.brief});
  for (const Json& p : reply["plans"]) {
    const Json& t = p["time"];
    std::vector<std::string> row{axes(p)};
    for (const Part& part : kParts) {
      const double ms = 1e3 * number(t, part.key);
      row.push_back(ms >= 1000.0 ? grouped(ms) : fixed(ms, 1));
    }
    table.rows.push_back(row);
  }
  return table;
}

Table minima(const Json& plan) {
  Table table;
  table.title =
      "Least bandwidth of each axis of the first plan (moved in GB, rest in "
      "GB/s)";
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
    out += "\n";
  }
  return out;
}

void print_text(const Json& reply) {
  const bool many = number(reply, "searched") > 1.0;
  std::string out =
      "Binding constraint: " + bold(text_of(reply, "binding_constraint")) +
      "\n" +
      (many ? grouped(number(reply, "searched")) + " plans tried, " +
                  grouped(number(reply, "feasible")) + " can run; "
            : std::string()) +
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
  for (const Group group :
       {Group::kModel, Group::kCluster, Group::kTraining, Group::kPlan}) {
    options->add(app, group);
  }
  options->add(app, {"--top", "options", "top", Kind::kNumber,
                     "how many plans to list (10)"});
  options->add(app, {"--all-options", "options", "all_options", Kind::kSwitch,
                     "a row for every choice of ZeRO, recompute and\n"
                     "micro-batch, not one a decomposition"});
  options->add_scenario(app);
  options->add_format(app);
  app.footer("With any of --dp to --sequence-parallel: that one plan.");
  return [=](Session& session) {
    Json request = options->request("plan");
    if (request.contains("plan")) request["options"]["one"] = true;
    const Json reply = session.ask(request, *options);
    const Format format = options->format();
    if (format == Format::kJson) return print_json(reply);
    if (format == Format::kText) return print_text(reply);
    print(whole(reply).in(format));
  };
}

}  // namespace meshwise::cli
