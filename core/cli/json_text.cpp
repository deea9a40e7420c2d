#include "json_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace meshwise::cli {
namespace {

constexpr std::size_t kMaxDepth = 64;

// Follows the parser only to learn where it stops.
struct Watcher {
  std::size_t position = 0;
  std::size_t depth = 0;
  bool too_deep = false;

  bool open() {
    too_deep = ++depth > kMaxDepth;
    return !too_deep;
  }
  bool close() {
    --depth;
    return true;
  }

  // What nlohmann's parser calls.
  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(std::int64_t) { return true; }
  bool number_unsigned(std::uint64_t) { return true; }
  bool number_float(double, const std::string&) { return true; }
  bool string(std::string&) { return true; }
  bool binary(Json::binary_t&) { return true; }
  bool key(std::string&) { return true; }
  bool start_object(std::size_t) { return open(); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t at, const std::string&,
                   const nlohmann::detail::exception&) {
    position = at;
    return false;
  }
};

Place place_at(const std::string& text, std::size_t offset) {
  Place out;
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
    if (text[i] == '\n') {
      ++out.line;
      out.column = 1;
    } else {
      ++out.column;
    }
  }
  return out;
}

// A JSON pointer's steps, unescaped.
std::vector<std::string> steps_of(const std::string& pointer) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      out.emplace_back();
    } else if (!out.empty() && pointer[i] == '~' && i + 1 < pointer.size()) {
      out.back() += pointer[++i] == '1' ? '/' : '~';
    } else if (!out.empty()) {
      out.back() += pointer[i];
    }
  }
  return out;
}

// Walks over the text of a valid document.
class Walker {
 public:
  explicit Walker(const std::string& text) : text_(text) { skip_blanks(); }

  [[nodiscard]] std::size_t at() const { return at_; }

  // Steps to a member or an element of the value here; false, and still on the
  // value, where there is none.
  bool enter(const std::string& step) {
    const std::size_t start = at_;
    const char open = peek();
    if (open != '{' && open != '[') return false;
    ++at_;
    skip_blanks();
    for (std::size_t i = 0; peek() != '}' && peek() != ']' && peek() != 0;
         ++i) {
      std::string name = std::to_string(i);
      if (open == '{') {
        name = member_name();
      }
      if (name == step) return true;
      skip_value();
      skip_blanks();
      if (peek() == ',') ++at_;
      skip_blanks();
    }
    at_ = start;
    return false;
  }

 private:
  [[nodiscard]] char peek() const {
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void skip_blanks() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
  }
  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }
  std::string member_name() {
    const std::size_t start = at_ + 1;
    skip_string();
    std::string out = text_.substr(start, at_ - 1 - start);
    at_ = std::min(text_.find(':', at_), text_.size()) + 1;
    skip_blanks();
    return out;
  }
  void skip_value() {
    std::size_t depth = 0;
    do {
      const char c = peek();
      if (c == '"') {
        skip_string();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') {
        if (depth == 0) return;
        --depth;
      }
      if (c == ',' && depth == 0) return;
      ++at_;
    } while (at_ < text_.size());
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string place_text(const std::string& file, Place place) {
  return file + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}

JsonText parse_text(const std::string& text) {
  JsonText out;
  Watcher watcher;
  if (Json::sax_parse(text, &watcher)) {
    out.value = Json::parse(text, nullptr, false);
    return out;
  }
  if (watcher.too_deep) {
    out.problem = "nested deeper than " + std::to_string(kMaxDepth) + " levels";
    return out;
  }
  out.problem = text.empty() ? "the document is empty" : "no valid JSON";
  out.place = place_at(text, watcher.position > 0 ? watcher.position - 1 : 0);
  return out;
}

Place place_of(const std::string& text, const std::string& pointer) {
  Walker walker(text);
  for (const std::string& step : steps_of(pointer)) {
    if (!walker.enter(step)) break;
  }
  return place_at(text, walker.at());
}

}  // namespace meshwise::cli
