#pragma once

#include <atomic>

namespace spondyl::testing {

/// Allocations so far, in a program that includes count_allocations.h in one of its files.
inline std::atomic<long> allocations{0};

}  // namespace spondyl::testing
