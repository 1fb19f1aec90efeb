#pragma once

namespace spondyl::injury {

/// Standard gravity, m/s² (exact by definition): turns an acceleration into the g of HIC and DRI. It is a
/// unit, not the gravity that acts in a model.
inline constexpr double standard_gravity = 9.80665;

}  // namespace spondyl::injury
