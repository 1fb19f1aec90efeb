#include "data/data_set.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "data/csv.h"
#include "data/data_error.h"
#include "data/embedded.h"

using namespace spondyl::data;
using Catch::Matchers::Contains;

namespace {

// A directory of its own for each test, removed afterwards.
class Directory {
 public:
  Directory() {
    const char* const base = std::getenv("TMPDIR");
    path = std::string(base ? base : "/tmp") + "/spondyl_data_XXXXXX";
    REQUIRE(::mkdtemp(path.data()));
  }
  ~Directory() {
    for (const std::string& name : names_) std::remove(in(name).c_str());
    ::rmdir(path.c_str());
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  std::string in(const std::string& name) const { return path + "/" + name; }
  void write(const std::string& name, const std::string& text) {
    std::FILE* const file = std::fopen(in(name).c_str(), "wb");
    REQUIRE(file);
    REQUIRE(std::fwrite(text.data(), 1, text.size(), file) == text.size());
    std::fclose(file);
    names_.push_back(name);
  }
  void own(const std::string& name) { names_.push_back(name); }

  std::string path;

 private:
  std::vector<std::string> names_;
};

std::string refusal(const std::string& path, const char* model = "CervicalSpine") {
  try {
    DataSet::from_directory(path, model);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

const std::string own_base =
    "body,centre_x [m],centre_z [cm],tilt [rad],ISL_x [mm],ISL_z [mm],ALL_x [mm],ALL_z [mm],source\r\n"
    "T1,-0.0045,-1.1,0.5,-43,-8,8,0.5,own radiograph\r\n";

}  // namespace

TEST_CASE("every embedded table can be read in every data set") {
  REQUIRE_FALSE(embedded_files().empty());
  for (const EmbeddedFile& file : embedded_files()) {
    INFO(file.model << "/" << file.name);
    const DataSet reconciled = DataSet::embedded(file.model, "reconciled");
    if (file.name == "published.csv") {
      CHECK_NOTHROW(DataSet::embedded(file.model, "published"));
    } else {
      const Table& table = reconciled.table(file.name.substr(0, file.name.size() - 4));
      CHECK(table.file_name() == file.name);
      CHECK_FALSE(table.rows().empty());
    }
  }
}

TEST_CASE("the published data set differs from the reconciled one in the listed cells only") {
  const DataSet reconciled = DataSet::embedded("CervicalSpine", "reconciled");
  const DataSet published = DataSet::embedded("CervicalSpine", "published");
  CHECK(reconciled.names() == std::vector<std::string>{"base", "bodies", "head", "levels"});
  CHECK(published.names() == reconciled.names());
  int differences = 0;
  for (const std::string& name : reconciled.names()) {
    const Table &a = reconciled.table(name), &b = published.table(name);
    REQUIRE(a.rows() == b.rows());
    REQUIRE(a.columns() == b.columns());
    for (const std::string& row : a.rows()) {
      for (const std::string& column : a.columns()) differences += a.text(row, column) != b.text(row, column);
    }
  }
  CHECK(differences == 16);
  for (const std::string& level : published.table("levels").rows()) {
    for (const char* column : {"ligament_rest", "joint_rest"}) {
      CHECK(reconciled.table("levels").number(level, column, Quantity::ratio) == 1.0);
      CHECK(published.table("levels").number(level, column, Quantity::ratio) == 0.0);
    }
  }
}

TEST_CASE("unknown models, data sets and tables are refused") {
  CHECK_THROWS_WITH(DataSet::embedded("Cervical", "reconciled"),
                    Contains("'Cervical'") && Contains("CervicalSpine"));
  CHECK_THROWS_WITH(DataSet::embedded("CervicalSpine", "custom"),
                    Contains("'custom'") && Contains("reconciled, published"));
  CHECK_THROWS_WITH(DataSet::embedded("CervicalSpine", "reconciled").table("body"),
                    Contains("'body'") && Contains("base, bodies, head, levels"));
  CHECK_THROWS_AS(DataSet::embedded("CervicalSpine", ""), DataError);
}

TEST_CASE("a user's table replaces the default of the same name and no other") {
  Directory directory;
  directory.write("base.csv", own_base);
  directory.write("README.md", "not a table");
  directory.write(".hidden.csv", "\x01");
  directory.write("base.csv~", "backup");
  for (const std::string& path : {directory.path, directory.path + "/"}) {
    const DataSet custom = DataSet::from_directory(path, "CervicalSpine");
    CHECK(custom.table("base").number("T1", "centre_x", Quantity::length) == -0.0045);
    CHECK(custom.table("base").number("T1", "centre_z", Quantity::length) == Approx(-0.011).epsilon(1e-15));
    CHECK(custom.table("base").number("T1", "tilt", Quantity::angle) == 0.5);
    CHECK(custom.table("base").file_name() == directory.in("base.csv"));
    CHECK(custom.table("bodies").number("C5", "mass", Quantity::mass) == 0.23);
    CHECK(custom.table("levels").number("C4C5", "ligament_rest", Quantity::ratio) == 1.0);
  }
}

TEST_CASE("a directory that is missing, no directory, unreadable or without tables is refused by name") {
  Directory directory;
  CHECK_THAT(refusal(directory.in("nowhere")), Contains("nowhere'") && Contains("does not exist"));
  CHECK_THAT(refusal(""), Contains("does not exist"));
  CHECK_THAT(refusal(directory.path), Contains(directory.path.substr(0, 20)) &&
                                          Contains("has no table of the model CervicalSpine") &&
                                          Contains("base.csv, bodies.csv, head.csv, levels.csv"));
  CHECK_THAT(refusal(directory.path, "Nobody"), Contains("'Nobody'"));
  directory.write("file", "x");
  CHECK_THAT(refusal(directory.in("file")), Contains("is not a directory"));
  if (::geteuid() != 0) {  // root may read everything
    REQUIRE(::chmod(directory.path.c_str(), 0) == 0);
    CHECK_THAT(refusal(directory.path), Contains("permission denied"));
    REQUIRE(::chmod(directory.path.c_str(), 0700) == 0);
  }
}

TEST_CASE("a misspelt table is refused and the allowed names are listed") {
  Directory directory;
  directory.write("base.csv", own_base);
  const std::string wrong = GENERATE("bodys.csv", "Bodies.csv", "bodies.CSV", "levels (copy).csv");
  directory.write(wrong, "x");
  CHECK_THAT(refusal(directory.path), Contains("'" + wrong + "' is not a table") &&
                                          Contains("base.csv, bodies.csv, head.csv, levels.csv"));
}

TEST_CASE("a list of published cells has no place in a user's directory") {
  Directory directory;
  directory.write("base.csv", own_base);
  directory.write("published.csv", "table,row,column,value,reason\n");
  CHECK_THAT(refusal(directory.path), Contains(directory.in("published.csv")) && Contains("remove it"));
}

TEST_CASE("errors in a user's table name the file with its path") {
  Directory directory;
  SECTION("value") {
    directory.write("base.csv", "body,tilt [deg],source\nT1,steep,s\n");
    CHECK_THAT(
        refusal(directory.path),
        Contains(directory.in("base.csv") + ": row 'T1', column 'tilt [deg]'") && Contains("value 'steep'"));
  }
  SECTION("column") {
    directory.write("base.csv", "body,tillt [deg],source\nT1,20,s\n");
    CHECK_THAT(refusal(directory.path),
               Contains(directory.in("base.csv") + ": column 'tillt [deg]' is unknown") &&
                   Contains("centre_x, centre_z, tilt"));
  }
  SECTION("empty") {
    directory.write("base.csv", "");
    CHECK_THAT(refusal(directory.path), Contains(directory.in("base.csv") + ": is empty"));
  }
  SECTION("too large") {
    directory.write("base.csv", own_base + std::string(max_file_size, '#'));
    CHECK_THAT(refusal(directory.path), Contains(directory.in("base.csv")) && Contains("1048576 bytes"));
  }
  SECTION("binary") {
    directory.write("base.csv", std::string("\x00\x01\x02", 3));
    CHECK_THAT(refusal(directory.path), Contains(directory.in("base.csv")) && Contains("not a text file"));
  }
}

TEST_CASE("what is not a plain file does not hang or crash the reader") {
  Directory directory;
  SECTION("directory") {
    REQUIRE(::mkdir(directory.in("base.csv").c_str(), 0700) == 0);
    directory.own("base.csv");
    CHECK_THAT(refusal(directory.path), Contains(directory.in("base.csv")) && Contains("is a directory"));
  }
  SECTION("pipe") {
    REQUIRE(::mkfifo(directory.in("base.csv").c_str(), 0600) == 0);
    directory.own("base.csv");
    CHECK_THAT(refusal(directory.path), Contains(directory.in("base.csv")) && Contains("is empty"));
  }
  SECTION("dangling link") {
    REQUIRE(::symlink("nowhere", directory.in("base.csv").c_str()) == 0);
    directory.own("base.csv");
    CHECK_THAT(refusal(directory.path), Contains(directory.in("base.csv")) && Contains("does not exist"));
  }
  SECTION("endless device") {
    REQUIRE(::symlink("/dev/zero", directory.in("base.csv").c_str()) == 0);
    directory.own("base.csv");
    CHECK_THAT(refusal(directory.path), Contains(directory.in("base.csv")) && Contains("1048576 bytes"));
  }
}
