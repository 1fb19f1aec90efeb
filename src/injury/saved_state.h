#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace spondyl::injury {

/// A criterion lives in the saved state of a model, which is copied and compared byte by byte. So it must be
/// plain bytes without gaps: exactly `words` members of type double or std::int64_t, arrays counted by
/// element.
template <class Criterion, std::size_t words>
inline constexpr bool is_saved_state =
    std::is_trivially_copyable_v<Criterion>&& std::is_standard_layout_v<Criterion> &&
    sizeof(double) == sizeof(std::int64_t) && sizeof(Criterion) == words * sizeof(double);

}  // namespace spondyl::injury
