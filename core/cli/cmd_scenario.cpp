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

// The scenario's values as flags place them in the request: by id, or the text
// of a file.
Json variant_request(const std::string& base, Options& options) {
  Json request = options.request("scenario");
  Json& asked = request["options"];
  asked["variant"] = true;
  if (!names_file(base)) {
    asked["id"] = base;
    return request;
  }
  const FileText file = read_file(base);
  if (!file.problem.empty()) {
    throw UsageError{base + ": " + file.problem +
                     "; accepted: a scenario's id such as A, or a file"};
  }
  asked["text"] = file.text;
  return request;
}

// An error of the base is told by its file's line, or by its id.
[[noreturn]] void complain_of_base(const std::string& base, const Json& request,
                                   const Json& error, const Options& options) {
  const std::string at = text_of(error, "at");
  const std::string text = raw_text_of(request["options"], "text");
  const std::string inside = "/options/text";
  std::string place = at == "/options/id" ? base : options.place(at);
  if (at.rfind(inside, 0) == 0) {
    const std::string inner = at.substr(inside.size());
    const JsonText parsed = parse_text(text);
    place = place_text(base, parsed.problem.empty() ? place_of(text, inner)
                                                    : parsed.place) +
            (inner.empty() ? "" : ": " + inner);
  }
  throw UsageError{problem_text(place, error)};
}

void add_variant(CLI::App& app, const std::shared_ptr<Command>& chosen) {
  CLI::App* sub = app.add_subcommand(
      "variant", "a scenario with other numbers, from a seed");
  auto options = std::make_shared<Options>();
  auto base = std::make_shared<std::string>();
  sub->add_option("ID", *base, "a scenario's id, e.g. A, or its file")
      ->required();
  options
      ->add(*sub, {"--seed", "options", "seed", Kind::kNumber,
                   "a whole number from 0 to 4294967295"})
      ->required();
  options->add_format(*sub, {"text", "json"});
  sub->callback([=] {
    *chosen = [=](Session& session) {
      const Json request = variant_request(*base, *options);
      const Json reply = session.ask_any(request);
      if (reply.contains("error")) {
        complain_of_base(*base, request, reply["error"], *options);
      }
      if (options->format() == Format::kText) return print(show_text(reply));
      // The document, so that it can be kept, changed and checked.
      print(reply["scenario"].dump(2, ' ', false,
                                   Json::error_handler_t::replace) +
            "\n");
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

std::string checked_text(const std::string& file, const Json& reply) {
  if (text_of(reply, "document") == "rubric") {
    const Json& marks = reply["marks"];
    return file + ": the rubric is right; a training scenario is worth " +
           short_number(number(marks, "training")) + ", a serving one " +
           short_number(number(marks, "serving")) + "\n";
  }
  return file + ": scenario " + text_of(reply, "id") +
         " is right; its binding constraint is " +
         text_of(reply, "binding_constraint") +
         (reply.value("variants", false) ? "; it has variants" : "") + "\n";
}

void add_check(CLI::App& app, const std::shared_ptr<Command>& chosen) {
  CLI::App* sub =
      app.add_subcommand("check", "is a scenario or a rubric file right");
  auto options = std::make_shared<Options>();
  auto file = std::make_shared<std::string>();
  options->add_format(*sub, {"text", "json"});
  sub->add_option("FILE", *file,
                  "a scenario or a rubric as JSON, or - for\nstandard input")
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
      print(checked_text(*file, reply));
    };
  });
}

}  // namespace

Command add_scenario(CLI::App& app) {
  auto chosen = std::make_shared<Command>();
  app.require_subcommand(1);
  add_list(app, chosen);
  add_show(app, chosen);
  add_variant(app, chosen);
  add_check(app, chosen);
  return [=](Session& session) { (*chosen)(session); };
}

}  // namespace meshwise::cli
