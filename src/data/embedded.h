#pragma once

#include <span>
#include <string_view>

namespace spondyl::data {

// One file resources/<model>/<name> as it was when the library was built.
struct EmbeddedFile {
  std::string_view model;  // "CervicalSpine"
  std::string_view name;   // "bodies.csv"
  std::string_view text;
};

// All of them, sorted by model and name. Written by cmake/EmbedResources.cmake at build time.
std::span<const EmbeddedFile> embedded_files();

}  // namespace spondyl::data
