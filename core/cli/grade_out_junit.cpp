// JUnit XML: a suite for each submission, a case for each criterion. There is
// no partial credit in it, so anything below the full marks is a failure and
// the score stands in the case's properties. No times: the same answers give
// the same bytes.
#include "escape.h"
#include "grade_out.h"

namespace meshwise::cli {
namespace {

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;

  void add(const Counts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
  }
  [[nodiscard]] std::string attributes() const {
    const auto each = [](const char* name, std::size_t count) {
      return std::string(" ") + name + "=\"" + std::to_string(count) + "\"";
    };
    return each("tests", tests) + each("failures", failures) +
           each("errors", errors) + each("skipped", skipped);
  }
};

std::string attribute(const char* name, const std::string& text) {
  return std::string(" ") + name + "=\"" + xml_text(text) + "\"";
}

std::string property(const char* name, const std::string& value) {
  return std::string("        <property") + attribute("name", name) +
         attribute("value", value) + "/>\n";
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// The child that tells how it went; none for full marks.
std::string outcome(const Json& c, Counts& counts) {
  const std::string verdict = raw_text_of(c, "verdict");
  const std::string says = raw_text_of(c, "says");
  if (verdict == "review" ||
      ends_with(raw_text_of(c, "note"), ".not_answered")) {
    ++counts.skipped;
    return "      <skipped" + attribute("message", says) + "/>\n";
  }
  if (verdict == "pass") return "";
  ++counts.failures;
  return "      <failure" + attribute("message", says) +
         attribute("type", verdict) + ">" + xml_text(raw_text_of(c, "hint")) +
         "</failure>\n";
}

std::string case_of(const Json& result, const Json& c, Counts& counts) {
  ++counts.tests;
  return "    <testcase" + attribute("name", raw_text_of(c, "id")) +
         attribute("classname", raw_text_of(result, "scenario")) +
         ">\n      <properties>\n" +
         property("score", mark(number(c, "score"))) +
         property("max_score", mark(number(c, "max"))) +
         property("answer_note", raw_text_of(c, "note")) +
         "      </properties>\n" + outcome(c, counts) + "    </testcase>\n";
}

std::string suite_of(const Graded& graded, Counts& all) {
  Counts counts;
  std::string cases;
  for (const Json& result : graded.reply["results"]) {
    each_criterion(result, [&](const Json&, const Json& criterion) {
      cases += case_of(result, criterion, counts);
    });
  }
  for (const Json& error : graded.reply["errors"]) {
    ++counts.tests;
    ++counts.errors;
    cases += "    <testcase" + attribute("name", "read the submission") +
             attribute("classname", "meshwise") + ">\n      <error" +
             attribute("message", problem_text("", error)) +
             attribute("type", raw_text_of(error, "code")) +
             "/>\n    </testcase>\n";
  }
  all.add(counts);
  const std::string& source = graded.submission.source;
  return "  <testsuite" + attribute("name", source) + counts.attributes() +
         attribute("file", source) + ">\n" + cases + "  </testsuite>\n";
}

}  // namespace

std::string junit_xml(const Batch& batch) {
  Counts all;
  std::string suites;
  for (const Graded& graded : batch.graded) suites += suite_of(graded, all);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
         attribute("name", "meshwise grade") + all.attributes() + ">\n" +
         suites + "</testsuites>\n";
}

}  // namespace meshwise::cli
