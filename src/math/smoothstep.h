#pragma once

#include "math/dual.h"

namespace spondyl {

/// 0 below 0, 1 above 1, 3 s² - 2 s³ between: continuous with its slope.
template <class T>
T smoothstep(const T& s) {
  if (!(s > T(0))) return T(0);
  if (s > T(1)) return T(1);
  return s * s * (3.0 - 2.0 * s);
}

}  // namespace spondyl
