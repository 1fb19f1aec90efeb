#include "data/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "data/csv.h"
#include "data/data_error.h"

namespace spondyl::data {
namespace {

std::string written(double number) {
  char buffer[32];
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::general, 6);
  return error == std::errc() ? std::string(buffer, end) : "?";
}

template <class Names>
std::string joined(const Names& names) {
  std::string list;
  for (const auto& name : names) {
    if (!list.empty()) list += ", ";
    if (list.size() > 500) return list + "...";
    list += name;
  }
  return list;
}

// "mass [kg]" -> "mass", "kg"; no unit if there are no brackets; nothing if the head is malformed.
struct Head {
  std::string name;
  std::optional<std::string> unit;
};

std::optional<Head> split_head(std::string_view head) {
  const std::size_t open = head.find('[');
  std::string_view name = head.substr(0, open);
  while (name.ends_with(' ')) name.remove_suffix(1);
  if (name.empty() || head.find('\n') != head.npos || name.find(']') != name.npos) return std::nullopt;
  if (open == head.npos) return Head{std::string(name), std::nullopt};
  std::string_view unit = head.substr(open + 1);
  if (unit.find_first_of("[]") != unit.size() - 1 || unit.back() != ']') return std::nullopt;
  unit.remove_suffix(1);
  return Head{std::string(name), std::string(unit)};
}

// The SI value of a cell; `place` begins the message if it has none.
double read_number(std::string_view text, const Unit& unit, const std::string& place) {
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  double number = 0.0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number, std::chars_format::general);
  if (error == std::errc::result_out_of_range) {
    throw DataError(place + ": value " + quoted(text) + " is too large or too small for a number");
  }
  if (error != std::errc() || stop != end) {
    throw DataError(
        place + ": value " + quoted(text) +
        " is not a number (must be digits with a decimal point, the unit in the head of the column)");
  }
  const double si = unit.to_si(number);
  if (!std::isfinite(si))
    throw DataError(place + ": value " + quoted(text) + " is not allowed (must be finite)");
  return si;
}

}  // namespace

std::string Range::describe(const Unit& unit) const {
  const auto limit = [&](double si) {
    return written(unit.from_si(si)) + (si == 0.0 ? "" : " " + std::string(unit.symbol));
  };
  const bool has_low = low_ > -infinity, has_high = high_ < infinity;
  if (has_low && has_high) return "must be from " + limit(low_) + " to " + limit(high_);
  if (has_low) return (open_ ? "must be > " : "must be >= ") + limit(low_);
  if (has_high) return "must be <= " + limit(high_);
  return "must be finite";
}

Table Table::parse(std::string_view text, std::string file_name) {
  const std::vector<CsvRecord> records = read_csv(text, file_name);
  Table table;
  table.file_name_ = std::move(file_name);
  const std::string& file = table.file_name_;

  // the head
  const std::vector<std::string>& heads = records.front().cells;
  std::string key;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const std::string place = file + ": column " + quoted(heads[i]);
    const std::optional<Head> head = split_head(heads[i]);
    if (!head)
      throw DataError(place + ": the head is damaged (must be 'name' or 'name [unit]', on one line)");
    std::optional<Unit> unit;
    if (head->unit) {
      unit = find_unit(*head->unit);
      if (!unit)
        throw DataError(place + ": unknown unit " + quoted(*head->unit) + " (allowed: " + list_units() + ")");
    }
    if (unit && (i == 0 || head->name == "source" || head->name == "note")) {
      throw DataError(place + ": must be text, without a unit");
    }
    if (i == 0) {
      key = head->name;
      continue;
    }
    if (head->name == key || !table.column_index_.emplace(head->name, i - 1).second) {
      throw DataError(place + ": there is already a column " + quoted(head->name));
    }
    table.columns_.push_back(head->name);
    table.heads_.push_back({heads[i], unit});
  }
  const auto source = table.column_index_.find("source");
  if (source == table.column_index_.end()) {
    throw DataError(file +
                    ": column 'source' is missing (a table names its rows in the first column and says in " +
                    "'source' where the numbers come from; cells are separated by commas)");
  }

  // the rows
  for (std::size_t r = 1; r < records.size(); ++r) {
    const CsvRecord& record = records[r];
    const std::string& name = record.cells.front();
    const std::string line = ": line " + std::to_string(record.line) + ": ";
    if (name.empty() || name.find('\n') != name.npos) {
      throw DataError(file + line + "the first cell " + quoted(name) +
                      " must be the name of the row, on one line");
    }
    if (!table.row_index_.emplace(name, table.rows_.size()).second) {
      throw DataError(file + line + "there is already a row " + quoted(name));
    }
    table.rows_.push_back(name);
    for (std::size_t c = 0; c < table.columns_.size(); ++c) {
      const std::string& content = record.cells[c + 1];
      const std::optional<Unit>& unit = table.heads_[c].unit;
      std::optional<double> si;
      if (unit && !content.empty()) si = read_number(content, *unit, table.place(r - 1, c));
      if (c == source->second && content.empty()) {
        throw DataError(table.place(r - 1, c) + ": is empty (must say where the numbers come from)");
      }
      table.cells_.push_back({content, si});
    }
  }
  if (table.rows_.empty()) throw DataError(file + ": has a head but no rows");
  return table;
}

bool Table::has(std::string_view row, std::string_view column) const {
  const auto r = row_index_.find(row);
  const auto c = column_index_.find(column);
  return r != row_index_.end() && c != column_index_.end() && !cell(r->second, c->second).text.empty();
}

double Table::number(std::string_view row, std::string_view column, Quantity expected,
                     const Range& allowed) const {
  const std::size_t r = find_row(row), c = find_column(column);
  const std::optional<Unit>& unit = heads_[c].unit;
  if (!unit || unit->quantity != expected) {
    throw DataError(file_name_ + ": column " + quoted(heads_[c].head) +
                    (unit ? ": the unit does not fit" : ": the unit is missing") +
                    " (allowed in square brackets: " + list_units(expected) + ")");
  }
  const Cell& found = cell(r, c);
  if (!found.si) throw DataError(place(r, c) + ": is empty (" + allowed.describe(*unit) + ")");
  if (!allowed.contains(*found.si)) {
    throw DataError(place(r, c) + ": value " + quoted(found.text) + " is not allowed (" +
                    allowed.describe(*unit) + ")");
  }
  return *found.si;
}

const std::string& Table::text(std::string_view row, std::string_view column) const {
  const std::size_t r = find_row(row), c = find_column(column);
  return cell(r, c).text;
}

void Table::require_exactly(std::span<const std::string_view> rows) const {
  for (const std::string& row : rows_) {
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) {
      throw DataError(file_name_ + ": row " + quoted(row) + " is unknown (allowed: " + joined(rows) + ")");
    }
  }
  for (const std::string_view row : rows) find_row(row);
}

void Table::require_exactly(std::initializer_list<std::string_view> rows) const {
  require_exactly(std::span(rows.begin(), rows.size()));
}

void Table::allow_columns(std::span<const std::string> names) const {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (std::find(names.begin(), names.end(), columns_[c]) == names.end()) {
      throw DataError(file_name_ + ": column " + quoted(heads_[c].head) +
                      " is unknown (allowed: " + joined(names) + ")");
    }
  }
}

Table Table::with_number(std::string_view row, std::string_view head, std::string_view value,
                         const std::string& origin) const {
  const std::string place = origin + ": row " + quoted(row) + ", column " + quoted(head);
  const auto r = row_index_.find(row);
  if (r == row_index_.end())
    throw DataError(place + ": no such row in " + file_name_ + " (allowed: " + joined(rows_) + ")");
  std::vector<std::string> numeric;
  for (std::size_t c = 0; c < heads_.size(); ++c) {
    if (!heads_[c].unit) continue;
    if (heads_[c].head == head) {
      Table changed = *this;
      changed.cells_[r->second * columns_.size() + c] = {std::string(value),
                                                         read_number(value, *heads_[c].unit, place)};
      return changed;
    }
    numeric.push_back(heads_[c].head);
  }
  throw DataError(place + ": no such column of numbers in " + file_name_ + " (allowed: " + joined(numeric) +
                  ")");
}

std::string Table::place(std::size_t row, std::size_t column) const {
  return file_name_ + ": row " + quoted(rows_[row]) + ", column " + quoted(heads_[column].head);
}

std::size_t Table::find_row(std::string_view row) const {
  const auto found = row_index_.find(row);
  if (found == row_index_.end()) {
    throw DataError(file_name_ + ": row " + quoted(row) + " is missing (there are: " + joined(rows_) + ")");
  }
  return found->second;
}

std::size_t Table::find_column(std::string_view column) const {
  const auto found = column_index_.find(column);
  if (found == column_index_.end()) {
    throw DataError(file_name_ + ": column " + quoted(column) +
                    " is missing (there are: " + joined(columns_) + ")");
  }
  return found->second;
}

}  // namespace spondyl::data
