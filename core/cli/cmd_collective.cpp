#include <algorithm>
#include <memory>

#include "commands.h"

namespace meshwise::cli {
namespace {

// A unit that suits the whole table: microseconds where all is small.
struct TimeUnit {
  const char* name;
  double scale;
};

TimeUnit unit_for(const Json& reply) {
  double most = 0.0;
  for (const Json& row : reply["rows"]) {
    most = std::max(most, number(row, "time_s"));
  }
  return most < 1e-3 ? TimeUnit{"us", 1e6} : TimeUnit{"ms", 1e3};
}

// Short enough that all columns fit a terminal: "553.14", "17,640".
std::string amount(double value) {
  return value >= 1000.0 ? grouped(value) : fixed(value, 2);
}

std::vector<std::string> cells_of(const Json& row, const TimeUnit& unit) {
  return {amount(number(row, "time_s") * unit.scale),
          amount(number(row, "alpha_s") * unit.scale),
          amount(number(row, "beta_s") * unit.scale),
          amount(number(row, "algbw_gbps")),
          amount(number(row, "busbw_gbps")),
          text_of(row, "regime")};
}

Table rows_table(const Json& reply, Format format) {
  const TimeUnit unit = unit_for(reply);
  const std::string name = " (" + std::string(unit.name) + ")";
  const bool step = reply.contains("step_s");
  const bool eye = format == Format::kText;
  Table table;
  table.title =
      std::string("Time, its latency part and its bandwidth part in ") +
      unit.name + ";\nalgbw and busbw in GB/s" +
      (step ? ", share of the step in %" : "") + "; * the default";
  table.columns = {{"algorithm", false},
                   {"time", true, "time" + name},
                   {"latency", true, "latency part" + name},
                   {"bandw.", true, "bandwidth part" + name},
                   {"algbw", true, "algbw (GB/s)"},
                   {"busbw", true, "busbw (GB/s)"},
                   {"regime", false}};
  if (step) table.columns.push_back({"share", true, "share of the step (%)"});
  if (!eye) table.columns.push_back({"default", false});
  for (const Json& row : reply["rows"]) {
    const std::string algorithm = text_of(row, "algorithm");
    const bool standard = algorithm == text_of(reply, "default");
    const char* mark = !eye ? "" : standard ? "* " : "  ";
    std::vector<std::string> cells = cells_of(row, unit);
    cells.insert(cells.begin(), mark + algorithm);
    if (step) cells.push_back(fixed(100.0 * number(row, "step_fraction"), 1));
    if (!eye) cells.push_back(standard ? "yes" : "no");
    table.rows.push_back(cells);
  }
  if (!eye) table.title.clear();
  return table;
}

const Json* default_row(const Json& reply) {
  for (const Json& row : reply["rows"]) {
    if (text_of(row, "algorithm") == text_of(reply, "default")) return &row;
  }
  return nullptr;
}

void print_text(const Json& reply) {
  const double bytes = number(reply, "bytes");
  std::string out =
      bold(text_of(reply, "op")) + " of " + grouped(bytes) + " bytes" +
      (bytes >= 1e7 ? " (" + fixed(bytes / 1e9, 2) + " GB)" : "") + " over " +
      fixed(number(reply, "gpus"), 0) + " GPUs,\n" +
      fixed(number(reply["link"], "bandwidth_gbps"), 1) + " GB/s and " +
      fixed(number(reply["link"], "latency_us"), 1) + " us a hop\n\n";
  if (const Json* row = default_row(reply)) {
    out += text_of(*row, "algorithm") + ": " +
           bold(duration(number(*row, "time_s"))) + ", of which " +
           duration(number(*row, "alpha_s")) + " latency and " +
           duration(number(*row, "beta_s")) + " bandwidth\n";
    if (reply.contains("step_fraction")) {
      out += "That is " + bold(percent(number(reply, "step_fraction"))) +
             " of the step of " + duration(number(reply, "step_s")) +
             ", if nothing hides it\n";
    }
    out += "\n";
  }
  out += rows_table(reply, Format::kText).text();
  out +=
      "\n" +
      wrap("Best here: " + text_of(reply, "best") + ". The default's latency " +
               "and bandwidth parts are equal at " +
               grouped(number(reply, "crossover_bytes")) + " bytes.",
           79, "") +
      "\n";
  out += explain_text(reply);
  print(out);
}

}  // namespace

Command add_collective(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->add(app, Group::kCollective);
  options->add(app, Group::kCluster);
  options->add_format(app);
  return [=](Session& session) {
    const Json reply = session.ask(options->request("collective"), *options);
    if (options->format() == Format::kJson) return print_json(reply);
    if (options->format() == Format::kText) return print_text(reply);
    print(rows_table(reply, options->format()).in(options->format()));
  };
}

}  // namespace meshwise::cli
