#include "meshwise/sheet.h"

#include <algorithm>

#include "sheet_fields.h"

namespace meshwise {
namespace {

constexpr const char* kTitles[5] = {
    "1. Binding constraint", "2. Axes and degrees",
    "3. Tiers and minimum bandwidth", "4. Failure mode",
    "5. What would change the answer"};

bool is_space(char c) { return c == ' ' || c == '\t'; }

// A value that stands on its line as it is.
bool plain(const std::string& text) {
  if (text.empty()) return true;
  const auto edge = [](char c) { return is_space(c); };
  if (edge(text.front()) || edge(text.back())) return false;
  return text.find_first_of("\r\n") == std::string::npos;
}

// Other text: each line behind "  | ", with \ and CR escaped.
void write_value(const std::string& text, std::string& out) {
  if (plain(text)) {
    if (!text.empty()) out += " " + text;
    out += "\n";
    return;
  }
  out += "\n  | ";
  for (char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\n') {
      out += "\n  | ";
    } else {
      out += c;
    }
  }
  out += "\n";
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

void write_quoted(const std::string& text, std::string& out) {
  if (text.empty()) return;
  out += "> ";
  for (char c : text) {
    if (c == '\n') {
      out += "\n> ";
    } else if (c != '\r') {
      out += c;
    }
  }
  out += "\n\n";
}

void write_label(const std::string& label, const std::string& guidance,
                 std::string& out) {
  std::string shown = label;
  const bool axis = label.size() > 1 && label[1] == 'p' &&
                    (label.size() == 2 || label[2] == ' ');
  if (!axis && label[0] >= 'a' && label[0] <= 'z') {
    shown[0] = static_cast<char>(shown[0] - 32);
  }
  out += "- " + shown;
  if (!guidance.empty()) out += " (" + guidance + ")";
  out += ":";
}

void write_unused(const Answer& answer, std::string& out) {
  bool any = false;
  for (const UnusedAnswer& one : answer.unused) {
    if (one.axis.text.empty() && one.because.text.empty()) continue;
    any = true;
    write_label("unused axis", "left out on purpose", out);
    write_value(one.axis.text, out);
    write_label("unused because", "", out);
    write_value(one.because.text, out);
  }
  if (any) return;
  write_label("unused axis", "left out on purpose", out);
  write_value("", out);
  write_label("unused because", "", out);
  write_value("", out);
}

void write_question(const SheetScenario& scenario, Answer& answer,
                    const std::vector<SheetField>& fields, int question,
                    std::string& out) {
  const auto q = static_cast<std::size_t>(question - 1);
  out += std::string("### ") + kTitles[q] + "\n\n";
  write_quoted(scenario.questions[q], out);
  for (const SheetField& field : fields) {
    if (field.question != question) continue;
    const std::string& value = passage_of(answer, field).text;
    const bool training = scenario.phase == Phase::kTraining;
    const bool other_unit =
        field.axis_field == &AxisAnswer::minimum &&
        answer.axes[static_cast<std::size_t>(field.index)].is_latency !=
            field.latency;
    const bool filled = !value.empty() && !other_unit;
    const bool stands = training ? field.training : field.serving;
    // A minimum of the other unit takes the empty line's place.
    if (!filled && (!stands || (other_unit && !value.empty()))) continue;
    write_label(field.label, field.guidance, out);
    write_value(filled ? value : "", out);
  }
  if (question == 2) write_unused(answer, out);
  out += "\n";
}

}  // namespace

std::vector<SheetField> sheet_fields() {
  std::vector<SheetField> fields;
  const auto add = [&](int question, const char* label, const char* guidance,
                       Passage Answer::*field, bool training = true,
                       bool serving = true) {
    SheetField one;
    one.question = question;
    one.label = label;
    one.guidance = guidance;
    one.field = field;
    one.training = training;
    one.serving = serving;
    fields.push_back(one);
  };
  add(1, "constraint", "memory-state, memory-activations, throughput, latency",
      &Answer::constraint);
  add(1, "because", "with a number", &Answer::constraint_because);
  add(1, "prefill is bound by", "", &Answer::prefill, false);
  add(1, "decode is bound by", "", &Answer::decode, false);
  for (Axis axis : kAxes) {
    SheetField one;
    one.question = 2;
    one.label = axis_name(axis);
    one.index = static_cast<int>(axis);
    one.serving = axis != Axis::kCp && axis != Axis::kEp;
    fields.push_back(one);
  }
  add(2, "zero stage", "0 to 3", &Answer::zero, true, false);
  add(2, "recompute", "none, selective or full", &Answer::recompute, true,
      false);
  add(2, "micro batch", "sequences", &Answer::micro_batch, true, false);
  add(2, "global batch", "sequences, or tokens", &Answer::global_batch, true,
      false);
  add(2, "gpus used", "where not all", &Answer::gpus);
  add(2, "batch", "sequences", &Answer::batch, false);
  add(2, "context", "tokens", &Answer::context, false);
  add(2, "hbm bandwidth", "TB/s, where you assume another",
      &Answer::hbm_bandwidth, false);
  for (Axis axis : kAxes) {
    const std::string name(axis_name(axis));
    const auto put = [&](const char* label, const char* guidance,
                         Passage AxisAnswer::*field, bool training,
                         bool serving, bool latency) {
      SheetField one;
      one.question = 3;
      one.label = name + " " + label;
      one.guidance = guidance;
      one.axis_field = field;
      one.index = static_cast<int>(axis);
      one.training = training && axis != Axis::kEp;
      one.serving = serving && (axis == Axis::kTp || axis == Axis::kPp);
      one.latency = latency;
      fields.push_back(one);
    };
    put("tier", "intra-node or inter-node", &AxisAnswer::tier, true, true,
        false);
    put("minimum bandwidth", "GB/s", &AxisAnswer::minimum, true, false, false);
    put("maximum latency", "us a hop", &AxisAnswer::minimum, false, true, true);
    put("algorithm", "where it matters", &AxisAnswer::algorithm, false, true,
        false);
    put("because", "with a number", &AxisAnswer::because, true, true, false);
  }
  add(4, "failure mode", "", &Answer::mode);
  add(4, "symptom", "a metric, and which way it moves", &Answer::symptom);
  add(5, "parameter", "", &Answer::parameter);
  add(5, "threshold", "a number", &Answer::threshold);
  add(5, "unit", "", &Answer::unit);
  add(5, "direction", "above or below", &Answer::direction);
  add(5, "because", "", &Answer::threshold_because);
  return fields;
}

Passage& passage_of(Answer& answer, const SheetField& field) {
  if (field.field != nullptr) return answer.*field.field;
  const auto i = static_cast<std::size_t>(field.index);
  if (field.axis_field == nullptr) return answer.degrees[i];
  return answer.axes[i].*field.axis_field;
}

std::string render_sheet(const std::vector<SheetScenario>& scenarios,
                         const std::vector<Answer>& answers) {
  const std::vector<SheetField> fields = sheet_fields();
  std::string out =
      "# Answer sheet\n\nWrite behind each colon. A longer text goes on in "
      "indented lines. Leave blank\nwhat does not apply.\n\n- Student:";
  write_value(answers.empty() ? "" : answers.front().student, out);
  out += "\n";
  for (const SheetScenario& scenario : scenarios) {
    out += "## Scenario " + one_line(scenario.id) +
           (scenario.title.empty() ? "" : ": " + one_line(scenario.title)) +
           "\n\n";
    write_quoted(scenario.prompt, out);
    Answer answer;
    for (const Answer& one : answers) {
      if (one.scenario != scenario.id) continue;
      answer = one;
      break;
    }
    for (int question = 1; question <= 5; ++question) {
      write_question(scenario, answer, fields, question, out);
    }
  }
  return out;
}

}  // namespace meshwise
