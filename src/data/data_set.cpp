#include "data/data_set.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "data/csv.h"
#include "data/data_error.h"
#include "data/embedded.h"

namespace spondyl::data {
namespace {

constexpr std::string_view extension = ".csv";
constexpr std::string_view overlay_file = "published.csv";

// no strerror: its text depends on the locale
std::string reason(int error) {
  switch (error) {
    case ENOENT:
      return "does not exist";
    case ENOTDIR:
      return "is not a directory";
    case EISDIR:
      return "is a directory, not a file";
    case EACCES:
      return "may not be read (permission denied)";
    default:
      return "cannot be read (error " + std::to_string(error) + " of the operating system)";
  }
}

// Is this the name of a CSV file, in whatever case?
bool is_csv(std::string_view name) {
  if (name.starts_with('.') || name.size() <= extension.size()) return false;
  const std::string_view end = name.substr(name.size() - extension.size());
  return std::equal(end.begin(), end.end(), extension.begin(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

std::vector<std::string> csv_files(const std::string& directory) {
  const auto close = [](DIR* d) { ::closedir(d); };
  const std::unique_ptr<DIR, decltype(close)> stream(::opendir(directory.c_str()), close);
  int error = errno;
  if (!stream) throw DataError("data directory " + quoted(directory) + " " + reason(error));
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* const entry = ::readdir(stream.get());
    error = errno;
    if (!entry) break;
    if (is_csv(entry->d_name)) names.emplace_back(entry->d_name);
  }
  if (error != 0) throw DataError("data directory " + quoted(directory) + " " + reason(error));
  std::sort(names.begin(), names.end());  // so that of several mistakes always the same one is reported
  return names;
}

// Opened without blocking: a pipe that poses as a table must not hang the caller.
std::string read_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  int error = errno;
  if (descriptor < 0) throw DataError(path + ": " + reason(error));
  const auto close = [](std::FILE* f) { std::fclose(f); };
  const std::unique_ptr<std::FILE, decltype(close)> file(::fdopen(descriptor, "rb"), close);
  error = errno;
  if (!file) {
    ::close(descriptor);
    throw DataError(path + ": " + reason(error));
  }
  std::string text(max_file_size + 1,
                   '\0');  // one more than allowed: read_csv then sees that it is too large
  const std::size_t size = std::fread(text.data(), 1, text.size(), file.get());
  error = errno;
  if (std::ferror(file.get())) throw DataError(path + ": " + reason(error));
  text.resize(size);
  return text;
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::vector<EmbeddedFile> files_of(std::string_view model) {
  std::vector<EmbeddedFile> files;
  std::vector<std::string> models;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.model == model) files.push_back(file);
    if (models.empty() || models.back() != file.model) models.emplace_back(file.model);
  }
  if (files.empty()) {
    throw DataError("there are no tables for the model " + quoted(model) + " (allowed: " + listed(models) +
                    ")");
  }
  return files;
}

using Tables = std::map<std::string, Table, std::less<>>;

Tables default_tables(std::string_view model) {
  Tables tables;
  for (const EmbeddedFile& file : files_of(model)) {
    if (file.name == overlay_file) continue;
    tables.emplace(file.name.substr(0, file.name.size() - extension.size()),
                   Table::parse(file.text, std::string(file.name)));
  }
  return tables;
}

// published.csv is no Table: it names cells of other tables.
void overlay(Tables& tables, std::string_view text) {
  const std::string file_name(overlay_file);
  const std::vector<std::string> head = {"table", "row", "column", "value", "reason"};
  const std::vector<CsvRecord> records = read_csv(text, file_name);
  if (records.front().cells != head) {
    throw DataError(file_name + ": line " + std::to_string(records.front().line) + ": the head must be " +
                    listed(head));
  }
  std::map<std::vector<std::string>, std::size_t> seen;
  for (std::size_t i = 1; i < records.size(); ++i) {
    const std::vector<std::string>& cells = records[i].cells;
    const std::string origin = file_name + ": line " + std::to_string(records[i].line);
    const auto table = tables.find(cells[0]);
    if (table == tables.end()) throw DataError(origin + ": there is no table " + quoted(cells[0]));
    if (cells[4].empty()) throw DataError(origin + ": column 'reason' is empty");
    if (!seen.emplace(std::vector(cells.begin(), cells.begin() + 3), i).second) {
      throw DataError(origin + ": row " + quoted(cells[1]) + ", column " + quoted(cells[2]) +
                      " is listed twice");
    }
    table->second = table->second.with_number(cells[1], cells[2], cells[3], origin);
  }
}

}  // namespace

DataSet DataSet::embedded(std::string_view model, std::string_view name) {
  Tables tables = default_tables(model);
  if (name == "published") {
    bool found = false;
    for (const EmbeddedFile& file : files_of(model)) {
      if (file.name != overlay_file) continue;
      overlay(tables, file.text);
      found = true;
    }
    if (!found)
      throw DataError("the model " + quoted(model) + " has no data set 'published' (allowed: reconciled)");
  } else if (name != "reconciled") {
    throw DataError("unknown data set " + quoted(name) + " (allowed: reconciled, published)");
  }
  return {std::string(model), std::move(tables)};
}

DataSet DataSet::from_directory(const std::string& path, std::string_view model) {
  Tables tables = default_tables(model);
  std::vector<std::string> allowed;
  for (const auto& [name, table] : tables) allowed.push_back(name + std::string(extension));

  const std::vector<std::string> found = csv_files(path);
  if (found.empty()) {
    throw DataError("data directory " + quoted(path) + " has no table of the model " + std::string(model) +
                    " (allowed: " + listed(allowed) + ")");
  }
  for (const std::string& file : found) {
    const std::string file_path = path + (path.ends_with('/') ? "" : "/") + file;
    if (file == overlay_file) {
      throw DataError(file_path +
                      ": is not used here (a directory is one data set: write its values into the tables " +
                      listed(allowed) + " and remove it)");
    }
    if (std::find(allowed.begin(), allowed.end(), file) == allowed.end()) {
      throw DataError("data directory " + quoted(path) + ": " + quoted(file) +
                      " is not a table of the model " + std::string(model) + " (allowed: " + listed(allowed) +
                      ")");
    }
    const auto standard = tables.find(file.substr(0, file.size() - extension.size()));
    Table table = Table::parse(read_file(file_path), file_path);
    std::vector<std::string> columns = standard->second.columns();
    columns.emplace_back("note");
    table.allow_columns(columns);
    standard->second = std::move(table);
  }
  return {std::string(model), std::move(tables)};
}

const Table& DataSet::table(std::string_view name) const {
  const auto found = tables_.find(name);
  if (found == tables_.end()) {
    throw DataError("the model " + model_ + " has no table " + quoted(name) +
                    " (there are: " + listed(names()) + ")");
  }
  return found->second;
}

std::vector<std::string> DataSet::names() const {
  std::vector<std::string> names;
  for (const auto& entry : tables_) names.push_back(entry.first);
  return names;
}

}  // namespace spondyl::data
