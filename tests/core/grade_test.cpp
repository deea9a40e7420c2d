#include "meshwise/grade.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "grade_data.h"
#include "marked_answers.inc"
#include "meshwise/catalog.h"

namespace meshwise {
namespace {

const GradingData& data() {
  static const Result<GradingData> kData = load_grading_data();
  return kData.value();
}
const Catalog& catalog() {
  static const Result<Catalog> kCatalog = Catalog::load();
  return kCatalog.value();
}

std::string prompt_of(const ScenarioDocument& document) {
  std::string prompt = document.prompt;
  for (const std::string& fact : document.facts) prompt += "\n" + fact;
  return prompt;
}

GradeReport graded(const Answer& answer) {
  static GraderCache cache;
  const ScenarioDocument& document = *catalog().scenario(answer.scenario);
  return grade(document.scenario, prompt_of(document), data(),
               read_claims(answer, data().lexicon), cache);
}

CriterionResult find(const GradeReport& report, std::string_view id) {
  for (const QuestionResult& question : report.questions) {
    for (const CriterionResult& one : question.criteria) {
      if (one.id == id) return one;
    }
  }
  return {};
}

struct Marked {
  std::string source;
  Answer answer;
  Json marks;
};

std::vector<Marked> marked() {
  std::vector<Marked> all;
  const Result<Json> json = parse_json(testing::marked_answers());
  for (const Json& one : json.value()) {
    Json document = Json::object();
    document["schema"] = "meshwise.answers/1";
    document["answers"] = Json::array({one["answer"]});
    std::vector<Problem> problems;
    AnswersDocument read = read_answers(document, "", problems);
    EXPECT_TRUE(problems.empty()) << problems.front().message;
    all.push_back(
        {one["source"].get<std::string>(), read.answers.at(0), one["marks"]});
  }
  return all;
}

Answer answer_of(std::string_view source) {
  for (const Marked& one : marked()) {
    if (one.source == source) return one.answer;
  }
  return {};
}

// Marks that the rules give otherwise than the person who marked: a straggler
// or lost node tied to nothing is 2 of 3; a minimum inside the flat ring's
// bracket is defensible; a change of the binding constraint counts; a right
// direction is 1; a reason that was not understood is left to a person.
const std::set<std::string>& known_differences() {
  static const std::set<std::string> kKnown{
      "A-04 q3.minimum", "A-09 q4.mode",  "B-06 q4.mode",
      "B-06 q5.flips",   "C-08 q2.good",  "C-12 q5.flips",
      "C-12 q2.good",    "D-06 q5.flips", "D-12 q5.flips"};
  return kKnown;
}

TEST(Grade, MarkedAnswersGetTheMarksOfTheirMarker) {
  for (const Marked& one : marked()) {
    const GradeReport report = graded(one.answer);
    for (const QuestionResult& question : report.questions) {
      for (const CriterionResult& c : question.criteria) {
        if (known_differences().count(one.source + " " + c.id) > 0) continue;
        EXPECT_NEAR(c.score, one.marks[c.id].get<double>(), 0.15)
            << one.source << " " << c.note << ": " << c.says;
      }
    }
  }
}

TEST(Grade, EveryCriterionHasANoteAndSaysSomething) {
  for (const Marked& one : marked()) {
    for (const QuestionResult& question : graded(one.answer).questions) {
      double score = 0.0;
      double max = 0.0;
      for (const CriterionResult& c : question.criteria) {
        EXPECT_EQ(c.note.rfind(c.id + ".", 0), 0u) << c.note;
        EXPECT_FALSE(c.says.empty()) << c.note;
        EXPECT_LE(c.score, c.max);
        EXPECT_GE(c.score, 0.0);
        EXPECT_EQ(c.verdict == CriterionVerdict::kPass, c.score == c.max);
        score += c.score;
        max += c.max;
      }
      EXPECT_DOUBLE_EQ(question.score, score);
      EXPECT_DOUBLE_EQ(question.max, 5.0);
      EXPECT_DOUBLE_EQ(question.max, max);
    }
  }
}

TEST(Grade, ScenarioAAnsweredWellGetsFullMarks) {
  EXPECT_DOUBLE_EQ(graded(answer_of("A-01")).score, 25.0);
}

TEST(Grade, TheSameWithHalfTheGpusLosesTheProductAndSaysSo) {
  Answer answer = answer_of("A-01");
  answer.degrees[0].text = "32";
  const CriterionResult product = find(graded(answer), "q2.product");
  EXPECT_EQ(product.verdict, CriterionVerdict::kFail);
  EXPECT_NE(product.says.find("32, not to 64"), std::string::npos)
      << product.says;
}

TEST(Grade, ScenarioCWithThePlanOfAIsToldAboutTheScoreMatrix) {
  Answer answer = answer_of("A-01");
  answer.scenario = "C";
  const GradeReport report = graded(answer);
  EXPECT_EQ(find(report, "q1.kind").score, 0.0);
  EXPECT_NE(find(report, "q2.fits").says.find("s^2"), std::string::npos);
}

TEST(Grade, PlansForBThatRunWellAreAllFull) {
  struct Case {
    const char* dp;
    const char* tp;
    const char* zero;
  };
  for (const Case& c :
       {Case{"64", "1", "3"}, Case{"8", "8", ""}, Case{"16", "4", "3"}}) {
    Answer answer = answer_of("B-16");
    answer.micro_batch.text = "";
    answer.degrees[0].text = c.dp;
    answer.degrees[1].text = c.tp;
    answer.zero.text = c.zero;
    const GradeReport report = graded(answer);
    EXPECT_DOUBLE_EQ(find(report, "q2.product").score, 1.0) << c.dp;
    EXPECT_DOUBLE_EQ(find(report, "q2.fits").score, 1.0) << c.dp;
    EXPECT_DOUBLE_EQ(find(report, "q2.good").score, 2.0) << c.dp;
  }
}

TEST(Grade, ServingByARingAtTpEightCanGetFullMarks) {
  Answer answer = answer_of("D-13");
  AxisAnswer& tp = answer.axes[static_cast<std::size_t>(Axis::kTp)];
  tp.algorithm.text = "ring";
  tp.minimum.text = "5 us";
  answer.constraint_because.text =
      "Decode reads the weights, 10.9 ms a token: memory bandwidth. Prefill: "
      "compute.";
  answer.parameter.text = "intra_latency";
  answer.threshold.text = "5.2 us";
  answer.direction.text = "above";
  const GradeReport report = graded(answer);
  EXPECT_DOUBLE_EQ(report.score, 25.0);
  EXPECT_NE(find(report, "q2.good").says.find("24.7"), std::string::npos);
}

TEST(Grade, AnEmptyAnswerIsNotAnsweredAndNeverReview) {
  Answer answer;
  answer.scenario = "A";
  const GradeReport report = graded(answer);
  EXPECT_EQ(report.score, 0.0);
  EXPECT_EQ(report.review, 0);
  for (const QuestionResult& question : report.questions) {
    for (const CriterionResult& c : question.criteria) {
      EXPECT_EQ(c.note, c.id + ".not_answered");
    }
  }
}

TEST(Grade, TextOutsideTheFormIsReviewAndNotZero) {
  Answer answer;
  answer.scenario = "A";
  answer.unread.push_back({1, {"It is the speed that binds.", 3, 30}});
  const GradeReport report = graded(answer);
  const CriterionResult kind = find(report, "q1.kind");
  EXPECT_EQ(kind.verdict, CriterionVerdict::kReview);
  EXPECT_EQ(kind.evidence.text, "It is the speed that binds.");
  EXPECT_EQ(find(report, "q4.mode").verdict, CriterionVerdict::kFail);
}

struct KindCase {
  const char* scenario;
  const char* constraint;
  const char* note;
};

TEST(Grade, TheConstraintIsReadAsAnExaminerWould) {
  const KindCase kCases[] = {
      {"A", "throughput", "right"},
      {"A", "not memory, it is throughput", "right"},
      {"A", "memory", "wrong"},
      {"A", "memory, throughput or latency", "lists_all"},
      {"B", "memory", "unspecified"},
      {"B", "memory: the optimizer state", "right"},
      {"C", "memory-activations", "right"},
      {"C", "memory-state", "wrong"},
      {"C", "memory", "unspecified"},
      {"D", "latency", "right"},
      {"D", "memory bandwidth", "right"},
      {"D", "memory", "wrong"},
      {"A", "the weather", "unread"},
  };
  for (const KindCase& c : kCases) {
    Answer answer;
    answer.scenario = c.scenario;
    answer.constraint.text = c.constraint;
    EXPECT_EQ(find(graded(answer), "q1.kind").note,
              std::string("q1.kind.") + c.note)
        << c.scenario << ": " << c.constraint;
  }
}

struct NumberCase {
  const char* scenario;
  const char* because;
  const char* note;
};

TEST(Grade, ANumberMustBeThePlannersAndOfItsOwnQuantity) {
  const NumberCase kCases[] = {
      {"A", "119.7 GiB of state", "backed"},
      {"A", "128 GiB of state", "backed"},
      {"B", "969 GiB of state against 192 GiB", "backed"},
      {"B", "969 GiB of state", "given"},
      {"B", "969 GiB of activations against 192 GiB", "wrong_kind"},
      {"C", "2577 GiB per layer", "backed"},
      {"A", "it is 6 GiB", "no_match"},
      {"A", "it is large", "no_number"},
      {"A", "119.7 ms of state", "no_match"},
  };
  for (const NumberCase& c : kCases) {
    Answer answer;
    answer.scenario = c.scenario;
    answer.constraint.text = "throughput";
    answer.constraint_because.text = c.because;
    EXPECT_EQ(find(graded(answer), "q1.number").note,
              std::string("q1.number.") + c.note)
        << c.because;
  }
}

struct UnusedCase {
  const char* scenario;
  const char* axis;
  const char* because;
  const char* note;
};

TEST(Grade, AReasonForAnUnusedAxisMustHoldForThatAxis) {
  const UnusedCase kCases[] = {
      {"A", "pp", "the bubble", "holds"},
      {"A", "tp", "the bubble", "does_not_hold"},
      {"A", "tp", "all-reduces on the critical path", "holds"},
      {"A", "tp", "the model fits on one GPU", "holds"},
      {"A", "cp", "the sequence is short", "holds"},
      {"A", "ep", "the model is dense", "holds"},
      {"A", "pp", "no GPUs are left", "consequence"},
      {"A", "pp", "", "no_reason"},
      {"A", "dp", "the bubble", "in_use"},
      {"A", "pp", "my cat said so", "unread"},
      {"C", "cp", "the sequence is short", "does_not_hold"},
  };
  for (const UnusedCase& c : kCases) {
    Answer answer;
    answer.scenario = c.scenario;
    answer.degrees[0].text = c.scenario[0] == 'A' ? "64" : "8";
    answer.degrees[1].text = c.scenario[0] == 'A' ? "1" : "8";
    answer.unused.push_back({{c.axis, 0, 0}, {c.because, 0, 0}});
    EXPECT_EQ(find(graded(answer), "q2.unused").note,
              std::string("q2.unused.") + c.note)
        << c.axis << ": " << c.because;
  }
}

struct FlipCase {
  const char* parameter;
  const char* threshold;
  const char* direction;
  const char* note;
};

TEST(Grade, AThresholdIsTriedByRunningThePlannerAgain) {
  const FlipCase kCases[] = {
      {"sequence length", "16k", "", "near"},
      {"sequence length", "16384 tokens", "above", "near"},
      {"sequence length", "30k tokens", "", "within_two"},
      {"sequence length", "64k tokens", "", "direction"},
      {"HBM", "300 GiB", "", "wrong_direction"},
      {"sequence length", "4096 tokens", "", "current_value"},
      {"sequence length", "1 token", "", "outside_domain"},
      {"sequence length", "16 GiB", "", "wrong_unit"},
      {"sequence length", "much longer", "", "no_value"},
      {"HBM", "138 GiB", "", "near"},
      {"HBM", "149 GB", "", "near"},
      {"HBM", "80 GB", "", "within_two"},
      {"model size", "11.6B", "", "near"},
      {"the answer's quality", "5", "", "unread"},
  };
  for (const FlipCase& c : kCases) {
    Answer answer;
    answer.scenario = "A";
    answer.degrees[0].text = "64";
    answer.parameter.text = c.parameter;
    answer.threshold.text = c.threshold;
    answer.direction.text = c.direction;
    EXPECT_EQ(find(graded(answer), "q5.flips").note,
              std::string("q5.flips.") + c.note)
        << c.parameter << " " << c.threshold;
  }
}

TEST(Grade, APlanWithMoreGpusThanThereAreIsNotFollowed) {
  Answer answer = answer_of("A-01");
  answer.degrees[0].text = "4096";
  const GradeReport report = graded(answer);
  EXPECT_FALSE(report.followed);
  for (const char* id : {"q2.product", "q2.good", "q3.tiers", "q3.minimum",
                         "q4.mode", "q4.symptom"}) {
    EXPECT_EQ(find(report, id).score, 0.0) << id;
  }
}

TEST(Grade, AnAbsurdDegreeNeitherOverflowsNorPasses) {
  Answer answer = answer_of("A-01");
  for (Passage& degree : answer.degrees) degree.text = "1000000000";
  const GradeReport report = graded(answer);
  EXPECT_EQ(find(report, "q2.product").note, "q2.product.too_many");
}

TEST(Grade, APlanThatRunsUnderOtherOptionsIsFollowedThere) {
  const GradeReport report = graded(answer_of("B-08"));
  EXPECT_EQ(find(report, "q2.fits").score, 0.0);
  EXPECT_EQ(find(report, "q3.minimum").score, 2.0);
  EXPECT_EQ(report.plan.zero, 3);
}

TEST(Grade, ResultsDoNotDependOnTheCache) {
  const Answer answer = answer_of("B-16");
  const ScenarioDocument& document = *catalog().scenario("B");
  GraderCache fresh;
  const GradeReport a = grade(document.scenario, prompt_of(document), data(),
                              read_claims(answer, data().lexicon), fresh);
  const GradeReport b = graded(answer);
  ASSERT_EQ(a.questions.size(), b.questions.size());
  for (std::size_t q = 0; q < a.questions.size(); ++q) {
    for (std::size_t c = 0; c < a.questions[q].criteria.size(); ++c) {
      EXPECT_EQ(a.questions[q].criteria[c].says,
                b.questions[q].criteria[c].says);
      EXPECT_EQ(a.questions[q].criteria[c].score,
                b.questions[q].criteria[c].score);
    }
  }
}

TEST(Grade, TheSameConstraintInAAndCBringsANote) {
  std::vector<Answer> answers(2);
  answers[0].scenario = "A";
  answers[1].scenario = "C";
  for (Answer& answer : answers) answer.constraint.text = "throughput";
  const GradeReport a = graded(answers[0]);
  const GradeReport c = graded(answers[1]);
  const std::vector<AcrossNote> notes =
      grade_across({{&catalog().scenario("A")->scenario, &a, nullptr},
                    {&catalog().scenario("C")->scenario, &c, nullptr}});
  ASSERT_FALSE(notes.empty());
  EXPECT_EQ(notes[0].note, "across.same_constraint");
  EXPECT_NE(notes[0].says.find("s^2"), std::string::npos);
}

TEST(Grade, ACopyOfThePromptEarnsNothing) {
  const ScenarioDocument& document = *catalog().scenario("B");
  Answer answer;
  answer.scenario = "B";
  answer.constraint.text = prompt_of(document);
  EXPECT_EQ(graded(answer).questions[0].score, 0.0);
}

TEST(Grade, EveryFailureModeNamesAKnownPredicateAndItsSymptoms) {
  const auto& known = known_predicates();
  for (const FailureMode& mode : data().modes) {
    EXPECT_NE(std::find(known.begin(), known.end(), mode.predicate),
              known.end())
        << mode.id;
    EXPECT_FALSE(mode.symptoms.empty()) << mode.id;
    EXPECT_EQ(data().lexicon.first(data().lexicon.find(mode.title), "mode"),
              mode.id);
  }
}

}  // namespace
}  // namespace meshwise
