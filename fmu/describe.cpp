/// Writes what an FMU says of itself: describe <modelDescription.xml> <terminalsAndIcons.xml>

#include <cstdio>

#include "fmu/description.h"
#include "fmu/instance.h"

namespace {

bool write(const char* path, const std::string& text) {
  std::FILE* const file = std::fopen(path, "wb");
  if (!file) return false;
  const bool complete = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && complete;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s modelDescription.xml terminalsAndIcons.xml\n", argv[0]);
    return 2;
  }
  const spondyl::ModelType& type = spondyl::fmu::model_type();
  const std::string texts[] = {spondyl::fmu::model_description(type),
                               spondyl::fmu::terminals_and_icons(type)};
  for (int i = 0; i < 2; ++i)
    if (!write(argv[i + 1], texts[i])) {
      std::fprintf(stderr, "%s cannot be written\n", argv[i + 1]);
      return 1;
    }
  return 0;
}
