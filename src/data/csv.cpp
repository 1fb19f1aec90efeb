#include "data/csv.h"

#include "data/data_error.h"

namespace spondyl::data {
namespace {

[[noreturn]] void fail(const std::string& file_name, std::size_t line, const std::string& what) {
  throw DataError(file_name + ": line " + std::to_string(line) + ": " + what);
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Length of the well-formed UTF-8 sequence at the start of `text`, 0 if there is none (Unicode 15, table
// 3-7).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto in = [](unsigned value, unsigned low, unsigned high) { return low <= value && value <= high; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (in(first, 0xC2, 0xDF)) return in(byte(1), 0x80, 0xBF) ? 2 : 0;
  if (in(first, 0xE0, 0xEF)) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
    return in(byte(1), low, high) && in(byte(2), 0x80, 0xBF) ? 3 : 0;
  }
  if (in(first, 0xF0, 0xF4)) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
    return in(byte(1), low, high) && in(byte(2), 0x80, 0xBF) && in(byte(3), 0x80, 0xBF) ? 4 : 0;
  }
  return 0;
}

void require_text(std::string_view text, const std::string& file_name) {
  std::size_t line = 1;
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text.front());
    if (c == '\r' && !text.starts_with("\r\n")) {
      fail(file_name, line, "carriage return without line feed (lines must end with LF or CRLF)");
    }
    if ((c < 0x20 && c != '\t' && c != '\r' && c != '\n') || c == 0x7F) {
      fail(file_name, line,
           "control character " + std::to_string(c) + ", not a text file (must be CSV in UTF-8)");
    }
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      fail(file_name, line, "byte " + std::to_string(c) + " is not UTF-8 (the file must be saved as UTF-8)");
    }
    if (c == '\n') ++line;
    text.remove_prefix(length);
  }
}

// Walks over text that require_text has accepted.
class Reader {
 public:
  Reader(std::string_view text, const std::string& file_name) : rest_(text), file_name_(file_name) {}

  // False at the end of the text; comments and empty lines are passed over.
  bool next(CsvRecord& record) {
    skip_comments();
    if (rest_.empty()) return false;
    record = {line_, {}};
    do {
      record.cells.push_back(cell());
    } while (take(','));
    if (!rest_.empty() && !take_line_end()) fail(file_name_, line_, "text after the closing quote of a cell");
    return true;
  }

 private:
  void skip_comments() {
    while (!rest_.empty()) {
      const std::string_view line = rest_.substr(0, rest_.find_first_of("\r\n"));
      if (!line.starts_with('#') && !trimmed(line).empty()) return;
      rest_.remove_prefix(line.size());
      take_line_end();
    }
  }

  std::string cell() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    if (take('"')) return quoted_cell();
    const std::string_view content = rest_.substr(0, rest_.find_first_of(",\r\n"));
    if (content.find('"') != content.npos) {
      fail(file_name_, line_, "quote inside the unquoted cell " + quoted(trimmed(content)));
    }
    rest_.remove_prefix(content.size());
    return std::string(trimmed(content));
  }

  std::string quoted_cell() {
    const std::size_t start_line = line_;
    std::string content;
    while (true) {
      const std::size_t quote = rest_.find('"');
      if (quote == rest_.npos) fail(file_name_, start_line, "the quote that opens here is never closed");
      for (const char c : rest_.substr(0, quote)) {
        if (c == '\n') ++line_;
        if (c != '\r') content += c;
      }
      rest_.remove_prefix(quote + 1);
      if (!take('"')) break;
      content += '"';
    }
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    return content;
  }

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool take_line_end() {
    take('\r');
    if (!take('\n')) return false;
    ++line_;
    return true;
  }

  std::string_view rest_;
  const std::string& file_name_;
  std::size_t line_ = 1;
};

}  // namespace

std::vector<CsvRecord> read_csv(std::string_view text, const std::string& file_name) {
  if (text.size() > max_file_size) {
    throw DataError(file_name + ": larger than a table may be (at most " + std::to_string(max_file_size) +
                    " bytes)");
  }
  require_text(text, file_name);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);

  std::vector<CsvRecord> records;
  Reader reader(text, file_name);
  for (CsvRecord record; reader.next(record);) {
    if (!records.empty() && record.cells.size() != records.front().cells.size()) {
      fail(file_name, record.line,
           "row " + quoted(record.cells.front()) + " has " + std::to_string(record.cells.size()) +
               " cells, the head has " + std::to_string(records.front().cells.size()) +
               " (cells are separated by commas, decimals by a point; a cell with a comma stands in quotes)");
    }
    records.push_back(std::move(record));
  }
  if (records.empty()) throw DataError(file_name + ": is empty (must have a head and rows)");
  return records;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "'";
  while (!text.empty()) {
    if (result.size() > longest) return result + "...'";
    const std::size_t length = utf8_length(text);
    if (length == 0 || static_cast<unsigned char>(text.front()) < 0x20) {
      result += ' ';
      text.remove_prefix(1);
    } else {
      result += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return result + "'";
}

}  // namespace spondyl::data
