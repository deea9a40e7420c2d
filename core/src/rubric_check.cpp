#include "rubric_check.h"

#include <algorithm>
#include <cmath>

namespace meshwise {
namespace {

// Marks are halves and quarters, sums of them exact.
constexpr double kSlack = 1e-9;

bool asked_in(const CriterionRule& rule, Phase phase) {
  return rule.phases.empty() ||
         std::find(rule.phases.begin(), rule.phases.end(), phase) !=
             rule.phases.end();
}

double question_marks(const QuestionRule& question, Phase phase) {
  double sum = 0.0;
  for (const CriterionRule& rule : question.criteria) {
    if (asked_in(rule, phase)) sum += rule.marks;
  }
  return sum;
}

const QuestionRule* question_of(const Rubric& rubric, std::string_view id) {
  for (const QuestionRule& each : rubric.questions) {
    if (each.id == id) return &each;
  }
  return nullptr;
}

class RubricChecker {
 public:
  RubricChecker(const Json& json, const Rubric& rubric, const Rubric& standard,
                std::string pointer, std::vector<Problem>& problems)
      : json_(json),
        rubric_(rubric),
        standard_(standard),
        at_(std::move(pointer)),
        problems_(problems) {}

  void run() {
    schema();
    questions();
    for (const QuestionRule& each : standard_.questions) complete(each);
    if (json_.contains("marks")) {
      stated(json_, "/marks", rubric_marks(rubric_, Phase::kTraining),
             rubric_marks(rubric_, Phase::kServing), "the rubric");
    }
    part_marks();
    tolerances();
  }

 private:
  void fail(Code code, const std::string& at, std::string message,
            std::string hint = "") {
    problems_.push_back({code, at_ + at, std::move(message), std::move(hint)});
  }

  void schema() {
    const auto it = json_.find("schema");
    if (it != json_.end() && it->is_string() &&
        it->get<std::string>() == "meshwise.rubric/1") {
      return;
    }
    fail(it == json_.end() ? Code::kMissing : Code::kUnknownName, "/schema",
         "the schema is no meshwise.rubric/1", "meshwise.rubric/1");
  }

  void questions() {
    for (std::size_t i = 0; i < rubric_.questions.size(); ++i) {
      const std::string at = "/questions/" + std::to_string(i);
      const QuestionRule& question = rubric_.questions[i];
      const QuestionRule* known = question_of(standard_, question.id);
      if (known == nullptr || i >= standard_.questions.size() ||
          &standard_.questions[i] != known) {
        fail(Code::kUnknownName, at + "/id",
             "question " + std::to_string(i + 1) + " is no " +
                 question.id.substr(0, 64),
             "q1 to q5, in this order");
        continue;
      }
      criteria(question, *known, at);
      const Json& json = json_["questions"][i];
      const double training = question_marks(question, Phase::kTraining);
      const double serving = question_marks(question, Phase::kServing);
      if (json.contains("marks")) {
        stated(json, at + "/marks", training, serving, question.id);
      } else if (std::fabs(training - serving) > kSlack) {
        fail(Code::kInconsistent, at + "/criteria",
             question.id + " is worth " + plain_number(training) +
                 " in training and " + plain_number(serving) + " in serving",
             "the same marks in both phases");
      }
    }
  }

  // The marks that a document states against those of its criteria.
  void stated(const Json& json, const std::string& at, double training,
              double serving, const std::string& what) {
    const Json& marks = json["marks"];
    if (!marks.is_number()) {
      fail(Code::kWrongType, at, "marks is no number", plain_number(training));
      return;
    }
    for (const double sum : {training, serving}) {
      if (std::fabs(sum - marks.get<double>()) <= kSlack) continue;
      fail(Code::kInconsistent, at,
           what + " is said to be worth " + plain_number(marks.get<double>()) +
               ", and its criteria sum to " + plain_number(sum) + " in " +
               (sum == training ? "training" : "serving"),
           plain_number(sum));
      return;
    }
  }

  void criteria(const QuestionRule& question, const QuestionRule& known,
                const std::string& at) {
    std::vector<std::string> ids;
    for (const CriterionRule& each : known.criteria) ids.push_back(each.id);
    std::vector<std::string> seen;
    for (std::size_t j = 0; j < question.criteria.size(); ++j) {
      const std::string& id = question.criteria[j].id;
      const std::string place = at + "/criteria/" + std::to_string(j) + "/id";
      if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
        const std::string near = near_names(id, ids);
        fail(Code::kUnknownName, place,
             "no criterion of " + known.id + " is named " + id.substr(0, 64),
             near.empty() ? join(ids) : "did you mean " + near + "?");
      } else if (std::find(seen.begin(), seen.end(), id) != seen.end()) {
        fail(Code::kInconsistent, place, id + " stands twice");
      }
      seen.push_back(id);
    }
  }

  static std::string join(const std::vector<std::string>& list) {
    std::string out;
    for (const std::string& each : list) {
      out += (out.empty() ? "" : ", ") + each;
    }
    return out;
  }

  // Every criterion is judged: one that shall not count has 0 marks.
  void complete(const QuestionRule& known) {
    const QuestionRule* question = question_of(rubric_, known.id);
    if (question == nullptr) {
      fail(Code::kMissing, "/questions", "the rubric leaves out " + known.id,
           "every question; 0 marks where one shall not count");
      return;
    }
    for (const CriterionRule& rule : known.criteria) {
      if (rubric_.find(rule.id) != nullptr) continue;
      fail(Code::kMissing,
           "/questions/" + std::to_string(question - rubric_.questions.data()) +
               "/criteria",
           "the rubric leaves out " + rule.id,
           "every criterion; 0 marks where one shall not count");
    }
  }

  void at_most(const char* key, double value, const char* of) {
    const CriterionRule* rule = rubric_.find(of);
    if (rule == nullptr || value <= rule->marks) return;
    fail(Code::kInconsistent, std::string("/part_marks/") + key,
         std::string(key) + " = " + plain_number(value) + " is over " + of +
             "'s " + plain_number(rule->marks),
         "0 to " + plain_number(rule->marks));
  }

  void part_marks() {
    at_most("kind_unspecified", rubric_.kind_unspecified, "q1.kind");
    at_most("mode_generic", rubric_.mode_generic, "q4.mode");
    at_most("mode_vague", rubric_.mode_vague, "q4.mode");
    at_most("symptom_event", rubric_.symptom_event, "q4.symptom");
    at_most("flips_half", rubric_.flips_half, "q5.flips");
    at_most("flips_direction", rubric_.flips_direction, "q5.flips");
    at_most("serving_pipeline", rubric_.serving_pipeline, "q2.good");
  }

  void ordered(const char* less, double a, const char* more, double b) {
    if (a <= b) return;
    fail(Code::kInconsistent, std::string("/tolerances/") + less,
         std::string(less) + " = " + plain_number(a) + " is over " + more +
             " = " + plain_number(b),
         "at most " + plain_number(b));
  }

  void tolerances() {
    const Tolerances& t = rubric_.tolerances;
    ordered("good_none", t.good_none, "good_full", t.good_full);
    ordered("threshold_full", t.threshold_full, "threshold_half",
            t.threshold_half);
    ordered("budget_least", t.budget_least, "budget_most", t.budget_most);
    ordered("hbm_bandwidth_least_gbps", t.hbm_bandwidth_least / 1e9,
            "hbm_bandwidth_most_gbps", t.hbm_bandwidth_most / 1e9);
  }

  const Json& json_;
  const Rubric& rubric_;
  const Rubric& standard_;
  std::string at_;
  std::vector<Problem>& problems_;
};

}  // namespace

void check_rubric(const Json& json, const Rubric& rubric,
                  const Rubric& standard, const std::string& pointer,
                  std::vector<Problem>& problems) {
  RubricChecker(json, rubric, standard, pointer, problems).run();
}

double rubric_marks(const Rubric& rubric, Phase phase) {
  double sum = 0.0;
  for (const QuestionRule& each : rubric.questions) {
    sum += question_marks(each, phase);
  }
  return sum;
}

}  // namespace meshwise
