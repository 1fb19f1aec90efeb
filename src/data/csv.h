#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spondyl::data {

// More is not a table of anatomy but a mistake (a wrong path, a recording).
inline constexpr std::size_t max_file_size = std::size_t{1} << 20;

struct CsvRecord {
  std::size_t line;  // where it starts, counted from 1
  std::vector<std::string> cells;
};

// Reads comma separated values as RFC 4180 describes them: a cell with a comma, a quote or a line break
// stands in double quotes, a quote inside is doubled; lines end with LF or CRLF. Beyond the RFC: a line that
// begins with # is a comment, empty lines are skipped, a byte order mark is skipped, blanks around a cell do
// not count.
//
// The first record is the head; all others have as many cells. Throws DataError, with `file_name` and line,
// for text that is empty, too large, not UTF-8, holds control characters, or is damaged.
std::vector<CsvRecord> read_csv(std::string_view text, const std::string& file_name);

// A piece of a user's text as messages show it: in single quotes, on one line, shortened when long.
std::string quoted(std::string_view text);

}  // namespace spondyl::data
