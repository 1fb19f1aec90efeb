#pragma once

#include <stdexcept>

namespace spondyl::data {

// The one exception of this folder. Its message is written for the user who edits a table: it names the file,
// the place in it, what stands there and what would be allowed. It is one line of UTF-8.
struct DataError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace spondyl::data
