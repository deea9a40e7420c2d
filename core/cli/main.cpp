// meshwise: the planner and the grader on the command line. Called as
// memory_planner or collective_cost it is that one command.
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <memory>

#include "commands.h"

namespace {

using namespace meshwise::cli;

struct Entry {
  const char* name;
  const char* help;
  Command (*add)(CLI::App&);
};

constexpr Entry kCommands[] = {
    {"memory", "one plan's memory per GPU, or plans that fit (--suggest)",
     add_memory},
    {"collective", "one collective on one tier or over both", add_collective},
    {"plan", "ranked plans, with each part of the step", add_plan},
    {"decode", "serving: TTFT, TPOT, KV capacity", add_decode},
    {"threshold", "what would change the answer", add_threshold},
    {"scenario", "list, show ID, check FILE", add_scenario},
    {"sheet", "an answer sheet for scenarios", add_sheet},
    {"grade", "mark answers: files, folders, or - for standard input",
     add_grade},
    {"call", "one request as JSON on standard input, the reply as JSON",
     add_call},
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

// One line for a parser's complaint, without its hint to --help in capitals.
int usage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  std::string message = error.what();
  for (char& c : message) {
    if (c == '\n') c = ' ';
  }
  complain(message + "; see --help");
  return 2;
}

int run(CLI::App& app, int argc, char** argv,
        const std::function<Command()>& chosen) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usage(app, error);
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

int run_one(const Entry& entry, int argc, char** argv) {
  CLI::App app{entry.help};
  const Command command = entry.add(app);
  return run(app, argc, argv, [&] { return command; });
}

// The commands' names, for whoever typed another.
int no_such_command(const std::string& name) {
  std::string known;
  for (const Entry& entry : kCommands) {
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  complain(name + ": no such command; accepted: " + known);
  return 2;
}

bool is_command(const std::string& name) {
  for (const Entry& entry : kCommands) {
    if (name == entry.name) return true;
  }
  return false;
}

int run_all(int argc, char** argv) {
  if (argc > 1 && argv[1][0] != '-' && !is_command(argv[1])) {
    return no_such_command(argv[1]);
  }
  CLI::App app{
      "meshwise: choose the parallelism of large models, and grade "
      "the choice"};
  app.set_version_flag("--version", std::string(meshwise::version()));
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, Command>> commands;
  for (const Entry& entry : kCommands) {
    CLI::App* sub = app.add_subcommand(entry.name, entry.help);
    commands.emplace_back(sub, entry.add(*sub));
  }
  return run(app, argc, argv, [&]() -> Command {
    for (const auto& [sub, command] : commands) {
      if (sub->parsed()) return command;
    }
    throw UsageError{"no command; see --help"};
  });
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that has seen enough (| head) is no failure.
  std::signal(SIGPIPE, SIG_DFL);
  const std::string name = base_name(argv[0]);
  if (name == "memory_planner") return run_one(kCommands[0], argc, argv);
  if (name == "collective_cost") return run_one(kCommands[1], argc, argv);
  return run_all(argc, argv);
}
