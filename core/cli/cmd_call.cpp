#include <memory>

#include "commands.h"
#include "files.h"

namespace meshwise::cli {

Command add_call(CLI::App& app) {
  auto file = std::make_shared<std::string>("-");
  app.add_option("FILE", *file,
                 "a request as JSON, or - for standard input\n(default)")
      ->type_name("");
  return [=](Session& session) {
    const FileText request = *file == "-" ? read_stdin() : read_file(*file);
    if (!request.problem.empty()) {
      throw UsageError{*file + ": " + request.problem};
    }
    const std::string reply = session.ask_text(request.text);
    print(reply + "\n");
    const Json parsed = Json::parse(reply, nullptr, false);
    if (parsed.contains("error")) session.exit_code = 2;
  };
}

Command add_version(CLI::App&) {
  return [](Session&) { print(std::string(meshwise::version()) + "\n"); };
}

}  // namespace meshwise::cli
