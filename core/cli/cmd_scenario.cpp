#include <cstdio>
#include <memory>

#include "commands.h"
#include "escape.h"
#include "files.h"

namespace meshwise::cli {
namespace {

// A value as people write it: no more digits than it takes.
std::string short_number(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.12g", value);
  return buffer;
}

Table list_table(const Json& reply) {
  Table table;
  table.columns = {{"id", false},
                   {"title", false},
                   {"phase", false},
                   {"binding constraint", false}};
  for (const Json& each : reply["scenarios"]) {
    table.rows.push_back({text_of(each, "id"), text_of(each, "title"),
                          text_of(each, "phase"), text_of(each, "binding")});
  }
  return table;
}

void add_list(CLI::App& app, const std::shared_ptr<Command>& chosen) {
  CLI::App* sub = app.add_subcommand("list", "the scenarios there are");
  auto options = std::make_shared<Options>();
  options->add_format(*sub);
  sub->callback([=] {
    *chosen = [=](Session& session) {
      Json request = options->request("scenario");
      request["options"]["list"] = true;
      const Json reply = session.ask(request, *options);
      if (options->format() == Format::kJson) return print_json(reply);
      print(list_table(reply).in(options->format()));
    };
  });
}

std::string show_text(const Json& reply) {
  const Json& summary = reply["scenario_summary"];
  std::string out = bold("Scenario " + text_of(summary, "id") + ": " +
                         text_of(summary, "title")) +
                    "\n\n" + wrap(text_of(reply, "prompt"), 79, "") + "\n\n";
  for (const Json& fact : reply["facts"]) {
    std::string lines =
        wrap(terminal_text(fact.get<std::string>()), 79, "    ");
    lines[2] = '-';
    out += lines + "\n";
  }
  out += assumptions_text(reply) + "\n";
  Table table;
  table.columns = {{"parameter", false}, {"value", true}, {"unit", false}};
  for (const Json& each : reply["parameters"]) {
    table.rows.push_back({text_of(each, "id"),
                          short_number(number(each, "current")),
                          text_of(each, "unit")});
  }
  return out + table.text();
}

void add_show(CLI::App& app, const std::shared_ptr<Command>& chosen) {
  CLI::App* sub = app.add_subcommand("show", "one scenario, whole");
  auto options = std::make_shared<Options>();
  options
      ->add(*sub,
            {"ID", "options", "id", Kind::kText, "the scenario's id, e.g. A"})
      ->required();
  options->add_format(*sub, {"text", "json"});
  sub->callback([=] {
    *chosen = [=](Session& session) {
      const Json reply = session.ask(options->request("scenario"), *options);
      if (options->format() == Format::kJson) return print_json(reply);
      print(show_text(reply));
    };
  });
}

// Each problem on its own line: FILE:LINE:COLUMN: what is wrong.
void complain_all(const std::string& file, const std::string& text,
                  const Json& reply) {
  const JsonText parsed = parse_text(text);
  for (const Json& problem : reply["problems"]) {
    const std::string at = text_of(problem, "at");
    const Place place =
        parsed.problem.empty() ? place_of(text, at) : parsed.place;
    complain(problem_text(
        place_text(file, place) + (at.empty() ? "" : ": " + at), problem));
  }
}

void add_check(CLI::App& app, const std::shared_ptr<Command>& chosen) {
  CLI::App* sub =
      app.add_subcommand("check", "is a scenario file right, and what binds");
  auto options = std::make_shared<Options>();
  auto file = std::make_shared<std::string>();
  options->add_format(*sub, {"text", "json"});
  sub->add_option("FILE", *file, "a scenario as JSON, or - for standard input")
      ->required();
  sub->callback([=] {
    *chosen = [=](Session& session) {
      const FileText text = *file == "-" ? read_stdin() : read_file(*file);
      if (!text.problem.empty()) {
        complain(*file + ": " + text.problem);
        session.exit_code = 1;
        return;
      }
      Json request = options->request("scenario");
      request["options"]["check"] = true;
      request["options"]["text"] = text.text;
      const Json reply = session.ask(request, *options);
      const bool ok = reply.value("ok", false);
      if (!ok) session.exit_code = 1;
      if (options->format() == Format::kJson) return print_json(reply);
      if (!ok) return complain_all(*file, text.text, reply);
      print(*file + ": scenario " + text_of(reply, "id") +
            " is right; its binding constraint is " +
            text_of(reply, "binding_constraint") + "\n");
    };
  });
}

}  // namespace

Command add_scenario(CLI::App& app) {
  auto chosen = std::make_shared<Command>();
  app.require_subcommand(1);
  add_list(app, chosen);
  add_show(app, chosen);
  add_check(app, chosen);
  return [=](Session& session) { (*chosen)(session); };
}

}  // namespace meshwise::cli
