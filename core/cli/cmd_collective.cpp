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

// A terminal is 80 columns wide: with the share of a step, algbw stays away.
Table rows_table(const Json& reply, bool terminal) {
  const TimeUnit unit = unit_for(reply);
  const std::string name = unit.name;
  const bool step = reply.contains("step_s");
  const bool algbw = !(terminal && step);
  Table table;
  table.columns = {{"algorithm", false},
                   {"time (" + name + ")", true},
                   {"latency", true},
                   {"bandw.", true}};
  if (algbw) table.columns.push_back({"algbw", true});
  table.columns.push_back({"busbw", true});
  table.columns.push_back({"regime", false});
  if (step) table.columns.push_back({"share", true});
  for (const Json& row : reply["rows"]) {
    const std::string algorithm = text_of(row, "algorithm");
    const bool standard = algorithm == text_of(reply, "default");
    std::vector<std::string> cells{
        (standard ? "* " : "  ") + algorithm,
        fixed(number(row, "time_s") * unit.scale, 2),
        fixed(number(row, "alpha_s") * unit.scale, 2),
        fixed(number(row, "beta_s") * unit.scale, 2)};
    if (algbw) cells.push_back(fixed(number(row, "algbw_gbps"), 2));
    cells.push_back(fixed(number(row, "busbw_gbps"), 2));
    cells.push_back(text_of(row, "regime"));
    if (step) cells.push_back(percent(number(row, "step_fraction")));
    table.rows.push_back(cells);
  }
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
      bold(text_of(reply, "op")) + " of " + grouped(bytes) + " bytes (" +
      fixed(bytes / 1e9, bytes >= 1e8 ? 2 : 6) + " GB) over " +
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
  out += rows_table(reply, true).text();
  out += "\n" +
         wrap("algbw and busbw in GB/s; * the default. Best here: " +
                  text_of(reply, "best") +
                  ". Latency and bandwidth are equal at " +
                  grouped(number(reply, "crossover_bytes")) + " bytes.",
              79, "  ") +
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
    print(rows_table(reply, false).in(options->format()));
  };
}

}  // namespace meshwise::cli
