// Quantities as types: a slip between bytes and bits per second, or between
// tokens and sequences, does not compile.
//
// A Quantity holds a double in the base unit (byte, second, floating-point
// operation, token) and carries the exponents of those four in its type.
// Products and quotients follow; a quotient of like quantities is a double.
//
// GB is 1e9 bytes and is used for messages and bandwidths; GiB is 2^30 bytes
// and is used for memory.
#pragma once

#include <compare>
#include <cstdint>

namespace meshwise {

template <int B, int S, int F, int T>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double base) : base_(base) {}

  // The value in base units: bytes, seconds, FLOPs, tokens.
  [[nodiscard]] constexpr double base() const { return base_; }

  constexpr Quantity& operator+=(Quantity o) {
    base_ += o.base_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity o) {
    base_ -= o.base_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity(a.base_ + b.base_);
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity(a.base_ - b.base_);
  }
  friend constexpr Quantity operator*(Quantity a, double k) {
    return Quantity(a.base_ * k);
  }
  friend constexpr Quantity operator*(double k, Quantity a) {
    return Quantity(k * a.base_);
  }
  friend constexpr Quantity operator/(Quantity a, double k) {
    return Quantity(a.base_ / k);
  }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  double base_ = 0.0;
};

// A quotient or product whose exponents all cancel is a plain number.
template <int B, int S, int F, int T>
struct QuantityOf {
  using type = Quantity<B, S, F, T>;
};
template <>
struct QuantityOf<0, 0, 0, 0> {
  using type = double;
};

template <int B1, int S1, int F1, int T1, int B2, int S2, int F2, int T2>
constexpr auto operator*(Quantity<B1, S1, F1, T1> a,
                         Quantity<B2, S2, F2, T2> b) {
  using R = typename QuantityOf<B1 + B2, S1 + S2, F1 + F2, T1 + T2>::type;
  return R(a.base() * b.base());
}
template <int B1, int S1, int F1, int T1, int B2, int S2, int F2, int T2>
constexpr auto operator/(Quantity<B1, S1, F1, T1> a,
                         Quantity<B2, S2, F2, T2> b) {
  using R = typename QuantityOf<B1 - B2, S1 - S2, F1 - F2, T1 - T2>::type;
  return R(a.base() / b.base());
}

using Bytes = Quantity<1, 0, 0, 0>;
using Seconds = Quantity<0, 1, 0, 0>;
using Flops = Quantity<0, 0, 1, 0>;
using Tokens = Quantity<0, 0, 0, 1>;
using BytesPerSecond = Quantity<1, -1, 0, 0>;
using FlopsPerSecond = Quantity<0, -1, 1, 0>;
using TokensPerSecond = Quantity<0, -1, 0, 1>;
using BytesPerToken = Quantity<1, 0, 0, -1>;
using FlopsPerToken = Quantity<0, 0, 1, -1>;

inline constexpr double kGiB = 1073741824.0;  // 2^30 bytes
inline constexpr double kGB = 1e9;            // bytes

constexpr Bytes bytes(double n) { return Bytes(n); }
constexpr Bytes gibibytes(double n) { return Bytes(n * kGiB); }
constexpr Bytes gigabytes(double n) { return Bytes(n * kGB); }
constexpr Seconds seconds(double n) { return Seconds(n); }
constexpr Seconds milliseconds(double n) { return Seconds(n * 1e-3); }
constexpr Seconds microseconds(double n) { return Seconds(n * 1e-6); }
constexpr Flops flops(double n) { return Flops(n); }
constexpr Tokens tokens(double n) { return Tokens(n); }
constexpr BytesPerSecond gigabytes_per_second(double n) {
  return BytesPerSecond(n * kGB);
}
constexpr FlopsPerSecond teraflops_per_second(double n) {
  return FlopsPerSecond(n * 1e12);
}

constexpr double to_gib(Bytes b) { return b.base() / kGiB; }
constexpr double to_gb(Bytes b) { return b.base() / kGB; }
constexpr double to_gbps(BytesPerSecond b) { return b.base() / kGB; }
constexpr double to_ms(Seconds s) { return s.base() * 1e3; }
constexpr double to_us(Seconds s) { return s.base() * 1e6; }
constexpr double to_tflops(FlopsPerSecond f) { return f.base() / 1e12; }

template <int B, int S, int F, int T>
constexpr Quantity<B, S, F, T> max(Quantity<B, S, F, T> a,
                                   Quantity<B, S, F, T> b) {
  return a.base() < b.base() ? b : a;
}
template <int B, int S, int F, int T>
constexpr Quantity<B, S, F, T> min(Quantity<B, S, F, T> a,
                                   Quantity<B, S, F, T> b) {
  return b.base() < a.base() ? b : a;
}

}  // namespace meshwise
