#include "grade_data.h"

#include <algorithm>

#include "embedded.h"

namespace meshwise {
namespace {

constexpr double kMostMarks = 1000.0;

void read_phases(Reader& reader, std::vector<Phase>& out) {
  std::vector<std::string> names;
  if (!reader.texts("phases", names)) return;
  for (const std::string& name : names) {
    if (name != "training" && name != "serving") {
      reader.fail("phases", Code::kUnknownName, "no phase named " + name,
                  "training, serving");
      continue;
    }
    out.push_back(name == "serving" ? Phase::kServing : Phase::kTraining);
  }
}

// Calls read(reader, value) for each object of a list.
template <class T, class ReadOne>
void read_list(Reader& reader, const char* key, std::vector<T>& out,
               ReadOne read) {
  const Json* list = reader.value(key);
  if (list == nullptr || !list->is_array()) {
    reader.fail(key, list == nullptr ? Code::kMissing : Code::kWrongType,
                std::string(key) + " is no list");
    return;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string at = std::string(key) + "/" + std::to_string(i);
    if (!(*list)[i].is_object()) {
      reader.fail(at.c_str(), Code::kWrongType, "no object");
      continue;
    }
    Reader each((*list)[i], reader.pointer(at.c_str()), reader.problems());
    T value;
    read(each, value);
    each.finish();
    out.push_back(std::move(value));
  }
}

void need_number(Reader& reader, const char* key, double& out, double lower,
                 double upper) {
  if (!reader.has(key)) {
    reader.fail(key, Code::kMissing,
                std::string(key) +
                    " is left out: a criterion without its "
                    "tolerance or marks does not load");
  }
  reader.number(key, out, lower, upper);
}

void read_criterion(Reader& reader, CriterionRule& rule) {
  reader.text("id", rule.id);
  reader.text("text", rule.text);
  need_number(reader, "marks", rule.marks, 0.0, kMostMarks);
  read_phases(reader, rule.phases);
}

void read_question(Reader& reader, QuestionRule& rule) {
  reader.text("id", rule.id);
  reader.text("text", rule.text);
  reader.skip("marks");  // the sum, held by check_rubric()
  read_list(reader, "criteria", rule.criteria, read_criterion);
}

void read_tolerances(Reader& reader, Tolerances& t) {
  need_number(reader, "number", t.number, 0.0, 1.0);
  need_number(reader, "consistent", t.consistent, 0.0, 1.0);
  need_number(reader, "minimum_below", t.minimum_below, 0.01, 1.0);
  need_number(reader, "minimum_above", t.minimum_above, 1.0, 100.0);
  need_number(reader, "budget_least", t.budget_least, 0.0, 1.0);
  need_number(reader, "budget_most", t.budget_most, 0.0, 1.0);
  need_number(reader, "good_full", t.good_full, 0.0, 1.0);
  need_number(reader, "good_none", t.good_none, 0.0, 1.0);
  need_number(reader, "threshold_full", t.threshold_full, 1.0, 100.0);
  need_number(reader, "threshold_half", t.threshold_half, 1.0, 100.0);
  need_number(reader, "mode_share", t.mode_share, 0.0, 1.0);
  need_number(reader, "critical_share", t.critical_share, 0.0, 1.0);
  need_number(reader, "batch_slack", t.batch_slack, 1.0, 10.0);
  double least = 0.0;
  double most = 0.0;
  need_number(reader, "hbm_bandwidth_least_gbps", least, 0.0, 1e6);
  need_number(reader, "hbm_bandwidth_most_gbps", most, 0.0, 1e6);
  t.hbm_bandwidth_least = least * kGB;
  t.hbm_bandwidth_most = most * kGB;
  reader.finish();
}

void read_part_marks(Reader& reader, Rubric& rubric) {
  need_number(reader, "kind_unspecified", rubric.kind_unspecified, 0.0,
              kMostMarks);
  need_number(reader, "mode_generic", rubric.mode_generic, 0.0, kMostMarks);
  need_number(reader, "mode_vague", rubric.mode_vague, 0.0, kMostMarks);
  need_number(reader, "symptom_event", rubric.symptom_event, 0.0, kMostMarks);
  need_number(reader, "flips_half", rubric.flips_half, 0.0, kMostMarks);
  need_number(reader, "flips_direction", rubric.flips_direction, 0.0,
              kMostMarks);
  need_number(reader, "serving_pipeline", rubric.serving_pipeline, 0.0,
              kMostMarks);
  reader.finish();
}

void read_symptom(Reader& reader, SymptomRule& rule) {
  reader.text("id", rule.id);
  reader.text("metric", rule.metric);
  reader.text("direction", rule.direction);
  reader.texts("words", rule.words);
}

void read_mode(Reader& reader, FailureMode& mode) {
  reader.text("id", mode.id);
  reader.text("title", mode.title);
  reader.text("predicate", mode.predicate);
  read_phases(reader, mode.phases);
  reader.flag("generic", mode.generic);
  reader.texts("words", mode.words);
  read_list(reader, "symptoms", mode.symptoms, read_symptom);
  const auto& known = known_predicates();
  if (std::find(known.begin(), known.end(), mode.predicate) == known.end()) {
    reader.fail("predicate", Code::kUnknownName,
                "no predicate named " + mode.predicate);
  }
}

void read_unit(Reader& reader, UnitWord& unit) {
  std::string dimension;
  reader.text("text", unit.text);
  reader.text("dimension", dimension);
  bool known = false;
  for (int i = 0; i < kDimensionCount; ++i) {
    const auto each = static_cast<Dimension>(i);
    if (dimension_name(each) != dimension) continue;
    unit.dimension = each;
    known = true;
  }
  if (!known) {
    reader.fail("dimension", Code::kUnknownName,
                "no dimension named " + dimension);
  }
  reader.number("factor", unit.factor, 0.0, 1e30);
  reader.flag("binary", unit.binary);
  reader.flag("bits", unit.bits);
  reader.flag("any_case", unit.any_case);
}

void read_concepts(Reader& reader, std::vector<ConceptWords>& out) {
  const Json* groups = reader.value("concepts");
  if (groups == nullptr || !groups->is_object()) {
    reader.fail("concepts", Code::kMissing, "concepts is no object");
    return;
  }
  for (const auto& [group, ids] : groups->items()) {
    const std::string at = "concepts/" + group;
    if (!ids.is_object()) {
      reader.fail(at.c_str(), Code::kWrongType, "a group is an object");
      continue;
    }
    Reader each(ids, reader.pointer(at.c_str()), reader.problems());
    for (const auto& [id, words] : ids.items()) {
      ConceptWords concept_words{group, id, {}};
      each.texts(id.c_str(), concept_words.words);
      out.push_back(std::move(concept_words));
    }
  }
}

// Header keys that every data file has.
void skip_head(Reader& reader) {
  reader.skip("schema");
  reader.skip("source");
  reader.skip("as_of");
}

std::optional<Problem> read_file(const EmbeddedFile& file, GradingData& data,
                                 LexiconData& words) {
  const Result<Json> json = parse_json(file.text);
  if (!json) return json.problem();
  std::vector<Problem> problems;
  Reader reader(*json, "", problems);
  skip_head(reader);
  if (file.path == "rubric.json") {
    data.rubric = read_rubric(*json, "", problems);
    return problems.empty() ? std::nullopt
                            : std::optional<Problem>(problems.front());
  }
  if (file.path == "failure_modes.json") {
    read_list(reader, "failure_modes", data.modes, read_mode);
  } else {
    read_list(reader, "units", words.units, read_unit);
    read_concepts(reader, words.concepts);
    reader.texts("negations", words.negations);
    reader.texts("breaks", words.breaks);
  }
  reader.finish();
  if (problems.empty()) return std::nullopt;
  return problems.front();
}

}  // namespace

Rubric read_rubric(const Json& json, std::string pointer,
                   std::vector<Problem>& problems) {
  Rubric out;
  if (!json.is_object()) {
    problems.push_back({Code::kWrongType, std::move(pointer),
                        "a rubric is an object", "meshwise.rubric/1"});
    return out;
  }
  Reader reader(json, std::move(pointer), problems);
  skip_head(reader);
  reader.text("version", out.version);
  reader.skip("marks");  // the sum, held by check_rubric()
  read_list(reader, "questions", out.questions, read_question);
  if (auto part = reader.object("tolerances")) {
    read_tolerances(*part, out.tolerances);
  } else if (!reader.has("tolerances")) {
    reader.fail("tolerances", Code::kMissing, "the rubric has no tolerances");
  }
  if (auto part = reader.object("part_marks")) {
    read_part_marks(*part, out);
  } else if (!reader.has("part_marks")) {
    reader.fail("part_marks", Code::kMissing, "the rubric has no part_marks");
  }
  reader.finish();
  return out;
}

Result<GradingData> load_grading_data() {
  GradingData data;
  LexiconData words;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path != "rubric.json" && file.path != "failure_modes.json" &&
        file.path != "units.json") {
      continue;
    }
    if (std::optional<Problem> problem = read_file(file, data, words)) {
      problem->message = std::string(file.path) + ": " + problem->message;
      return *problem;
    }
  }
  add_modes(words, data.modes);
  data.lexicon = Lexicon(words);
  return data;
}

std::string digest(std::string_view text) {
  static const char* kHex = "0123456789abcdef";
  std::uint64_t hash = 14695981039346656037ull;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ull;
  }
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) out[i] = kHex[hash & 15u];
  return out;
}

Json report_json(const GradeReport& report, bool worked) {
  Json questions = Json::array();
  for (const QuestionResult& question : report.questions) {
    Json criteria = Json::array();
    for (const CriterionResult& c : question.criteria) {
      Json each = Json::object();
      set(each, "id", c.id);
      put(each, "score", c.score);
      put(each, "max", c.max);
      set(each, "verdict", criterion_verdict_name(c.verdict));
      set(each, "note", c.note);
      Json evidence = Json::object();
      set(evidence, "text", c.evidence.text);
      set(evidence, "begin", c.evidence.begin);
      set(evidence, "end", c.evidence.end);
      set(evidence, "read_as", c.evidence.read_as);
      set(each, "evidence", std::move(evidence));
      set(each, "says", c.says);
      if (!c.hint.empty()) set(each, "hint", c.hint);
      if (worked && !c.worked.empty()) set(each, "worked", c.worked);
      if (c.number) {
        Json number = Json::object();
        set(number, "label", c.number->label);
        put(number, "value", c.number->value);
        set(number, "unit", c.number->unit);
        set(each, "number", std::move(number));
      }
      criteria.push_back(std::move(each));
    }
    Json one = Json::object();
    set(one, "id", question.id);
    put(one, "score", question.score);
    put(one, "max", question.max);
    set(one, "criteria", std::move(criteria));
    questions.push_back(std::move(one));
  }
  return questions;
}

}  // namespace meshwise
