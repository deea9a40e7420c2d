#include "session.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "escape.h"

namespace meshwise::cli {
namespace {

constexpr double kGiB = 1073741824.0;
constexpr std::size_t kWidth = 79;

bool coloured() {
  static const bool yes = [] {
    const char* never = std::getenv("NO_COLOR");
    return (never == nullptr || *never == '\0') && isatty(STDOUT_FILENO) != 0;
  }();
  return yes;
}

std::string colour(const char* code, const std::string& text) {
  return coloured() ? std::string("\033[") + code + "m" + text + "\033[0m"
                    : text;
}

// A result of a formula in a unit: "119.7 GiB", "8,030,261,248 parameters".
std::string value_text(double value, const std::string& unit) {
  const double size = std::fabs(value);
  if (size >= 1000.0 || value == 0.0) return grouped(value) + " " + unit;
  const int digits = size >= 100.0 ? 1 : size >= 10.0 ? 2 : size >= 0.1 ? 3 : 6;
  return fixed(value, digits) + " " + unit;
}

}  // namespace

Json Session::ask_any(const Json& request) {
  const std::string text =
      request.dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(engine_.call(text), nullptr, false);
}

Json Session::ask(const Json& request, const Options& options) {
  Json reply = ask_any(request);
  if (!reply.contains("error")) return reply;
  const Json& error = reply["error"];
  throw UsageError{problem_text(options.place(text_of(error, "at")), error)};
}

std::string problem_text(const std::string& place, const Json& problem) {
  const std::string hint = text_of(problem, "hint");
  const bool question = hint.rfind("did you mean", 0) == 0;
  return (place.empty() ? "" : place + ": ") + text_of(problem, "message") +
         (hint.empty() ? "" : (question ? "; " : "; accepted: ") + hint);
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() ||
      std::fflush(stdout) != 0) {
    throw UsageError{"standard output cannot be written"};
  }
}

void print_json(const Json& json) {
  print(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void complain(const std::string& line) {
  const std::string text = "meshwise: " + terminal_text(line) + "\n";
  std::fputs(text.c_str(), stderr);
}

std::string bold(const std::string& text) { return colour("1", text); }
std::string red(const std::string& text) { return colour("31", text); }
std::string green(const std::string& text) { return colour("32", text); }

double number(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() || !it->is_number() ? 0.0 : it->get<double>();
}

std::string text_of(const Json& object, const char* key) {
  return terminal_text(raw_text_of(object, key));
}

std::string raw_text_of(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() || !it->is_string() ? "" : it->get<std::string>();
}

std::string fixed(double value, int digits) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  return buffer;
}

std::string grouped(double value) {
  const std::string digits = fixed(std::fabs(value), 0);
  std::string out = value < 0.0 ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string gib(double bytes) {
  const double value = bytes / kGiB;
  if (value >= 10000.0) return grouped(value);
  if (value >= 1000.0) return fixed(value, 1);
  if (value >= 1.0 || value == 0.0) return fixed(value, 2);
  return fixed(value, 3);
}

std::string milliseconds(double s) {
  const double ms = s * 1e3;
  if (ms == 0.0) return "0";
  if (ms < 0.01) return fixed(ms, 6);
  if (ms < 1.0) return fixed(ms, 4);
  return ms >= 100000.0 ? grouped(ms) : fixed(ms, 2);
}

std::string percent(double share) { return fixed(100.0 * share, 1) + " %"; }

std::string duration(double s) {
  if (s < 1e-3) return fixed(s * 1e6, 2) + " us";
  if (s < 10.0) return fixed(s * 1e3, 2) + " ms";
  return fixed(s, 2) + " s";
}

std::string assumptions_text(const Json& reply) {
  if (!reply.contains("assumptions") || reply["assumptions"].empty()) {
    return "";
  }
  std::string out = "\nAssumed\n";
  for (const Json& each : reply["assumptions"]) {
    std::string lines = wrap(text_of(each, "text"), kWidth, "    ");
    lines[2] = '-';
    out += lines + "\n";
  }
  return out;
}

std::string explain_text(const Json& reply) {
  if (!reply.contains("explain")) return "";
  std::string out = "\nHow\n";
  for (const Json& each : reply["explain"]) {
    const std::string text =
        text_of(each, "label") + ": " +
        value_text(number(each, "value"), text_of(each, "unit")) + " = " +
        text_of(each, "formula") + ": " + text_of(each, "numbers") + " [" +
        text_of(each, "source") + "]";
    std::string lines = wrap(text, kWidth, "    ");
    lines[2] = '-';
    out += lines + "\n";
  }
  return out;
}

}  // namespace meshwise::cli
