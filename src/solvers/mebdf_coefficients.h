#pragma once

#include <array>
#include <numeric>
#include <utility>

/// Coefficients of Cash's modified extended backward differentiation formulae for k = 1 … 7, solved for in
/// exact rational numbers at compile time.
///
/// BDF (stages 1 and 2):   x_i + Σ_j α_j x_{i-j} = h β0 x'_i                       order k
/// EBDF (stage 3):         x_i + Σ_j ᾱ_j x_{i-j} = h (β̄1 x'_{i+1} + β̄0 x'_i)      order k + 1
///
/// each with j = 1 … k and determined by the demand that polynomials up to the order are met exactly.
namespace spondyl::mebdf {

inline constexpr int max_order = 7;

struct Rational {
  __extension__ typedef __int128 Integer;
  Integer numerator = 0, denominator = 1;

  constexpr Rational() = default;
  constexpr Rational(Integer n, Integer d = 1) : numerator(n), denominator(d) {  // implicit: a whole number
    const Integer divisor = common_divisor(n < 0 ? -n : n, d < 0 ? -d : d) * (d < 0 ? -1 : 1);
    numerator /= divisor;
    denominator /= divisor;
  }
  friend constexpr Rational operator+(const Rational& a, const Rational& b) {
    return {a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator};
  }
  friend constexpr Rational operator-(const Rational& a, const Rational& b) { return a + Rational(-1) * b; }
  friend constexpr Rational operator*(const Rational& a, const Rational& b) {
    return {a.numerator * b.numerator, a.denominator * b.denominator};
  }
  friend constexpr Rational operator/(const Rational& a, const Rational& b) {
    return {a.numerator * b.denominator, a.denominator * b.numerator};
  }
  friend constexpr bool operator==(const Rational&, const Rational&) = default;
  constexpr explicit operator double() const {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }

 private:
  static constexpr Integer common_divisor(Integer a, Integer b) {
    while (b != 0) a = std::exchange(b, a % b);
    return a == 0 ? 1 : a;
  }
};

/// Gauss elimination in place; the solution ends in the last column.
template <int N>
constexpr void solve(std::array<std::array<Rational, N + 1>, N>& a) {
  for (int k = 0; k < N; ++k) {
    int p = k;
    while (a[p][k] == Rational(0)) ++p;
    std::swap(a[k], a[p]);
    for (int j = N; j >= k; --j) a[k][j] = a[k][j] / a[k][k];
    for (int i = 0; i < N; ++i)
      if (i != k)
        for (int j = N; j >= k; --j) a[i][j] = a[i][j] - a[i][k] * a[k][j];
  }
}

template <int K>
struct Exact {
  std::array<Rational, K> alpha, alpha_bar;  ///< of x_{i-1}, x_{i-2}, …
  Rational beta0, beta_bar0, beta_bar1;
};

/// Conditions for the monomials s^p, s = (t - t_i)/h, p = 0 … order: with past points at s = -j,
///     0^p + Σ α_j (-j)^p = β0 p 0^(p-1) + β1 p 1^(p-1).
template <int K>
constexpr Exact<K> exact() {
  Exact<K> c;
  const auto row = [](auto& a, int p, int columns) {
    for (int j = 1; j <= K; ++j) {
      Rational power(1);
      for (int e = 0; e < p; ++e) power = power * Rational(-j);
      a[p][j - 1] = power;
    }
    a[p][K] = Rational(p == 1 ? -1 : 0);
    a[p][columns] = Rational(p == 0 ? -1 : 0);
  };
  std::array<std::array<Rational, K + 2>, K + 1> bdf{};
  for (int p = 0; p <= K; ++p) row(bdf, p, K + 1);
  solve<K + 1>(bdf);
  std::array<std::array<Rational, K + 3>, K + 2> extended{};
  for (int p = 0; p <= K + 1; ++p) {
    row(extended, p, K + 2);
    extended[p][K + 1] = Rational(-p);
  }
  solve<K + 2>(extended);
  for (int j = 0; j < K; ++j) {
    c.alpha[j] = bdf[j][K + 1];
    c.alpha_bar[j] = extended[j][K + 2];
  }
  c.beta0 = bdf[K][K + 1];
  c.beta_bar0 = extended[K][K + 2];
  c.beta_bar1 = extended[K + 1][K + 2];
  return c;
}

/// The same for a history of backward differences: Σ_j α_j x_{i-j} = -Σ_l past[l] ∇^l x_{i-1}.
struct Coefficients {
  std::array<double, max_order> past{}, past_bar{};
  double beta0 = 0, beta_bar0 = 0, beta_bar1 = 0;
  double error = 0;  ///< local error of the BDF over ∇^(k+1) x
};

template <int K>
constexpr Coefficients coefficients() {
  constexpr Exact<K> c = exact<K>();
  Coefficients r;
  // x_{i-j} = Σ_l (-1)^l C(j-1, l) ∇^l x_{i-1}
  for (int l = 0; l < K; ++l) {
    Rational plain(0), bar(0);
    for (int j = l + 1; j <= K; ++j) {
      Rational binomial(l % 2 == 0 ? -1 : 1);
      for (int m = 0; m < l; ++m) binomial = binomial * Rational(j - 1 - m, m + 1);
      plain = plain + binomial * c.alpha[j - 1];
      bar = bar + binomial * c.alpha_bar[j - 1];
    }
    r.past[l] = double(plain);
    r.past_bar[l] = double(bar);
  }
  r.beta0 = double(c.beta0);
  r.beta_bar0 = double(c.beta_bar0);
  r.beta_bar1 = double(c.beta_bar1);
  r.error = double(c.beta0 / Rational(K + 1));
  return r;
}

/// By k; entry 0 is unused.
inline constexpr std::array<Coefficients, max_order + 1> table{
    Coefficients{},    coefficients<1>(), coefficients<2>(), coefficients<3>(),
    coefficients<4>(), coefficients<5>(), coefficients<6>(), coefficients<7>()};

}  // namespace spondyl::mebdf
