#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fmu/life_cycle.h"
#include "models/model.h"

namespace spondyl::fmu {

/// What fmi3GetFMUState keeps: the state of the simulation and where in its life the instance was.
struct SavedState {
  State state;
  Mode mode = instantiated;
  bool started = false;  ///< a model had been built from the values
  bool stop_time_defined = false;
  double start_time = 0, stop_time = 0;
};

/// Bytes that another process of the same FMU can continue from: a header with format version and the hash of
/// the interface, the content, and a checksum.
std::size_t serialised_size(const SavedState&);
void serialise(const SavedState&, std::uint64_t interface_hash, std::span<std::byte>);
/// Throws std::invalid_argument if the bytes are foreign, of another version, truncated or altered.
SavedState deserialise(std::span<const std::byte>, std::uint64_t interface_hash, const VariableTable&);

/// FNV-1a, 64 bit.
std::uint64_t hash(std::span<const std::byte>);

}  // namespace spondyl::fmu
