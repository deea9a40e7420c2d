// JSON at the core's edge: a parser that bounds what it accepts and says where
// a document breaks, a reader that checks every value against its range and
// its unit, and number writing that is the same on every platform.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meshwise/result.h"
#include "text.h"

namespace meshwise {

using Json = nlohmann::ordered_json;

// Bounds on any document: nothing that people or programs write to Meshwise
// comes near them.
inline constexpr std::size_t kMaxJsonBytes = 64u << 20;
inline constexpr std::size_t kMaxJsonDepth = 64;
inline constexpr std::size_t kMaxJsonKeys = 1000;

// The document, or where and why it is none: line and column for malformed
// text, a JSON pointer for a key that stands twice.
[[nodiscard]] Result<Json> parse_json(std::string_view text);

// Compact text. Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string dump_json(const Json& json);

// A number as JSON: whole values below 2^53 without a fraction, everything
// else shortest round-trip. Not finite: null, which put() leaves out.
[[nodiscard]] Json json_number(double value);

// Sets a key. Out of line on purpose: written as object[key] = value, each use
// costs the module ten times the bytes.
void set(Json& object, const char* key, std::string_view value);
void set(Json& object, const char* key, const char* value);
void set(Json& object, const char* key, const std::string& value);
void set(Json& object, const char* key, bool value);
void set(Json& object, const char* key, int value);
void set(Json& object, const char* key, std::int64_t value);
void set(Json& object, const char* key, std::size_t value);
void set(Json& object, const char* key, Json&& value);
void set(Json& object, const char* key, const Json& value);

// Sets a key, unless the number is not finite.
void put(Json& object, const char* key, double value);

// Sets a key to a value that went through a change of unit and back, rounded
// to the twelve digits that people write at most: 15, not 14.999999999999998.
void put_rounded(Json& object, const char* key, double value);

// The name among `known` that is nearest in spelling to `name`, if any is
// near enough to be meant. At most `count` of them, joined with ", ".
[[nodiscard]] std::string near_names(std::string_view name,
                                     const std::vector<std::string>& known,
                                     std::size_t count = 3);

// Reads one JSON object key by key and reports every value that is wrong.
// Getters leave `out` as it is and return false when the key is absent or
// wrong; finish() reports the keys that nothing asked for.
class Reader {
 public:
  Reader(const Json& object, std::string pointer,
         std::vector<Problem>& problems);

  [[nodiscard]] bool has(const char* key) const;
  bool number(const char* key, double& out, double lower, double upper);
  bool integer(const char* key, std::int64_t& out, std::int64_t lower,
               std::int64_t upper);
  bool integer(const char* key, int& out, int lower, int upper);
  bool flag(const char* key, bool& out);
  bool text(const char* key, std::string& out);
  // One of `names`; its index.
  bool choice(const char* key, std::size_t& out,
              const std::vector<std::string>& names);
  bool texts(const char* key, std::vector<std::string>& out);
  // The raw value, marked as read; null when absent.
  const Json* value(const char* key);
  // A nested object; nothing when absent or no object.
  std::optional<Reader> object(const char* key);
  // Marks a key as read without looking at it.
  void skip(const char* key);
  void finish();

  void fail(const char* key, Code code, std::string message,
            std::string hint = "");
  [[nodiscard]] std::string pointer(const char* key) const;
  [[nodiscard]] const std::string& at() const { return at_; }
  [[nodiscard]] std::vector<Problem>& problems() { return *problems_; }

 private:
  const Json* find(const char* key);

  const Json* object_;
  std::string at_;
  std::vector<Problem>* problems_;
  std::vector<std::string> asked_;
};

}  // namespace meshwise
