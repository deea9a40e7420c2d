#include <algorithm>
#include <cmath>
#include <memory>

#include "commands.h"

namespace meshwise::cli {
namespace {

std::string value_text(double value) {
  if (value == std::floor(value) || value >= 100000.0) return grouped(value);
  return fixed(value, value < 10.0 ? 3 : 1);
}

Table thresholds(const Json& reply) {
  Table table;
  table.columns = {{"parameter", false}, {"unit", false}, {"now"},
                   {"direction", false}, {"changes at"},  {"what", false},
                   {"from", false},      {"to", false}};
  for (const Json& each : reply["thresholds"]) {
    table.rows.push_back(
        {text_of(each, "parameter"), text_of(each, "unit"),
         value_text(number(each, "current")), text_of(each, "direction"),
         value_text(number(each, "value")), text_of(each, "changes"),
         text_of(each, "before"), text_of(each, "after")});
  }
  return table;
}

const char* change_text(const std::string& change) {
  if (change == "constraint") return "binding constraint";
  if (change == "best_axes") return "best plan";
  return "the given plan";
}

// The changes at one value of a parameter, in one line.
struct Crossing {
  std::string at;
  std::string says;
};

std::vector<Crossing> crossings_of(const Json& reply, const std::string& id) {
  std::vector<Crossing> out;
  for (const Json& each : reply["thresholds"]) {
    if (text_of(each, "parameter") != id) continue;
    const std::string at = (text_of(each, "direction") == "up" ? "> " : "< ") +
                           value_text(number(each, "value"));
    const std::string says =
        std::string(change_text(text_of(each, "changes"))) + ": " +
        text_of(each, "before") + " -> " + text_of(each, "after");
    if (!out.empty() && out.back().at == at) {
      // A plan that stops running has lost its standing too.
      const bool again = text_of(each, "changes") == "standing" &&
                         text_of(each, "after") == "cannot run";
      if (!again) out.back().says += "; " + says;
    } else {
      out.push_back({at, says});
    }
  }
  return out;
}

std::string changes_text(const Json& reply) {
  std::string out;
  for (const Json& parameter : reply["parameters"]) {
    const std::string id = text_of(parameter, "id");
    const std::vector<Crossing> crossings = crossings_of(reply, id);
    if (crossings.empty()) continue;
    out += bold(id) + ", now " + value_text(number(parameter, "current")) +
           " " + text_of(parameter, "unit") + "\n";
    for (const Crossing& each : crossings) {
      std::string lines = wrap(each.says, 79, std::string(20, ' '));
      const std::string at = "  " + each.at;
      lines.replace(0, std::min<std::size_t>(at.size(), 19), at.substr(0, 19));
      out += lines + "\n";
    }
  }
  return out;
}

void print_text(const Json& reply) {
  const Json& now = reply["outcome"];
  std::string out =
      "Binding constraint: " + bold(text_of(now, "binding_constraint"));
  if (now.contains("best")) out += "; best plan: " + text_of(now, "best");
  out += "\n";
  if (now.contains("feasible")) {
    out += now.value("feasible", false)
               ? "The given plan has " + fixed(number(now, "relative"), 3) +
                     " of the best plan's throughput\n"
               : red("The given plan cannot run") + "\n";
  }
  out += "\n" + (reply["thresholds"].empty()
                     ? std::string("Nothing changes in the range looked at.\n")
                     : changes_text(reply));
  print(out + assumptions_text(reply));
}

}  // namespace

Command add_threshold(CLI::App& app) {
  auto options = std::make_shared<Options>();
  for (const Group group : {Group::kModel, Group::kCluster, Group::kTraining,
                            Group::kServing, Group::kPlan}) {
    options->add(app, group);
  }
  options->add(app, {"--parameter", "options", "parameters", Kind::kList,
                     "a parameter to vary, by id, e.g. seq; may be\n"
                     "given again (default: all)"});
  options->add_scenario(app);
  options->add_format(app);
  app.footer(
      "With any of --dp to --sequence-parallel: what would change that plan's\n"
      "standing too.");
  return [=](Session& session) {
    const Json reply = session.ask(options->request("threshold"), *options);
    if (options->format() == Format::kJson) return print_json(reply);
    if (options->format() == Format::kText) return print_text(reply);
    print(thresholds(reply).in(options->format()));
  };
}

}  // namespace meshwise::cli
