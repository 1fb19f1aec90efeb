#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/table.h"

namespace spondyl::data {

// All tables of one model. Three kinds:
//
//   reconciled   the default: the embedded tables resources/<model>/*.csv as they are read;
//   published    the same, overlaid by the cells that published.csv lists (where the paper prints something
//   else); custom       a user's directory: each table found there replaces the embedded default of the same
//   name.
//
// Everything here throws DataError. Nothing is read from disk except by from_directory.
class DataSet {
 public:
  // `name` is "reconciled" or "published".
  static DataSet embedded(std::string_view model, std::string_view name);

  // Refused: a directory that cannot be read, that holds none of the model's tables, or that holds a .csv
  // file of another name, or a table with a column the model does not have (a misspelt name must not pass in
  // silence). Other files, and hidden ones, are ignored; so are subdirectories.
  static DataSet from_directory(const std::string& path, std::string_view model);

  // "bodies", without .csv
  const Table& table(std::string_view name) const;
  std::vector<std::string> names() const;

 private:
  using Tables = std::map<std::string, Table, std::less<>>;
  DataSet(std::string model, Tables tables) : model_(std::move(model)), tables_(std::move(tables)) {}

  std::string model_;
  Tables tables_;
};

}  // namespace spondyl::data
