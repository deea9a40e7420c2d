// From a student's words to claims: which text stands in which field, what it
// says as a number with a unit or as a concept, and where it stands. Nothing
// here knows what is right.
//
//   Answer   the fields as they were written, each with its place
//   Claims   the same fields read: degrees, amounts, concepts
//
// A field is absent, read, or unreadable with the reason; a field that cannot
// be read is never taken for a wrong one. Words and units are data
// (core/data/units.json, core/data/failure_modes.json). No regular
// expressions: one pass over the bytes, time linear in the text. Of one field
// kMaxFieldBytes are read, and kMaxMentions mentions and kMaxAmounts amounts
// are kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "meshwise/collectives.h"
#include "meshwise/plan.h"
#include "meshwise/workload.h"

namespace meshwise {

inline constexpr std::size_t kMaxFieldBytes = 1u << 20;
inline constexpr std::size_t kMaxMentions = 4096;
inline constexpr std::size_t kMaxAmounts = 4096;

// A stretch of the submission: its text, and the bytes it takes up there. A
// field of a JSON document has no place in a text: end is 0 then.
struct Passage {
  std::string text;
  std::size_t begin = 0;
  std::size_t end = 0;

  // True when nothing but blanks stands there.
  [[nodiscard]] bool blank() const;
  friend bool operator==(const Passage&, const Passage&) = default;
};

// ---- words and units, as data ----

// What a number is a number of. Base units: byte, byte/s, second, FLOP,
// FLOP/s, token, sequence, count, ratio.
enum class Dimension : std::uint8_t {
  kNone,       // a bare number
  kBytes,      // byte
  kBandwidth,  // byte/s
  kTime,       // s
  kFlops,      // FLOP
  kFlopRate,   // FLOP/s
  kTokens,     // token
  kSequences,  // sequence
  kCount,      // GPUs, nodes, hops, layers: a count with its noun
  kRatio,      // %, as a fraction
  kFactor      // 40x
};
inline constexpr int kDimensionCount = 11;
[[nodiscard]] std::string_view dimension_name(Dimension dimension);

struct UnitWord {
  std::string text;  // "GiB", matched with its case unless `any_case`
  Dimension dimension = Dimension::kNone;
  double factor = 1.0;  // to the base unit
  bool binary = false;  // GiB, not GB
  bool bits = false;    // Gb, not GB
  bool any_case = false;
};

// A concept of a group ("constraint", "tier", "axis", "reason", ...) and the
// words for it, lower case; a plural s and hyphens are folded by the reader.
struct ConceptWords {
  std::string group;
  std::string id;
  std::vector<std::string> words;
};

struct LexiconData {
  std::vector<UnitWord> units;
  std::vector<ConceptWords> concepts;
  std::vector<std::string> negations;  // "not", "rather than", ...
  std::vector<std::string> breaks;     // words that end a negation: "but"
};

// ---- what the reader finds in a text ----

// One concept met in a text.
struct Mention {
  int concept_index = -1;  // of Lexicon::concepts()
  std::size_t begin = 0;   // bytes of the text that was read
  std::size_t end = 0;
  bool negated = false;
  int clause = 0;    // clauses count from 0 through the text
  int sentence = 0;  // so do sentences and lines
};

enum class Bound : std::uint8_t { kEqual, kAtLeast, kAtMost };

// One number with its unit. A range has its upper end in `upper`, else
// upper == value.
struct Amount {
  double value = 0.0;  // in the base unit of the dimension
  double upper = 0.0;
  double written = 0.0;  // as it stands, in the unit it stands in
  Dimension dimension = Dimension::kNone;
  std::string unit;     // as it stands
  bool binary = false;  // in a unit of 1024s
  bool bits = false;
  bool scaled = false;  // K, M, B or T stood directly behind: "16k", "12B"
  bool exact = false;   // an integer written as one: "64", "2^21"
  Bound bound = Bound::kEqual;
  std::size_t begin = 0;
  std::size_t end = 0;
  int clause = 0;
  int sentence = 0;
};

struct Findings {
  std::vector<Mention> mentions;  // in the order of the text
  std::vector<Amount> amounts;
  bool truncated = false;  // more stood there than is kept
};

// One word of a text: lower case, its plural s folded, letters and digits
// apart ("tp8" is two words), "isn't" as "is" and "not".
struct WordToken {
  std::string word;
  std::size_t begin = 0;
  std::size_t end = 0;
  int clause = 0;
  int sentence = 0;
};
[[nodiscard]] std::vector<WordToken> split_words(std::string_view text);

// The words and units, made ready for matching.
class Lexicon {
 public:
  Lexicon() = default;
  explicit Lexicon(const LexiconData& data);

  // Concepts, numbers and their clauses, in one pass.
  [[nodiscard]] Findings find(std::string_view text) const;

  [[nodiscard]] const std::vector<ConceptWords>& concepts() const {
    return concepts_;
  }
  [[nodiscard]] bool is(const Mention& mention, std::string_view group,
                        std::string_view id) const;
  [[nodiscard]] bool in_group(const Mention& mention,
                              std::string_view group) const;
  [[nodiscard]] const std::string& id(const Mention& mention) const;
  // The id of the first mention of the group that is not negated; "" if none.
  [[nodiscard]] std::string first(const Findings& found,
                                  std::string_view group) const;
  // Ids of a group that stand in the text without negation, in order, each
  // once.
  [[nodiscard]] std::vector<std::string> all(const Findings& found,
                                             std::string_view group) const;

 private:
  struct Phrase {
    std::vector<std::string> words;  // folded
    int concept_index = -1;          // -1: negation, -2: break
  };

  void add(const std::string& text, int concept_index);
  // The index behind the phrase's last token, 0 where it does not stand.
  [[nodiscard]] static std::size_t matches(const Phrase& phrase,
                                           const std::vector<WordToken>& tokens,
                                           std::size_t at);
  void find_mentions(const std::vector<WordToken>& tokens,
                     Findings& found) const;
  void find_amounts(std::string_view text, const std::vector<WordToken>& tokens,
                    Findings& found) const;
  void take_unit(std::string_view text, Amount& amount) const;
  [[nodiscard]] const UnitWord* unit_at(std::string_view text,
                                        std::size_t at) const;

  std::vector<ConceptWords> concepts_;
  std::vector<std::size_t> groups_;  // of each concept
  std::size_t group_count_ = 0;
  std::unordered_map<std::string, std::vector<Phrase>> phrases_;
  std::array<std::vector<UnitWord>, 256> units_;  // by first byte, long first
};

// ---- the fields of an answer ----

struct UnusedAnswer {
  Passage axis;
  Passage because;
  friend bool operator==(const UnusedAnswer&, const UnusedAnswer&) = default;
};

struct AxisAnswer {
  Passage tier;
  Passage minimum;          // a bandwidth, or a latency a hop
  bool is_latency = false;  // the field's unit is us, else GB/s
  Passage algorithm;
  Passage because;

  [[nodiscard]] bool blank() const;
  friend bool operator==(const AxisAnswer&, const AxisAnswer&) = default;
};

// Text that stands in no field. `question` 1 to 5, 0 where none is known.
struct UnreadPassage {
  int question = 0;
  Passage passage;
  friend bool operator==(const UnreadPassage&, const UnreadPassage&) = default;
};

// One scenario's answer, field by field, as written. JSON's numbers come as
// their text.
struct Answer {
  std::string student;
  std::string scenario;

  Passage constraint;
  Passage constraint_because;
  Passage prefill;  // what binds it, serving
  Passage decode;

  std::array<Passage, kAxisCount> degrees;  // by Axis
  Passage zero;
  Passage recompute;
  Passage micro_batch;
  Passage global_batch;
  Passage gpus;
  Passage batch;    // serving
  Passage context;  // serving
  Passage hbm_bandwidth;
  std::vector<UnusedAnswer> unused;

  std::array<AxisAnswer, kAxisCount> axes;  // by Axis

  Passage mode;
  Passage symptom;

  Passage parameter;
  Passage threshold;
  Passage unit;
  Passage direction;
  Passage threshold_because;

  std::vector<UnreadPassage> unread;

  bool prose = false;            // read from free text, not from a form
  bool opens_with_plan = false;  // prose that names its plan before what binds
  bool several = false;          // "or": the first plan was taken

  // Nothing in any field of the question, 1 to 5.
  [[nodiscard]] bool blank(int question) const;
  [[nodiscard]] bool has_unread(int question) const;
  friend bool operator==(const Answer&, const Answer&) = default;
};

// ---- the claims ----

enum class ReadState : std::uint8_t { kAbsent, kRead, kUnreadable };

template <class T>
struct Read {
  ReadState state = ReadState::kAbsent;
  T value{};
  std::string why;  // of kUnreadable

  [[nodiscard]] bool absent() const { return state == ReadState::kAbsent; }
  [[nodiscard]] bool read() const { return state == ReadState::kRead; }
  [[nodiscard]] bool unreadable() const {
    return state == ReadState::kUnreadable;
  }
};

struct AxisClaim {
  Findings tier;
  Read<Amount> minimum;  // bandwidth or time
  Read<Algorithm> algorithm;
  Findings because;  // of the reason and the minimum's own field
};

struct UnusedClaim {
  Read<Axis> axis;
  Findings because;
};

struct Claims {
  Answer answer;

  Findings constraint;
  Findings constraint_because;
  Findings prefill;
  Findings decode;

  std::array<Read<int>, kAxisCount> degrees;
  Read<int> zero;
  Read<Recompute> recompute;
  Read<std::int64_t> micro_batch;
  Read<std::int64_t> global_batch;  // sequences
  Read<std::int64_t> global_batch_tokens;
  Read<std::int64_t> gpus;
  Read<std::int64_t> batch;
  Read<std::int64_t> context;
  Read<Amount> hbm_bandwidth;
  std::vector<UnusedClaim> unused;

  std::array<AxisClaim, kAxisCount> axes;

  Findings mode;
  Findings symptom;

  Findings parameter;
  Read<Amount> threshold;  // first committed number
  Findings threshold_text;
  Findings unit;
  Findings direction;
  Findings threshold_because;
};

// Reads every field. Degrees are exact integers: "63.4" is unreadable, not 63.
[[nodiscard]] Claims read_claims(const Answer& answer, const Lexicon& lexicon);

}  // namespace meshwise
