// The "variant" object of a scenario document, read.

#include <array>

#include "variant_parts.h"

namespace meshwise {
namespace {

constexpr std::size_t kMostChoices = 16;
constexpr std::size_t kMostOptions = 64;
constexpr std::array<std::string_view, 5> kParts{"model", "cluster", "training",
                                                 "serving", "min_efficiency"};

// An option is laid over the document: it may hold the document's numbers,
// not its texts.
void check_option(Reader& reader, const std::string& at, const Json& option) {
  if (!option.is_object() || option.empty()) {
    reader.fail(at.c_str(), Code::kWrongType, "an option is no object",
                "{\"cluster\": {\"gpus\": 128}} and the like");
    return;
  }
  for (const auto& [key, value] : option.items()) {
    bool known = false;
    for (const std::string_view part : kParts) known = known || part == key;
    if (known) continue;
    reader.fail((at + "/" + key.substr(0, 64)).c_str(), Code::kUnknownKey,
                "an option changes no " + key.substr(0, 64),
                "model, cluster, training, serving, min_efficiency");
  }
}

void read_choices(Reader& reader, VariantBlock& out) {
  const Json* list = reader.value("choices");
  if (list == nullptr || !list->is_array() || list->empty() ||
      list->size() > kMostChoices) {
    reader.fail("choices", list == nullptr ? Code::kMissing : Code::kWrongType,
                "choices is no list of 1 to 16 lists",
                "[[option, option, …], …], one option of each is drawn");
    return;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Json& options = (*list)[i];
    const std::string at = "choices/" + std::to_string(i);
    if (!options.is_array() || options.empty() ||
        options.size() > kMostOptions) {
      reader.fail(at.c_str(), Code::kWrongType,
                  "a choice is no list of 1 to 64 options",
                  "[{\"cluster\": {\"gpus\": 32}}, …]");
      continue;
    }
    out.choices.emplace_back();
    for (std::size_t j = 0; j < options.size(); ++j) {
      check_option(reader, at + "/" + std::to_string(j), options[j]);
      out.choices.back().push_back(options[j]);
    }
  }
}

void read_range(Reader& reader, const char* key, RatioRange& out) {
  const Json* pair = reader.value(key);
  if (pair == nullptr) return;
  const bool numbers = pair->is_array() && pair->size() == 2 &&
                       (*pair)[0].is_number() && (*pair)[1].is_number();
  if (numbers) {
    out = {(*pair)[0].get<double>(), (*pair)[1].get<double>(), true};
  }
  if (!numbers || !(out.least >= 0.0) || !(out.most >= out.least)) {
    reader.fail(key, numbers ? Code::kOutOfRange : Code::kWrongType,
                std::string(key) + " is no range",
                "[least, most], as shares of one GPU's HBM");
  }
}

void read_axes(Reader& reader, const char* key, std::vector<Axis>& out) {
  std::vector<std::string> names;
  reader.texts(key, names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (const std::optional<Axis> axis = axis_from_name(names[i])) {
      out.push_back(*axis);
      continue;
    }
    reader.fail((std::string(key) + "/" + std::to_string(i)).c_str(),
                Code::kUnknownName, "no axis named " + names[i].substr(0, 64),
                "dp, tp, pp, cp, ep");
  }
}

void read_story(Reader reader, VariantStory& out) {
  read_axes(reader, "leading_axes", out.leading);
  read_axes(reader, "used_axes", out.used);
  read_range(reader, "state_times", out.state_times);
  read_range(reader, "activations_times", out.activations_times);
  reader.flag("inside_node", out.inside_node);
  reader.finish();
}

void read_texts(Reader& reader, VariantBlock& out) {
  reader.text("title", out.title);
  if (!reader.text("prompt", out.prompt) && !reader.has("prompt")) {
    reader.fail("prompt", Code::kMissing,
                "a variant needs its prompt: the base's has the base's numbers",
                "a text with placeholders such as {gpus}");
  }
  if (!reader.texts("facts", out.facts) && !reader.has("facts")) {
    reader.fail("facts", Code::kMissing,
                "a variant needs its facts: the base's have the base's numbers",
                "a list of texts with placeholders such as {gpus}");
  }
  const Json* list = reader.value("assumptions");
  if (list == nullptr) return;
  if (!list->is_array()) {
    reader.fail("assumptions", Code::kWrongType, "assumptions is no list",
                "[{\"id\", \"text\"}]");
    return;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string at = "assumptions/" + std::to_string(i);
    if (!(*list)[i].is_object()) {
      reader.fail(at.c_str(), Code::kWrongType, "an assumption is no object",
                  "{\"id\", \"text\"}");
      continue;
    }
    Reader each((*list)[i], reader.pointer(at.c_str()), reader.problems());
    out.assumptions.emplace_back();
    each.text("id", out.assumptions.back().id);
    each.text("text", out.assumptions.back().text);
    each.finish();
  }
}

}  // namespace

VariantBlock read_variant_block(const Json& json, std::string pointer,
                                std::vector<Problem>& problems) {
  VariantBlock out;
  if (!json.is_object()) {
    problems.push_back({Code::kWrongType, std::move(pointer),
                        "variant is no object",
                        "{\"choices\", \"keep\", \"title\", \"prompt\", "
                        "\"facts\", \"assumptions\"}"});
    return out;
  }
  Reader reader(json, std::move(pointer), problems);
  read_choices(reader, out);
  if (auto keep = reader.object("keep")) read_story(*keep, out.story);
  read_texts(reader, out);
  reader.finish();
  return out;
}

}  // namespace meshwise
