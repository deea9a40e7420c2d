#include "meshwise/result.h"

namespace meshwise {

const char* code_name(Code code) {
  switch (code) {
    case Code::kMalformed:
      return "malformed";
    case Code::kMissing:
      return "missing";
    case Code::kUnknownKey:
      return "unknown_key";
    case Code::kWrongType:
      return "wrong_type";
    case Code::kOutOfRange:
      return "out_of_range";
    case Code::kUnknownName:
      return "unknown_name";
    case Code::kInconsistent:
      return "inconsistent";
    case Code::kTooLarge:
      return "too_large";
  }
  return "malformed";
}

}  // namespace meshwise
