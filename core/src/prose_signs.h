// The names of signs and tags in HTML and LaTeX that answers are written in.
#pragma once

#include <string_view>

namespace meshwise {

struct Sign {
  std::string_view name;
  std::string_view text;
};

constexpr Sign kEntities[] = {
    {"nbsp", " "},   {"lt", "<"},    {"gt", ">"},     {"amp", "&"},
    {"quot", "\""},  {"apos", "'"},  {"times", "×"},  {"middot", "·"},
    {"mdash", "—"},  {"ndash", "–"}, {"le", "≤"},     {"ge", "≥"},
    {"leq", "≤"},    {"geq", "≥"},   {"asymp", "≈"},  {"approx", "≈"},
    {"uarr", "↑"},   {"darr", "↓"},  {"rarr", "→"},   {"larr", "←"},
    {"rArr", "→"},   {"micro", "µ"}, {"mu", "µ"},     {"thinsp", " "},
    {"hellip", "…"}, {"sup2", "²"},  {"sup3", "³"},   {"minus", "−"},
    {"radic", "√"},  {"rsquo", "'"}, {"lsquo", "'"},  {"ldquo", "\""},
    {"rdquo", "\""}, {"deg", "°"},   {"plusmn", "±"}, {"sum", "∑"},
    {"alpha", "α"},  {"beta", "β"},  {"auml", "ä"},   {"ouml", "ö"},
    {"uuml", "ü"},   {"szlig", "ß"}, {"eacute", "é"}, {"ntilde", "ñ"}};

constexpr Sign kLatex[] = {
    {"times", "×"}, {"cdot", "·"},       {"approx", "≈"},  {"sim", "~"},
    {"leq", "≤"},   {"le", "≤"},         {"geq", "≥"},     {"ge", "≥"},
    {"mu", "µ"},    {"rightarrow", "→"}, {"to", "→"},      {"Rightarrow", "→"},
    {"quad", " "},  {"gg", ">"},         {"ll", "<"},      {"pm", "±"},
    {"alpha", "α"}, {"beta", "β"},       {"uparrow", "↑"}, {"downarrow", "↓"},
    {"ne", "≠"},    {"neq", "≠"},        {"implies", "→"}, {"left", ""},
    {"right", ""},  {"ldots", "…"},      {"dots", "…"}};

// Commands of which only the argument is text.
constexpr std::string_view kLatexWrappers[] = {
    "text",         "mathrm", "textbf", "mathbf", "textit",   "emph",
    "operatorname", "mathit", "texttt", "boxed",  "underline"};

constexpr std::string_view kBlockTags[] = {
    "p",   "br",   "div",  "li",      "ul", "ol", "tr",    "table",
    "h1",  "h2",   "h3",   "h4",      "h5", "h6", "hr",    "blockquote",
    "pre", "body", "html", "section", "dt", "dd", "thead", "tbody"};
constexpr std::string_view kInlineTags[] = {
    "b",      "i",      "em",     "strong", "span",  "code",    "sub",
    "sup",    "u",      "a",      "td",     "th",    "img",     "font",
    "kbd",    "small",  "mark",   "head",   "meta",  "link",    "article",
    "main",   "header", "footer", "dl",     "label", "input",   "form",
    "button", "iframe", "object", "svg",    "math",  "details", "summary",
    "center", "tt",     "var",    "q",      "cite"};
// Their contents are not the student's words.
constexpr std::string_view kHiddenTags[] = {"script",   "style",    "title",
                                            "del",      "s",        "strike",
                                            "template", "noscript", "textarea"};

}  // namespace meshwise
