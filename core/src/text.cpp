#include "text.h"

#include <cmath>
#include <cstdio>

namespace meshwise {

std::string plain_number(double value) {
  char buffer[64];
  if (value == std::floor(value) && std::fabs(value) < 1e15) {
    std::snprintf(buffer, sizeof buffer, "%.0f", value);
  } else {
    std::snprintf(buffer, sizeof buffer, "%.6g", value);
  }
  return buffer;
}

std::string fixed(double value, int digits) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  return buffer;
}

std::string grouped(double value) {
  const std::string digits = fixed(std::fabs(value), 0);
  std::string out = value < 0.0 ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string short_number(double value) {
  const double size = std::fabs(value);
  if (size == 0.0) return "0";
  if (size >= 1e15 || size < 1e-4) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.3g", value);
    return buffer;
  }
  if (size >= 10000.0) return grouped(value);
  if (value == std::floor(value)) return fixed(value, 0);
  if (size >= 100.0) return fixed(value, size >= 1000.0 ? 0 : 1);
  if (size >= 10.0) return fixed(value, 2);
  if (size >= 1.0) return fixed(value, 3);
  return fixed(value, size >= 0.01 ? 4 : 6);
}

}  // namespace meshwise
