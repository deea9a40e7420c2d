#include <memory>

#include "commands.h"
#include "files.h"

namespace meshwise::cli {

Command add_sheet(CLI::App& app) {
  auto ids = std::make_shared<std::vector<std::string>>();
  auto format = std::make_shared<std::string>("markdown");
  auto answers = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  auto options = std::make_shared<Options>();
  app.add_option("scenario", *ids, "scenario ids, e.g. A B C D")->required();
  app.add_option("--format", *format, "markdown or json")
      ->check(CLI::IsMember({"markdown", "json"}));
  app.add_flag("--json", *json, "short for --format json");
  app.add_option("--answers", *answers,
                 "a meshwise.answers/1 file to fill the sheet with");
  return [=](Session& session) {
    Json request = {{"kind", "sheet"}};
    request["options"]["scenarios"] = *ids;
    request["options"]["format"] = *json ? "json" : *format;
    if (!answers->empty()) {
      const FileText file = read_file(*answers);
      if (!file.problem.empty()) {
        throw UsageError{"--answers " + *answers + ": " + file.problem};
      }
      const Json document = Json::parse(file.text, nullptr, false);
      if (document.is_discarded()) {
        throw UsageError{"--answers " + *answers +
                         ": no valid JSON; accepted: meshwise.answers/1"};
      }
      request["options"]["answers"] = document;
    }
    print(text_of(session.ask(request, *options), "text"));
  };
}

}  // namespace meshwise::cli
