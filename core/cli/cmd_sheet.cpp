#include <memory>

#include "commands.h"
#include "files.h"

namespace meshwise::cli {

Command add_sheet(CLI::App& app) {
  auto options = std::make_shared<Options>();
  auto answers = std::make_shared<std::string>();
  options
      ->add(app, {"ID", "options", "scenarios", Kind::kList,
                  "scenarios by id, e.g. A B C D, or variants: A#7"})
      ->required();
  options->add_format(app, {"markdown", "json"});
  app.add_option("--answers", *answers,
                 "a meshwise.answers/1 file to fill the sheet with")
      ->type_name("FILE");
  return [=](Session& session) {
    Json request = options->request("sheet");
    request["options"]["format"] =
        options->format() == Format::kJson ? "json" : "markdown";
    if (!answers->empty()) {
      const FileText file = read_file(*answers);
      if (!file.problem.empty()) {
        throw UsageError{"--answers " + *answers + ": " + file.problem};
      }
      JsonText document = parse_text(file.text);
      if (!document.problem.empty()) {
        throw UsageError{place_text(*answers, document.place) + ": " +
                         document.problem + "; accepted: meshwise.answers/1"};
      }
      request["options"]["answers"] = std::move(document.value);
    }
    print(raw_text_of(session.ask(request, *options), "text"));
  };
}

}  // namespace meshwise::cli
