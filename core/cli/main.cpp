// meshwise: the planner and the grader on the command line. Called as
// memory_planner or collective_cost it is that one command.
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include "commands.h"
#include "usage.h"

namespace {

using namespace meshwise::cli;

struct Entry {
  const char* name;
  const char* help;
  Command (*add)(CLI::App&);
};

constexpr Entry kCommands[] = {
    {"memory", "one plan's memory per GPU, or plans that fit", add_memory},
    {"collective", "one collective on one tier or over both", add_collective},
    {"plan", "ranked plans, with each part of the step", add_plan},
    {"decode", "serving: TTFT, TPOT, KV capacity", add_decode},
    {"threshold", "what would change the answer", add_threshold},
    {"scenario", "list, show ID, variant ID, check FILE", add_scenario},
    {"sheet", "an answer sheet for scenarios", add_sheet},
    {"grade", "mark answers: files, folders or standard input", add_grade},
    {"gradescope-zip", "the autograder archive for Gradescope",
     add_gradescope_zip},
    {"call", "one request as JSON, the reply as JSON", add_call},
    {"version", "the program's version", add_version},
};

// The program's own name without folders and endings.
std::string base_name(const char* path) {
  std::string name = path;
  const std::size_t slash = name.find_last_of("/\\");
  if (slash != std::string::npos) name.erase(0, slash + 1);
  for (const char* ending : {".exe", ".py"}) {
    const std::size_t length = std::strlen(ending);
    if (name.size() > length &&
        name.compare(name.size() - length, length, ending) == 0) {
      name.erase(name.size() - length);
    }
  }
  return name;
}

int run(CLI::App& app, int argc, char** argv,
        const std::function<Command()>& chosen) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    complain(usage_text(app, error));
    return 2;
  }
  Session session;
  try {
    chosen()(session);
  } catch (const UsageError& error) {
    complain(error.message);
    return 2;
  }
  return session.exit_code;
}

// Descriptions have the room that a terminal of 80 columns leaves.
void lay_out(CLI::App& app) { app.get_formatter()->column_width(27); }

int run_one(const Entry& entry, const std::string& name, int argc,
            char** argv) {
  CLI::App app{entry.help, name};
  lay_out(app);
  Command command = entry.add(app);
  return run(app, argc, argv, [&]() -> Command { return command; });
}

// The word that stands where a command should, if it is none.
std::string stranger(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  for (const Entry& entry : kCommands) {
    if (std::strcmp(argv[1], entry.name) == 0) return "";
  }
  return argv[1];
}

int no_such_command(const std::string& name) {
  std::vector<std::string> known;
  for (const Entry& entry : kCommands) known.emplace_back(entry.name);
  complain(name + ": no such command" + accepted_text(name, known));
  return 2;
}

int run_all(int argc, char** argv) {
  const std::string word = stranger(argc, argv);
  if (!word.empty()) return no_such_command(word);
  CLI::App app{"choose the parallelism of large models, and grade the choice",
               "meshwise"};
  lay_out(app);
  app.set_version_flag("--version", std::string(meshwise::version()));
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, Command>> commands;
  for (const Entry& entry : kCommands) {
    CLI::App* sub = app.add_subcommand(entry.name, entry.help);
    lay_out(*sub);
    commands.emplace_back(sub, entry.add(*sub));
  }
  return run(app, argc, argv, [&]() -> Command {
    for (const auto& [sub, command] : commands) {
      if (sub->parsed()) return command;
    }
    throw UsageError{"no command; see --help"};
  });
}

int run_as(int argc, char** argv) {
  const std::string name = base_name(argc > 0 ? argv[0] : "meshwise");
  if (name == "memory_planner") return run_one(kCommands[0], name, argc, argv);
  if (name == "collective_cost") return run_one(kCommands[1], name, argc, argv);
  return run_all(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that has seen enough (| head) is no failure.
  std::signal(SIGPIPE, SIG_DFL);
  try {
    return run_as(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "meshwise: %s\n", error.what());
  } catch (...) {
    std::fputs("meshwise: an unknown failure\n", stderr);
  }
  return 2;
}
