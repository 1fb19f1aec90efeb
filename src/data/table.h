#pragma once

#include <cstddef>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/units.h"

namespace spondyl::data {

// Which numbers a reader of a table accepts. Limits in SI; messages show them in the unit of the column.
class Range {
 public:
  static constexpr Range finite() { return {-infinity, infinity, false}; }
  static constexpr Range positive() { return {0.0, infinity, true}; }
  static constexpr Range not_negative() { return {0.0, infinity, false}; }
  static constexpr Range between(double low, double high) { return {low, high, false}; }  // both included

  constexpr bool contains(double si) const { return (open_ ? si > low_ : si >= low_) && si <= high_; }
  std::string describe(const Unit& unit) const;  // "must be > 0"

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr Range(double low, double high, bool open) : low_(low), high_(high), open_(open) {}

  double low_, high_;
  bool open_;  // low_ itself does not belong to it
};

// A table of numbers and texts, each cell addressed by the names of its row and column:
//
//   body, mass [kg], angle [deg], source,                    note
//   C5,   0.23,      9.7,         "de Jager 1996, Table 1",  measured
//
// The first column holds the names of the rows. A column whose head carries a unit holds numbers, converted
// to SI here and nowhere else; a column without unit holds texts. A table tells where its numbers come from:
// it has a column `source` with an entry in every row. A numeric cell may be empty; only who reads it knows
// whether that is allowed.
//
// A Table that exists is complete: every cell that should be a number is one, and is finite. What a row or
// column means, and which values make sense, is known where they are read: number() takes the quantity and
// the range. Everything here throws DataError and nothing else. Numbers are read and written with a decimal
// point whatever the locale of the process.
class Table {
 public:
  static Table parse(std::string_view text, std::string file_name);

  const std::string& file_name() const { return file_name_; }
  const std::vector<std::string>& rows() const { return rows_; }  // in the order of the file
  const std::vector<std::string>& columns() const {
    return columns_;
  }  // names without unit, without the row names

  // Is there such a cell, with something in it?
  bool has(std::string_view row, std::string_view column) const;

  // The SI value of a cell; `column` is the name without unit: number("C5", "mass", Quantity::mass).
  double number(std::string_view row, std::string_view column, Quantity expected,
                const Range& allowed = Range::finite()) const;

  // The cell as it is written, also that of a numeric column.
  const std::string& text(std::string_view row, std::string_view column) const;

  // The table must have these rows, in whatever order, and no others: a misspelt body must not pass in
  // silence.
  void require_exactly(std::span<const std::string_view> rows) const;
  void require_exactly(std::initializer_list<std::string_view> rows) const;

  // The same, for columns: no others than `names`. A missing one is reported when it is read.
  void allow_columns(std::span<const std::string> names) const;

  // A copy with another value in one numeric cell. `head` is the column with its unit as this table writes
  // it, so that a value cannot be taken for another unit. Messages begin with `origin`.
  Table with_number(std::string_view row, std::string_view head, std::string_view value,
                    const std::string& origin) const;

 private:
  struct Column {
    std::string head;  // as written: "mass [kg]"
    std::optional<Unit> unit;
  };
  struct Cell {
    std::string text;
    std::optional<double> si;
  };
  using Index = std::map<std::string, std::size_t, std::less<>>;

  Table() = default;
  std::string place(std::size_t row, std::size_t column) const;
  std::size_t find_row(std::string_view row) const;
  std::size_t find_column(std::string_view column) const;
  const Cell& cell(std::size_t row, std::size_t column) const {
    return cells_[row * columns_.size() + column];
  }

  std::string file_name_;
  std::vector<std::string> rows_, columns_;
  std::vector<Column> heads_;
  Index row_index_, column_index_;
  std::vector<Cell> cells_;  // row by row
};

}  // namespace spondyl::data
