#include <memory>

#include "commands.h"

namespace meshwise::cli {
namespace {

struct Row {
  const char* key;
  const char* label;
};
constexpr Row kParts[] = {
    {"weights_bytes", "weights"},
    {"gradients_bytes", "gradients"},
    {"optimizer_bytes", "optimizer"},
    {"gathered_bytes", "layers gathered (ZeRO 3)"},
    {"state_bytes", "state, together"},
    {"activations_bytes", "activations"},
    {"embedding_output_bytes", "embedding mask"},
    {"logits_bytes", "logits"},
    {"working_set_bytes", "recompute working set"},
    {"head_input_bytes", "head's inputs"},
    {"stand_ins_bytes", "gradient stand-ins"},
    {"backward_set_bytes", "backward working set"},
    {"total_bytes", "total"},
    {"capacity_bytes", "HBM"},
};

std::string plan_text(const Json& plan) {
  std::string out;
  for (const char* axis : {"dp", "tp", "pp", "cp", "ep"}) {
    out += std::string(axis) + "=" + fixed(number(plan, axis), 0) + " ";
  }
  return out + "ZeRO " + fixed(number(plan, "zero"), 0) + ", recompute " +
         text_of(plan, "recompute") + ", micro-batch " +
         fixed(number(plan, "micro_batch"), 0);
}

Table parts_table(const Json& reply) {
  Table table;
  table.title = "Memory of the fullest GPU";
  table.columns = {{"part", false}, {"GiB", true}};
  for (const Row& row : kParts) {
    const double bytes = number(reply["per_gpu"], row.key);
    const bool always = std::string(row.key) == "total_bytes" ||
                        std::string(row.key) == "capacity_bytes";
    if (bytes > 0.0 || always) table.rows.push_back({row.label, gib(bytes)});
  }
  return table;
}

Table layer_table(const Json& reply) {
  Table table;
  table.title = "One layer, one micro-batch";
  table.columns = {{"recompute", false},
                   {"kept (GiB)", true},
                   {"of it scores (GiB)", true},
                   {"working set (GiB)", true}};
  for (const Json& each : reply["layer"]) {
    table.rows.push_back({text_of(each, "recompute"),
                          gib(number(each, "activations_per_layer_bytes")),
                          gib(number(each, "scores_per_layer_bytes")),
                          gib(number(each, "working_set_bytes"))});
  }
  return table;
}

// The tensors that a layer saves, where activations are counted by them.
Table tensor_table(const Json& list, const std::string& kind) {
  Table table;
  table.title = "Tensors that a " + kind + " layer saves, one micro-batch";
  table.columns = {{"tensor", false},
                   {"rows", true},
                   {"columns", true},
                   {"bytes a value", true},
                   {"MiB", true}};
  for (const Json& each : list) {
    table.rows.push_back({text_of(each, "name"), grouped(number(each, "rows")),
                          grouped(number(each, "columns")),
                          fixed(number(each, "value_bytes"), 0),
                          fixed(number(each, "bytes") / (1 << 20), 2)});
  }
  return table;
}

std::string tensors_text(const Json& reply) {
  std::string out;
  if (!reply.contains("layer_tensors")) return out;
  const Json& kinds = reply["layer_tensors"];
  if (kinds.contains("dense")) {
    out += "\n" + tensor_table(kinds["dense"], "dense").text();
  }
  if (kinds.contains("moe")) {
    out += "\n" + tensor_table(kinds["moe"], "MoE").text();
  }
  return out;
}

Table stage_table(const Json& reply) {
  Table table;
  table.title = "By pipeline stage (GiB)";
  table.columns = {{"stage", true}, {"layers", true},      {"in flight", true},
                   {"state", true}, {"activations", true}, {"logits", true},
                   {"total", true}};
  for (const Json& each : reply["stages"]) {
    table.rows.push_back(
        {fixed(number(each, "stage"), 0), fixed(number(each, "layers"), 0),
         fixed(number(each, "in_flight"), 1), gib(number(each, "state_bytes")),
         gib(number(each, "activations_bytes")),
         gib(number(each, "logits_bytes")), gib(number(each, "total_bytes"))});
  }
  return table;
}

Table suggestion_table(const Json& reply, Format format) {
  Table table;
  table.title = "Plans that fit, best first (memory in GiB; = ties)";
  table.columns = {{"#", true, "rank"},
                   {"dp", true},
                   {"tp", true},
                   {"pp", true},
                   {"cp", true},
                   {"ep", true},
                   {"ZeRO", true},
                   {"recomp.", false, "recompute"},
                   {"mb", true, "micro-batch (sequences)"},
                   {"state", true, "state (GiB)"},
                   {"act.", true, "activations (GiB)"},
                   {"total", true, "total (GiB)"},
                   {"verdict", false}};
  for (const Json& each : reply["plans"]) {
    const Json& p = each["plan"];
    const bool tied = format == Format::kText && each.value("tied", false);
    table.rows.push_back({fixed(number(each, "rank"), 0) + (tied ? "=" : " "),
                          fixed(number(p, "dp"), 0), fixed(number(p, "tp"), 0),
                          fixed(number(p, "pp"), 0), fixed(number(p, "cp"), 0),
                          fixed(number(p, "ep"), 0),
                          fixed(number(p, "zero"), 0), text_of(p, "recompute"),
                          fixed(number(p, "micro_batch"), 0),
                          gib(number(each["per_gpu"], "state_bytes")),
                          gib(number(each["per_gpu"], "activations_bytes")),
                          gib(number(each["per_gpu"], "total_bytes")),
                          text_of(each, "verdict")});
  }
  return table;
}

std::string verdict_text(const Json& reply) {
  const std::string verdict = text_of(reply, "verdict");
  const std::string hbm =
      gib(number(reply["per_gpu"], "capacity_bytes")) + " GiB";
  if (verdict == "over") {
    return red("over by " + gib(number(reply, "over_bytes")) + " GiB") +
           " of the " + hbm + " a GPU has";
  }
  return green(verdict) + ": " + gib(number(reply, "free_bytes")) +
         " GiB free of the " + hbm + " a GPU has";
}

std::string room_text(const Json& reply) {
  const double b = number(reply, "largest_micro_batch");
  const double s = number(reply, "largest_seq_tokens");
  if (b == 0.0 && s == 0.0) {
    return "No micro-batch and no sequence of this plan fits.\n";
  }
  std::string out = "Largest that fits: ";
  out += b > 0.0 ? "micro-batch " + grouped(b) : "no micro-batch";
  out += s > 0.0 ? "; or a sequence of " + grouped(s) + " tokens.\n"
                 : "; no sequence.\n";
  return out;
}

std::string head_text(const Json& reply) {
  const Json& model = reply["scenario_summary"]["model"];
  const Json& training = reply["scenario_summary"]["training"];
  std::string name = text_of(model, "name");
  if (name.empty()) name = "Model";
  return bold(name) + ": " + grouped(number(reply, "parameters")) +
         " parameters, " + fixed(number(model, "layers"), 0) + " layers, " +
         "hidden " + fixed(number(model, "hidden"), 0) + ", " +
         fixed(number(model, "heads"), 0) + " heads\n" +
         "Training state, unsharded: " +
         gib(number(reply, "total_state_bytes")) + " GiB\n" +
         "Plan: " + plan_text(reply["plan"]) + "\n" +
         "Sequence: " + grouped(number(training, "seq_tokens")) + " tokens\n\n";
}

void print_text(const Json& reply) {
  std::string out = head_text(reply);
  out += parts_table(reply).text() + "\n";
  out += "Verdict: " + verdict_text(reply) + "\n";
  out += room_text(reply) + "\n";
  out += layer_table(reply).text() + tensors_text(reply);
  if (reply["stages"].size() > 1) out += "\n" + stage_table(reply).text();
  if (reply.contains("plans")) {
    out += "\n" + (reply["plans"].empty()
                       ? std::string("No plan of these GPUs fits.\n")
                       : suggestion_table(reply, Format::kText).text());
  }
  out += assumptions_text(reply) + explain_text(reply);
  print(out);
}

}  // namespace

Command add_memory(CLI::App& app) {
  auto options = std::make_shared<Options>();
  for (const Group group :
       {Group::kModel, Group::kCluster, Group::kTraining, Group::kPlan}) {
    options->add(app, group);
  }
  options->add(app, {"--suggest", "options", "suggest", Kind::kSwitch,
                     "list plans that fit, best first"});
  options->add(app, {"--top", "options", "top", Kind::kNumber,
                     "how many plans to list (4)"});
  options->add_scenario(app);
  options->add_format(app);
  return [=](Session& session) {
    const Json reply = session.ask(options->request("memory"), *options);
    const Format format = options->format();
    if (format == Format::kJson) return print_json(reply);
    if (format == Format::kText) return print_text(reply);
    const Table table = reply.contains("plans")
                            ? suggestion_table(reply, format)
                            : parts_table(reply);
    print(table.in(format));
  };
}

}  // namespace meshwise::cli
