#include "meshwise/variant.h"

#include <algorithm>
#include <array>

#include "meshwise/constraint.h"
#include "meshwise/decode.h"
#include "meshwise/search.h"
#include "request.h"
#include "variant_parts.h"

namespace meshwise {
namespace {

constexpr std::uint32_t kCheckedSeeds = 8;
// Plans that the draws of one seed may try in all, so that choices which
// always lose the story do not run for minutes: about a second of work.
constexpr std::size_t kMaxVariantPlans = 1'500'000;

// splitmix64: Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
// generators", with the constants of Vigna's public-domain text. Whole numbers
// only, so that a seed draws the same everywhere.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : state_(seed) {}

  // 0 to n - 1; n below 2^32.
  std::size_t below(std::size_t n) {
    const std::uint64_t high = next() >> 32u;
    return static_cast<std::size_t>((high * static_cast<std::uint64_t>(n)) >>
                                    32u);
  }

 private:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30u)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27u)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31u);
  }

  std::uint64_t state_;
};

// Why a draw was thrown away.
enum class Rejection : std::uint8_t {
  kNone,
  kSameNumbers,
  kValues,
  kConstraint,
  kMemory,
  kNoPlan,
  kTarget,
  kAxes,
  kSize
};
constexpr std::array<std::string_view, 9> kRejections{
    "",
    "fewer than half of the choices differ from the scenario's own values",
    "the values do not go together",
    "another constraint binds",
    "state or activations leave the range that is kept",
    "no plan runs",
    "the best plan misses the target",
    "the best plan is of another kind than is kept",
    "there are too many plans to try"};

bool within(double value, const RatioRange& range) {
  return !range.given || (value >= range.least && value <= range.most);
}

// The kind of the best plan: which axis leads, and which are used.
bool same_kind(const Plan& plan, const VariantStory& story) {
  int greatest = 1;
  for (const Axis axis : kAxes) {
    greatest = std::max(greatest, degree(plan, axis));
  }
  const auto leads = [&](Axis axis) { return degree(plan, axis) == greatest; };
  const auto used = [&](Axis axis) { return degree(plan, axis) > 1; };
  return (story.leading.empty() ||
          std::any_of(story.leading.begin(), story.leading.end(), leads)) &&
         std::all_of(story.used.begin(), story.used.end(), used);
}

Rejection serving_story(const Scenario& s, const VariantStory& story) {
  const std::vector<DecodePlan> plans = decode_plans(s, Algorithm::kRing);
  if (plans.empty()) return Rejection::kNoPlan;
  const DecodePlan& best = plans.front();
  if (!best.time.slo_met) return Rejection::kTarget;
  if (!best.time.feasible()) return Rejection::kNoPlan;
  const std::int64_t replica = gpus_used(best.plan) / best.plan.dp;
  const bool inside = replica <= s.cluster.tiers[0].gpus && best.plan.tp > 1;
  if (story.inside_node && !inside) return Rejection::kAxes;
  // Replicas that serve other requests are no choice of the plan's axes.
  Plan axes = best.plan;
  axes.dp = 1;
  return same_kind(axes, story) ? Rejection::kNone : Rejection::kAxes;
}

Rejection training_story(const Scenario& s, const VariantStory& story) {
  const std::optional<Evaluation> best = best_plan(s);
  if (!best) return Rejection::kNoPlan;
  if (best->throughput.speedup < s.training.target_speedup) {
    return Rejection::kTarget;
  }
  return same_kind(best->plan, story) ? Rejection::kNone : Rejection::kAxes;
}

// Takes what the planner will try from the budget; false where it is used up.
// A serving scenario tries each replica size.
bool spend(const Scenario& s, std::size_t& budget) {
  const std::size_t count =
      s.phase == Phase::kServing
          ? static_cast<std::size_t>(s.cluster.gpus)
          : count_plans(s, SearchOptions{}.max_micro_batch, budget + 1);
  if (count > budget) return false;
  budget -= count;
  return true;
}

// Whether the planner tells the same story of these numbers: the cheap
// questions first.
Rejection story_of(const Scenario& s, Constraint constraint,
                   const VariantStory& story, std::size_t& budget) {
  const bool serving = s.phase == Phase::kServing;
  if (serving && !spend(s, budget)) return Rejection::kSize;
  const Binding binding = binding_constraint(s);
  if (binding.constraint != constraint) return Rejection::kConstraint;
  if (!within(binding.state / binding.capacity, story.state_times) ||
      !within(binding.activations / binding.capacity,
              story.activations_times)) {
    return Rejection::kMemory;
  }
  if (serving) return serving_story(s, story);
  return spend(s, budget) ? training_story(s, story) : Rejection::kSize;
}

// One option of each choice, laid over the document.
Rejection draw(Generator& generator, const VariantBlock& block,
               Json& document) {
  std::size_t changed = 0;
  for (const std::vector<Json>& options : block.choices) {
    const Json before = document;
    document.merge_patch(options[generator.below(options.size())]);
    if (document != before) ++changed;
  }
  return 2 * changed < block.choices.size() ? Rejection::kSameNumbers
                                            : Rejection::kNone;
}

// A text of the block in place of the document's own; `at` under /variant.
std::optional<Problem> put_text(Json& out, const std::string& text,
                                const std::vector<TextValue>& values,
                                const std::string& at) {
  std::string filled = text;
  const std::string unknown = fill_text(filled, values);
  if (unknown.empty()) {
    out = std::move(filled);
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const TextValue& each : values) names.emplace_back(each.name);
  std::string hint;
  for (const std::string& name : names)
    hint += (hint.empty() ? "" : ", ") + name;
  return Problem{Code::kUnknownName, "/variant/" + at,
                 unknown == "{" ? "a placeholder is not closed with }"
                                : "the scenario has no value for {" +
                                      unknown.substr(0, 64) + "}",
                 hint};
}

std::optional<Problem> write_texts(const VariantBlock& block,
                                   const std::vector<TextValue>& values,
                                   Json& document) {
  std::optional<Problem> problem;
  if (!block.title.empty()) {
    problem = put_text(document["title"], block.title, values, "title");
    if (problem) return problem;
  }
  problem = put_text(document["prompt"], block.prompt, values, "prompt");
  Json facts = Json::array();
  for (std::size_t i = 0; i < block.facts.size() && !problem; ++i) {
    facts.emplace_back();
    problem = put_text(facts.back(), block.facts[i], values,
                       "facts/" + std::to_string(i));
  }
  set(document, "facts", std::move(facts));
  if (block.assumptions.empty()) return problem;
  Json list = Json::array();
  for (std::size_t i = 0; i < block.assumptions.size() && !problem; ++i) {
    list.push_back(Json::object());
    set(list.back(), "id", block.assumptions[i].id);
    problem = put_text(list.back()["text"], block.assumptions[i].text, values,
                       "assumptions/" + std::to_string(i) + "/text");
  }
  set(document, "assumptions", std::move(list));
  return problem;
}

Problem no_variant(const std::string& id,
                   const std::array<int, kRejections.size()>& counts) {
  const auto most = std::max_element(counts.begin(), counts.end());
  return {Code::kInconsistent, "/variant",
          "no variant " + id + ": " + std::to_string(kMaxVariantTries) +
              " draws all lose the story, most often because " +
              std::string(
                  kRejections[static_cast<std::size_t>(most - counts.begin())]),
          "another seed, or wider choices"};
}

// The document without its variant object, under the variant's id.
Json bare_document(const Json& base, const std::string& id,
                   const std::string& source) {
  Json out = base;
  out.erase("variant");
  set(out, "id", id);
  if (!source.empty()) set(out, "source", source + "; variant " + id);
  return out;
}

Result<ScenarioDocument> draw_variant(const VariantBlock& block,
                                      const Json& bare, Constraint constraint,
                                      std::uint32_t seed,
                                      const Catalog& catalog) {
  Generator generator(seed);
  std::array<int, kRejections.size()> counts{};
  std::size_t budget = kMaxVariantPlans;
  for (int i = 0; i < kMaxVariantTries; ++i) {
    Json document = bare;
    Rejection why = draw(generator, block, document);
    ScenarioDocument read;
    if (why == Rejection::kNone) {
      std::vector<Problem> wrong;
      read = read_scenario_document(document, "", catalog, wrong);
      why = wrong.empty()
                ? story_of(read.scenario, constraint, block.story, budget)
                : Rejection::kValues;
    }
    if (why != Rejection::kNone) {
      ++counts[static_cast<std::size_t>(why)];
      continue;
    }
    if (auto problem =
            write_texts(block, text_values(read.scenario), document)) {
      return *problem;
    }
    std::vector<Problem> wrong;
    return read_scenario_document(document, "", catalog, wrong);
  }
  return no_variant(bare["id"].get<std::string>(), counts);
}

// True where the value that a pointer names stands in the option.
bool holds(const Json& option, std::string_view pointer) {
  const Json* at = &option;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    if (at->is_array()) return true;
    const auto it = at->find(std::string(pointer.substr(0, end)));
    if (!at->is_object() || it == at->end()) return false;
    at = &*it;
    pointer.remove_prefix(end);
  }
  return true;
}

// An option alone may contradict the document's other values; what it holds
// itself must be right.
void check_options(const VariantBlock& block, const Json& bare,
                   const Catalog& catalog, std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < block.choices.size(); ++i) {
    for (std::size_t j = 0; j < block.choices[i].size(); ++j) {
      const Json& option = block.choices[i][j];
      Json document = bare;
      document.merge_patch(option);
      std::vector<Problem> found;
      static_cast<void>(read_scenario_document(document, "", catalog, found));
      for (Problem& each : found) {
        if (each.code == Code::kInconsistent || !holds(option, each.at)) {
          continue;
        }
        each.at = "/variant/choices/" + std::to_string(i) + "/" +
                  std::to_string(j) + each.at;
        problems.push_back(std::move(each));
      }
    }
  }
}

}  // namespace

Result<ScenarioDocument> make_variant(const ScenarioDocument& base,
                                      std::uint32_t seed,
                                      const Catalog& catalog) {
  const Result<Json> json = parse_json(base.text);
  if (!json) return json.problem();
  const std::string id = base.scenario.id + "#" + std::to_string(seed);
  if (!json->contains("variant")) {
    return Problem{Code::kMissing, "/variant",
                   "no variant " + id + ": scenario " + base.scenario.id +
                       " has no variant object",
                   "a \"variant\" object in its document"};
  }
  std::vector<Problem> problems;
  const VariantBlock block =
      read_variant_block((*json)["variant"], "/variant", problems);
  if (!problems.empty()) return problems.front();
  return draw_variant(block, bare_document(*json, id, base.source),
                      binding_constraint(base.scenario).constraint, seed,
                      catalog);
}

void check_variant(const Json& document, const ScenarioDocument& base,
                   const Catalog& catalog, std::vector<Problem>& problems) {
  const std::size_t before = problems.size();
  const VariantBlock block =
      read_variant_block(document["variant"], "/variant", problems);
  if (problems.size() > before) return;
  check_options(block, bare_document(document, base.scenario.id, ""), catalog,
                problems);
  for (std::uint32_t seed = 0;
       seed < kCheckedSeeds && problems.size() == before; ++seed) {
    const Result<ScenarioDocument> made = make_variant(base, seed, catalog);
    if (!made) problems.push_back(made.problem());
  }
}

}  // namespace meshwise
