#pragma once

namespace spondyl::injury {

/// |load| as a share of the critical value of its direction. Critical values are positive.
constexpr double critical_share(double load, double critical_if_positive, double critical_if_negative) {
  return load >= 0.0 ? load / critical_if_positive : -load / critical_if_negative;
}

}  // namespace spondyl::injury
