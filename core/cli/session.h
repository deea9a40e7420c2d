// What a command runs with: the engine, the way errors and results are shown,
// and the numbers' text.
#pragma once

#include <string>

#include "meshwise/api.h"
#include "options.h"

namespace meshwise::cli {

class Session {
 public:
  // The reply to a request. An error reply throws UsageError with one line
  // that names the flag where it was one.
  [[nodiscard]] Json ask(const Json& request, const Options& options);
  // The reply's text as it is.
  [[nodiscard]] std::string ask_text(const std::string& request) {
    return engine_.call(request);
  }
  // The reply as JSON, an error reply too.
  [[nodiscard]] Json ask_any(const Json& request);

  int exit_code = 0;

 private:
  Engine engine_;
};

// Standard output; UsageError when it cannot be written.
void print(const std::string& text);
void print_json(const Json& json);
void complain(const std::string& line);  // standard error, one line
// "PLACE: what is wrong; accepted: ..." of an error or a problem of a reply.
[[nodiscard]] std::string problem_text(const std::string& place,
                                       const Json& problem);

// Colours only on a terminal, and never under NO_COLOR.
[[nodiscard]] std::string bold(const std::string& text);
[[nodiscard]] std::string red(const std::string& text);
[[nodiscard]] std::string green(const std::string& text);

// Numbers of a reply as people read them.
[[nodiscard]] double number(const Json& object, const char* key);
// A text of the reply, made safe for a terminal: some of it is a student's.
[[nodiscard]] std::string text_of(const Json& object, const char* key);
// The same as it is, for files.
[[nodiscard]] std::string raw_text_of(const Json& object, const char* key);
[[nodiscard]] std::string fixed(double value, int digits);
[[nodiscard]] std::string grouped(double value);
[[nodiscard]] std::string gib(double bytes);       // "119.66"
[[nodiscard]] std::string milliseconds(double s);  // "553.14"
[[nodiscard]] std::string percent(double share);   // "79.0 %"
// A time with the unit that suits it: "553.14 ms", "70.19 us".
[[nodiscard]] std::string duration(double s);

// The reply's assumptions and formulas, as lines.
[[nodiscard]] std::string assumptions_text(const Json& reply);
[[nodiscard]] std::string explain_text(const Json& reply);

}  // namespace meshwise::cli
