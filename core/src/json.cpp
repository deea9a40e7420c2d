#include "json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace meshwise {
namespace {

constexpr std::size_t kMaxNameLength = 64;
constexpr double kExact = 9007199254740992.0;  // 2^53

// A key as a part of a JSON pointer (RFC 6901), cut to a length that is read.
std::string pointer_part(const std::string& key) {
  std::string out;
  for (const char c : key.substr(0, kMaxNameLength)) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

// Builds the document and stops at the first thing it does not accept.
class Builder {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(number_integer_t value) { return add(value); }
  bool number_unsigned(number_unsigned_t value) { return add(value); }
  bool number_float(number_float_t value, const string_t& text) {
    if (!std::isfinite(value)) {
      return stop(Code::kOutOfRange, "the number " + text.substr(0, 40) +
                                         " is too large for any quantity");
    }
    return add(value);
  }
  bool string(string_t& value) { return add(std::move(value)); }
  bool binary(binary_t&) { return stop(Code::kMalformed, "binary data"); }

  bool start_object(std::size_t) { return open(Json::object()); }
  bool key(string_t& name) {
    Level& level = levels_.back();
    if (!level.keys.insert(name).second) {
      level.key = name;
      return stop(Code::kInconsistent, "the key \"" + name.substr(0, 40) +
                                           "\" stands twice in one object");
    }
    if (level.keys.size() > kMaxJsonKeys) {
      return stop(Code::kTooLarge, "an object has more than 1000 keys");
    }
    level.key = std::move(name);
    return true;
  }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) {
    position_ = position;
    const std::string_view what = error.what();
    if (what.find("out_of_range") != std::string_view::npos) {
      problem_ = {Code::kOutOfRange, pointer(),
                  "the number " + token.substr(0, 40) +
                      " is too large for any quantity",
                  ""};
    } else {
      problem_ = {Code::kMalformed, "", "", ""};
    }
    return false;
  }

  [[nodiscard]] Json take() { return std::move(root_); }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] std::size_t position() const { return position_; }

 private:
  struct Level {
    Json value;
    std::string key;
    std::set<std::string> keys;
  };

  bool stop(Code code, std::string message) {
    problem_ = {code, pointer(), std::move(message), ""};
    return false;
  }

  [[nodiscard]] std::string pointer() const {
    std::string out;
    for (const Level& level : levels_) {
      out += '/';
      if (level.value.is_array()) {
        out += std::to_string(level.value.size());
      } else {
        out += pointer_part(level.key);
      }
    }
    return out;
  }

  bool open(Json value) {
    if (levels_.size() >= kMaxJsonDepth) {
      return stop(Code::kTooLarge, "nested more than 64 levels deep");
    }
    levels_.push_back({std::move(value), "", {}});
    return true;
  }

  bool close() {
    Json done = std::move(levels_.back().value);
    levels_.pop_back();
    return add(std::move(done));
  }

  template <class T>
  bool add(T&& value) {
    if (levels_.empty()) {
      root_ = std::forward<T>(value);
      return true;
    }
    Level& level = levels_.back();
    if (level.value.is_array()) {
      level.value.push_back(std::forward<T>(value));
    } else {
      level.value[level.key] = std::forward<T>(value);
    }
    return true;
  }

  Json root_;
  std::vector<Level> levels_;
  Problem problem_;
  std::size_t position_ = 0;
};

struct LineColumn {
  std::size_t line = 1;
  std::size_t column = 1;
};

LineColumn locate(std::string_view text, std::size_t position) {
  LineColumn out;
  const std::size_t end = std::min(position, text.size());
  for (std::size_t i = 0; i + 1 < end; ++i) {
    if (text[i] == '\n') {
      ++out.line;
      out.column = 1;
    } else {
      ++out.column;
    }
  }
  return out;
}

// Edits (insert, delete, replace) between two short names.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

const char* type_word(const Json& json) {
  if (json.is_string()) return "text";
  if (json.is_boolean()) return "true or false";
  if (json.is_array()) return "a list";
  if (json.is_object()) return "an object";
  if (json.is_null()) return "null";
  return "a number";
}

}  // namespace

Result<Json> parse_json(std::string_view text) {
  if (text.size() > kMaxJsonBytes) {
    return Problem{Code::kTooLarge, "", "the document is larger than 64 MiB",
                   "split it"};
  }
  Builder builder;
  if (Json::sax_parse(text.begin(), text.end(), &builder)) {
    return builder.take();
  }
  Problem problem = builder.problem();
  if (problem.code == Code::kMalformed && problem.message.empty()) {
    const LineColumn where = locate(text, builder.position());
    problem.message = "no valid JSON: line " + std::to_string(where.line) +
                      ", column " + std::to_string(where.column);
    problem.hint = text.empty() ? "the document is empty"
                                : "check quotes, commas and brackets there";
  }
  return problem;
}

std::string dump_json(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::fabs(value) < kExact) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

void set(Json& object, const char* key, Json&& value) {
  object[key] = std::move(value);
}
void set(Json& object, const char* key, const Json& value) {
  object[key] = value;
}
void set(Json& object, const char* key, std::string_view value) {
  set(object, key, Json(std::string(value)));
}
void set(Json& object, const char* key, const char* value) {
  set(object, key, std::string_view(value));
}
void set(Json& object, const char* key, const std::string& value) {
  set(object, key, std::string_view(value));
}
void set(Json& object, const char* key, bool value) {
  set(object, key, Json(value));
}
void set(Json& object, const char* key, std::int64_t value) {
  set(object, key, Json(value));
}
void set(Json& object, const char* key, int value) {
  set(object, key, std::int64_t{value});
}
void set(Json& object, const char* key, std::size_t value) {
  set(object, key, static_cast<std::int64_t>(value));
}

void put(Json& object, const char* key, double value) {
  if (std::isfinite(value)) set(object, key, json_number(value));
}

void put_rounded(Json& object, const char* key, double value) {
  if (!std::isfinite(value)) return;
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.12g", value);
  put(object, key, std::strtod(buffer, nullptr));
}

std::string near_names(std::string_view name,
                       const std::vector<std::string>& known,
                       std::size_t count) {
  if (name.size() > kMaxNameLength) return "";
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : known) {
    const std::size_t edits = edit_distance(name, candidate);
    const std::size_t limit = std::max<std::size_t>(2, candidate.size() / 3);
    if (edits <= limit && edits < candidate.size()) {
      near.emplace_back(edits, candidate);
    }
  }
  std::sort(near.begin(), near.end());
  std::string out;
  for (std::size_t i = 0; i < near.size() && i < count; ++i) {
    if (i > 0) out += ", ";
    out += near[i].second;
  }
  return out;
}

Reader::Reader(const Json& object, std::string pointer,
               std::vector<Problem>& problems)
    : object_(&object), at_(std::move(pointer)), problems_(&problems) {}

bool Reader::has(const char* key) const { return object_->contains(key); }

std::string Reader::pointer(const char* key) const { return at_ + "/" + key; }

void Reader::fail(const char* key, Code code, std::string message,
                  std::string hint) {
  problems_->push_back(
      {code, pointer(key), std::move(message), std::move(hint)});
}

const Json* Reader::find(const char* key) {
  asked_.emplace_back(key);
  const auto it = object_->find(key);
  return it == object_->end() ? nullptr : &*it;
}

const Json* Reader::value(const char* key) { return find(key); }

void Reader::skip(const char* key) { asked_.emplace_back(key); }

bool Reader::number(const char* key, double& out, double lower, double upper) {
  const Json* json = find(key);
  if (json == nullptr) return false;
  const std::string accepted =
      plain_number(lower) + " to " + plain_number(upper);
  if (!json->is_number()) {
    fail(key, Code::kWrongType,
         std::string(key) + " is " + type_word(*json) + ", not a number",
         accepted);
    return false;
  }
  const double number = json->get<double>();
  if (!(number >= lower && number <= upper)) {
    fail(key, Code::kOutOfRange,
         std::string(key) + " = " + plain_number(number) + " is out of range",
         accepted);
    return false;
  }
  out = number;
  return true;
}

bool Reader::integer(const char* key, std::int64_t& out, std::int64_t lower,
                     std::int64_t upper) {
  double number = 0.0;
  if (!this->number(key, number, static_cast<double>(lower),
                    static_cast<double>(upper))) {
    return false;
  }
  if (number != std::floor(number)) {
    fail(
        key, Code::kOutOfRange,
        std::string(key) + " = " + plain_number(number) + " is no whole number",
        std::to_string(lower) + " to " + std::to_string(upper));
    return false;
  }
  out = static_cast<std::int64_t>(number);
  return true;
}

bool Reader::integer(const char* key, int& out, int lower, int upper) {
  std::int64_t wide = 0;
  if (!integer(key, wide, std::int64_t{lower}, std::int64_t{upper})) {
    return false;
  }
  out = static_cast<int>(wide);
  return true;
}

bool Reader::flag(const char* key, bool& out) {
  const Json* json = find(key);
  if (json == nullptr) return false;
  if (!json->is_boolean()) {
    fail(key, Code::kWrongType,
         std::string(key) + " is " + type_word(*json) + ", not true or false",
         "true, false");
    return false;
  }
  out = json->get<bool>();
  return true;
}

bool Reader::text(const char* key, std::string& out) {
  const Json* json = find(key);
  if (json == nullptr) return false;
  if (!json->is_string()) {
    fail(key, Code::kWrongType,
         std::string(key) + " is " + type_word(*json) + ", not text");
    return false;
  }
  out = json->get<std::string>();
  return true;
}

bool Reader::choice(const char* key, std::size_t& out,
                    const std::vector<std::string>& names) {
  std::string name;
  if (!text(key, name)) return false;
  const auto it = std::find(names.begin(), names.end(), name);
  if (it != names.end()) {
    out = static_cast<std::size_t>(it - names.begin());
    return true;
  }
  std::string accepted;
  for (const std::string& each : names) {
    if (!accepted.empty()) accepted += ", ";
    accepted += each;
  }
  fail(key, Code::kUnknownName,
       std::string(key) + " \"" + name.substr(0, kMaxNameLength) +
           "\" is not known",
       accepted);
  return false;
}

bool Reader::texts(const char* key, std::vector<std::string>& out) {
  const Json* json = find(key);
  if (json == nullptr) return false;
  if (!json->is_array()) {
    fail(key, Code::kWrongType,
         std::string(key) + " is " + type_word(*json) + ", not a list");
    return false;
  }
  std::vector<std::string> read;
  for (std::size_t i = 0; i < json->size(); ++i) {
    const Json& each = (*json)[i];
    if (!each.is_string()) {
      const std::string place = std::string(key) + "/" + std::to_string(i);
      fail(place.c_str(), Code::kWrongType,
           std::string(type_word(each)) + " in a list of texts");
      return false;
    }
    read.push_back(each.get<std::string>());
  }
  out = std::move(read);
  return true;
}

std::optional<Reader> Reader::object(const char* key) {
  const Json* json = find(key);
  if (json == nullptr) return std::nullopt;
  if (!json->is_object()) {
    fail(key, Code::kWrongType,
         std::string(key) + " is " + type_word(*json) + ", not an object");
    return std::nullopt;
  }
  return Reader(*json, pointer(key), *problems_);
}

void Reader::finish() {
  for (auto it = object_->begin(); it != object_->end(); ++it) {
    const std::string& key = it.key();
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) {
      continue;
    }
    const std::string near = near_names(key, asked_, 1);
    fail(pointer_part(key).c_str(), Code::kUnknownKey,
         "nothing reads the key \"" + key.substr(0, kMaxNameLength) + "\"",
         near.empty() ? "" : "did you mean " + near + "?");
  }
}

}  // namespace meshwise
