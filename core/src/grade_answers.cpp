// meshwise.answers/1: the fields of an answer as JSON, in and out.
#include <cstdlib>

#include "grade_data.h"

namespace meshwise {
namespace {

struct TextKey {
  const char* key;
  Passage Answer::*field;
};
struct PassageKey {
  const char* key;
  Passage AxisAnswer::*field;
};

constexpr TextKey kQ1[] = {{"constraint", &Answer::constraint},
                           {"because", &Answer::constraint_because},
                           {"prefill", &Answer::prefill},
                           {"decode", &Answer::decode}};
constexpr TextKey kQ2[] = {{"zero", &Answer::zero},
                           {"recompute", &Answer::recompute},
                           {"micro_batch", &Answer::micro_batch},
                           {"global_batch", &Answer::global_batch},
                           {"gpus", &Answer::gpus},
                           {"batch", &Answer::batch},
                           {"context_tokens", &Answer::context},
                           {"hbm_bandwidth_gbps", &Answer::hbm_bandwidth}};
constexpr TextKey kQ4[] = {{"mode", &Answer::mode},
                           {"symptom", &Answer::symptom}};
constexpr TextKey kQ5[] = {{"parameter", &Answer::parameter},
                           {"threshold", &Answer::threshold},
                           {"unit", &Answer::unit},
                           {"direction", &Answer::direction},
                           {"because", &Answer::threshold_because}};
constexpr PassageKey kAxisKeys[] = {{"tier", &AxisAnswer::tier},
                                    {"algorithm", &AxisAnswer::algorithm},
                                    {"because", &AxisAnswer::because}};

// Text, a number, or true and false, as the text they would be typed as.
bool read_passage(Reader& reader, const char* key, Passage& out) {
  const Json* json = reader.value(key);
  if (json == nullptr || json->is_null()) return false;
  if (json->is_string()) {
    out.text = json->get<std::string>();
  } else if (json->is_number() || json->is_boolean()) {
    out.text = dump_json(*json);
  } else {
    reader.fail(key, Code::kWrongType,
                std::string(key) + " is neither text nor a number");
    return false;
  }
  return true;
}

template <std::size_t N>
void read_texts(Reader& reader, const TextKey (&keys)[N], Answer& answer) {
  for (const TextKey& key : keys) {
    read_passage(reader, key.key, answer.*key.field);
  }
}

void read_unused(Reader& reader, Answer& answer) {
  const Json* list = reader.value("unused");
  if (list == nullptr || list->is_null()) return;
  if (!list->is_array()) {
    reader.fail("unused", Code::kWrongType, "unused is no list",
                "[{\"axis\", \"because\"}]");
    return;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string at = "unused/" + std::to_string(i);
    if (!(*list)[i].is_object()) {
      reader.fail(at.c_str(), Code::kWrongType, "no object",
                  "{\"axis\", \"because\"}");
      continue;
    }
    Reader each((*list)[i], reader.pointer(at.c_str()), reader.problems());
    UnusedAnswer unused;
    read_passage(each, "axis", unused.axis);
    read_passage(each, "because", unused.because);
    each.finish();
    answer.unused.push_back(unused);
  }
}

void read_axis(Reader& reader, AxisAnswer& axis) {
  for (const PassageKey& key : kAxisKeys) {
    read_passage(reader, key.key, axis.*key.field);
  }
  const bool bandwidth = read_passage(reader, "minimum_gbps", axis.minimum);
  if (bandwidth && reader.has("maximum_us")) {
    reader.fail("maximum_us", Code::kInconsistent,
                "both minimum_gbps and maximum_us are stated", "one of them");
  }
  axis.is_latency =
      !bandwidth && read_passage(reader, "maximum_us", axis.minimum);
  if (bandwidth) reader.skip("maximum_us");
  reader.finish();
}

void read_question_3(Reader& reader, Answer& answer) {
  for (const Axis axis : kAxes) {
    const std::string key(axis_name(axis));
    if (auto part = reader.object(key.c_str())) {
      read_axis(*part, answer.axes[static_cast<std::size_t>(axis)]);
    }
  }
  reader.finish();
}

Answer read_answer(Reader& reader) {
  Answer out;
  reader.text("scenario", out.scenario);
  if (auto q1 = reader.object("q1")) {
    read_texts(*q1, kQ1, out);
    q1->finish();
  }
  if (auto q2 = reader.object("q2")) {
    for (const Axis axis : kAxes) {
      const std::string key(axis_name(axis));
      read_passage(*q2, key.c_str(),
                   out.degrees[static_cast<std::size_t>(axis)]);
    }
    read_texts(*q2, kQ2, out);
    read_unused(*q2, out);
    q2->finish();
  }
  if (auto q3 = reader.object("q3")) read_question_3(*q3, out);
  if (auto q4 = reader.object("q4")) {
    read_texts(*q4, kQ4, out);
    q4->finish();
  }
  if (auto q5 = reader.object("q5")) {
    read_texts(*q5, kQ5, out);
    q5->finish();
  }
  reader.finish();
  return out;
}

// A whole number, or a plain decimal one, as JSON's; anything else as text.
Json value_json(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool plain =
      !text.empty() &&
      text.find_first_not_of("0123456789.-") == std::string::npos &&
      *end == '\0';
  const Json number = json_number(value);
  if (plain && dump_json(number) == text) return number;
  return text;
}

void write_passage(Json& object, const char* key, const Passage& passage,
                   bool blanks) {
  if (blanks || !passage.blank()) object[key] = value_json(passage.text);
}

template <std::size_t N>
void write_texts(Json& object, const TextKey (&keys)[N], const Answer& answer,
                 bool blanks) {
  for (const TextKey& key : keys) {
    write_passage(object, key.key, answer.*key.field, blanks);
  }
}

Json question_2(const Answer& answer, bool blanks) {
  Json out = Json::object();
  for (const Axis axis : kAxes) {
    const std::string key(axis_name(axis));
    write_passage(out, key.c_str(),
                  answer.degrees[static_cast<std::size_t>(axis)], blanks);
  }
  write_texts(out, kQ2, answer, blanks);
  Json unused = Json::array();
  std::vector<UnusedAnswer> left_out = answer.unused;
  if (blanks && left_out.empty()) left_out.emplace_back();
  for (const UnusedAnswer& each : left_out) {
    Json one = Json::object();
    write_passage(one, "axis", each.axis, blanks);
    write_passage(one, "because", each.because, blanks);
    if (!one.empty()) unused.push_back(one);
  }
  if (!unused.empty()) set(out, "unused", std::move(unused));
  return out;
}

Json question_3(const Answer& answer, bool blanks) {
  Json out = Json::object();
  for (const Axis axis : kAxes) {
    const AxisAnswer& from = answer.axes[static_cast<std::size_t>(axis)];
    if (from.blank() && !blanks) continue;
    Json one = Json::object();
    for (const PassageKey& key : kAxisKeys) {
      write_passage(one, key.key, from.*key.field, blanks);
    }
    write_passage(one, from.is_latency ? "maximum_us" : "minimum_gbps",
                  from.minimum, blanks);
    out[std::string(axis_name(axis))] = one;
  }
  return out;
}

// Where each field of an answer stands in the text that it was read from.
class Readings {
 public:
  Readings(const std::string& answer, Json& out) : answer_(answer), out_(out) {}

  void add(const std::string& field, const Passage& passage) {
    if (passage.blank() || passage.end <= passage.begin) return;
    Json each = Json::object();
    set(each, "field", answer_ + field);
    set(each, "begin", static_cast<std::int64_t>(passage.begin));
    set(each, "end", static_cast<std::int64_t>(passage.end));
    out_.push_back(std::move(each));
  }

  template <std::size_t N>
  void add(const std::string& question, const TextKey (&keys)[N],
           const Answer& answer) {
    for (const TextKey& key : keys) add(question + key.key, answer.*key.field);
  }

 private:
  std::string answer_;
  Json& out_;
};

void add_readings(const Answer& answer, Readings& out) {
  out.add("/q1/", kQ1, answer);
  for (const Axis axis : kAxes) {
    out.add("/q2/" + std::string(axis_name(axis)),
            answer.degrees[static_cast<std::size_t>(axis)]);
  }
  out.add("/q2/", kQ2, answer);
  for (std::size_t i = 0; i < answer.unused.size(); ++i) {
    const std::string at = "/q2/unused/" + std::to_string(i);
    out.add(at + "/axis", answer.unused[i].axis);
    out.add(at + "/because", answer.unused[i].because);
  }
  for (const Axis axis : kAxes) {
    const AxisAnswer& one = answer.axes[static_cast<std::size_t>(axis)];
    const std::string at = "/q3/" + std::string(axis_name(axis)) + "/";
    for (const PassageKey& key : kAxisKeys) {
      out.add(at + key.key, one.*key.field);
    }
    out.add(at + (one.is_latency ? "maximum_us" : "minimum_gbps"), one.minimum);
  }
  out.add("/q4/", kQ4, answer);
  out.add("/q5/", kQ5, answer);
}

Json answer_json(const Answer& answer, bool blanks) {
  Json out = Json::object();
  if (!answer.scenario.empty()) set(out, "scenario", answer.scenario);
  Json q1 = Json::object();
  write_texts(q1, kQ1, answer, blanks);
  Json q4 = Json::object();
  write_texts(q4, kQ4, answer, blanks);
  Json q5 = Json::object();
  write_texts(q5, kQ5, answer, blanks);
  set(out, "q1", q1);
  set(out, "q2", question_2(answer, blanks));
  set(out, "q3", question_3(answer, blanks));
  set(out, "q4", q4);
  set(out, "q5", q5);
  return out;
}

}  // namespace

AnswersDocument read_answers(const Json& json, std::string pointer,
                             std::vector<Problem>& problems) {
  AnswersDocument out;
  if (!json.is_object()) {
    problems.push_back({Code::kWrongType, std::move(pointer),
                        "the answers are no JSON object",
                        "meshwise.answers/1"});
    return out;
  }
  Reader reader(json, std::move(pointer), problems);
  std::string schema;
  reader.text("schema", schema);
  if (schema != "meshwise.answers/1") {
    reader.fail("schema", Code::kUnknownName,
                "the document is no meshwise.answers/1",
                "\"schema\": \"meshwise.answers/1\"");
    return out;
  }
  reader.text("student", out.student);
  const Json* list = reader.value("answers");
  if (list == nullptr || !list->is_array()) {
    reader.fail("answers", Code::kMissing, "answers is no list",
                "[{\"scenario\", \"q1\", … \"q5\"}]");
    return out;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string at = "answers/" + std::to_string(i);
    if (!(*list)[i].is_object()) {
      reader.fail(at.c_str(), Code::kWrongType, "an answer is no object");
      continue;
    }
    Reader each((*list)[i], reader.pointer(at.c_str()), problems);
    out.answers.push_back(read_answer(each));
    out.answers.back().student = out.student;
  }
  reader.finish();
  return out;
}

Json write_answers(const AnswersDocument& document, bool blanks) {
  Json out = Json::object();
  set(out, "schema", "meshwise.answers/1");
  if (!document.student.empty()) set(out, "student", document.student);
  Json list = Json::array();
  for (const Answer& answer : document.answers) {
    list.push_back(answer_json(answer, blanks));
  }
  set(out, "answers", std::move(list));
  return out;
}

Json write_readings(const AnswersDocument& document) {
  Json out = Json::array();
  for (std::size_t i = 0; i < document.answers.size(); ++i) {
    Readings readings("/answers/" + std::to_string(i), out);
    add_readings(document.answers[i], readings);
  }
  return out;
}

}  // namespace meshwise
