#include "grade_lines.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "session.h"

namespace meshwise::cli {
namespace {

constexpr const char* kForm =
    R"({"source", "student", "text"} or a meshwise.answers/1 document)";

// Text of a key; a value of another kind is the line's problem.
void take_text(const Json& object, const char* key, std::string& to,
               Submission& out) {
  const auto it = object.find(key);
  if (it == object.end() || it->is_null()) return;
  if (it->is_string()) {
    to = it->get<std::string>();
  } else {
    out.problem = {"wrong_type", std::string(key) + " is no text", kForm};
  }
}

void refuse_others(const Json& object, Submission& out) {
  for (const auto& [key, value] : object.items()) {
    bool known = false;
    for (const char* each :
         {"source", "student", "student_id", "text", "answers"}) {
      known = known || key == each;
    }
    if (!known && out.problem.message.empty()) {
      out.problem = {"unknown_key", "no key named " + key.substr(0, 64), kForm};
    }
  }
}

}  // namespace

Submission read_submission_line(const std::string& text,
                                const std::string& source, std::size_t line) {
  Submission out;
  out.line = line;
  out.source = source + ":" + std::to_string(line);
  JsonText document = parse_text(text);
  if (!document.problem.empty()) {
    out.problem = {"malformed",
                   document.problem + ", from column " +
                       std::to_string(document.place.column),
                   kForm};
    out.is_no_json = true;
    return out;
  }
  Json& object = document.value;
  if (!object.is_object()) {
    out.problem = {"wrong_type", "a line is no JSON object", kForm};
    return out;
  }
  if (object.contains("schema")) {
    out.answers = std::move(object);
    return out;
  }
  take_text(object, "source", out.source, out);
  take_text(object, "student", out.owner.name, out);
  take_text(object, "student_id", out.owner.id, out);
  take_text(object, "text", out.text, out);
  if (!out.owner.id.empty() || !out.owner.name.empty()) {
    out.owner.kind = IdKind::kGiven;
  }
  refuse_others(object, out);
  const bool has_answers = object.contains("answers");
  if (object.contains("text") == has_answers && out.problem.message.empty()) {
    out.problem = {"missing", "a submission has either text or answers", kForm};
  }
  if (has_answers) out.answers = std::move(object["answers"]);
  return out;
}

void Lines::Close::operator()(std::FILE* stream) const {
  if (stream != stdin) std::fclose(stream);
}

Lines::Lines(const std::string& path, std::string source)
    : stream_(path == "-" ? stdin : std::fopen(path.c_str(), "rb")),
      source_(std::move(source)) {
  if (stream_ == nullptr) problem_ = std::strerror(errno);
}

// Takes what is there and no more: a line that a slow writer has ended is
// graded before the next one comes.
bool Lines::fill() {
  constexpr std::size_t kBlock = 1u << 16;
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kBlock);
  ssize_t count = 0;
  do {
    count = ::read(fileno(stream_.get()), buffer_.data() + before, kBlock);
  } while (count < 0 && errno == EINTR);
  buffer_.resize(before + (count > 0 ? static_cast<std::size_t>(count) : 0));
  return count > 0;
}

Lines::Read Lines::read_line(std::string& out) {
  bool too_long = false;
  std::size_t searched = at_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      out = buffer_.substr(at_, end - at_);
      at_ = end + 1;
      return too_long ? Read::kTooLong : Read::kLine;
    }
    if (buffer_.size() - at_ > kMaxLineBytes) {
      too_long = true;
      at_ = buffer_.size();
    }
    const std::size_t kept = buffer_.size() - at_;
    if (!fill()) break;
    searched = kept;
  }
  out = buffer_.substr(at_);
  at_ = buffer_.size();
  if (too_long) return Read::kTooLong;
  return out.empty() ? Read::kEnd : Read::kLine;
}

std::optional<Submission> Lines::next() {
  std::string text;
  for (;;) {
    const Read read = read_line(text);
    if (read == Read::kEnd) return std::nullopt;
    ++line_;
    if (read == Read::kTooLong) {
      Submission out;
      out.line = line_;
      out.source = source_ + ":" + std::to_string(line_);
      out.problem = {"too_large",
                     "a line is longer than " +
                         std::to_string(kMaxLineBytes >> 20) + " MiB",
                     kForm};
      out.is_no_json = true;
      return out;
    }
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    return read_submission_line(text, source_, line_);
  }
}

}  // namespace meshwise::cli
