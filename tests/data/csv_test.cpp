#include "data/csv.h"

#include <catch2/catch.hpp>

#include "data/data_error.h"

using namespace spondyl::data;
using Catch::Matchers::Contains;
using Catch::Matchers::Equals;
using Cells = std::vector<std::string>;

namespace {
Cells cells(std::string_view text, std::size_t record) { return read_csv(text, "t.csv").at(record).cells; }
}  // namespace

TEST_CASE("cells are separated by commas and blanks around them do not count") {
  CHECK(cells("a,b,c\n1 , \t2,\n", 1) == Cells{"1", "2", ""});
  CHECK(cells("a,b\n1,2", 1) == Cells{"1", "2"});
}

TEST_CASE("quoted cells keep commas, quotes, blanks and line breaks") {
  CHECK(cells("a,b\n\"x, y\",\" z \"\n", 1) == Cells{"x, y", " z "});
  CHECK(cells("a,b\n\"say \"\"no\"\"\", \"\" \n", 1) == Cells{"say \"no\"", ""});
  CHECK(cells("a,b\n\"two\r\nlines\",1\n", 1) == Cells{"two\nlines", "1"});
  CHECK(cells("a\n\"# no comment\"\n", 1) == Cells{"# no comment"});
}

TEST_CASE("comments, empty lines, CRLF and a byte order mark are passed over but lines are counted") {
  const auto records = read_csv(
      "\xEF\xBB\xBF# comment, with \"quote\r\na,b\r\n\r\n  \r\n#x\r\n\"1\n1\",2\r\n3,4\r\n", "t.csv");
  REQUIRE(records.size() == 3);
  CHECK(records[0].line == 2);
  CHECK(records[1].line == 6);
  CHECK(records[2].line == 8);
  CHECK(records[2].cells == Cells{"3", "4"});
}

TEST_CASE("UTF-8 passes through") {
  CHECK(cells("a,b\nKecskeméthy,±1 φ 🦴\n", 1) == Cells{"Kecskeméthy", "±1 φ 🦴"});
}

TEST_CASE("damaged text is refused with file and line") {
  const auto message = [](std::string_view text) {
    try {
      read_csv(text, "t.csv");
    } catch (const DataError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK_THAT(message(""), Contains("t.csv") && Contains("empty"));
  CHECK_THAT(message("# only this\n\n"), Contains("empty"));
  CHECK_THAT(message("a,b\n1,2\nC5,0,23\n"),
             Contains("t.csv: line 3") && Contains("row 'C5' has 3 cells, the head has 2"));
  CHECK_THAT(message("a,b\n1\n"), Contains("line 2") && Contains("has 1 cells"));
  CHECK_THAT(message("a,b\n1,\"2\n3,4\n"), Contains("line 2") && Contains("never closed"));
  CHECK_THAT(message("a,b\n1,\"2\"x\n"), Contains("line 2") && Contains("after the closing quote"));
  CHECK_THAT(message("a,b\n1,2\"x\"\n"), Contains("line 2") && Contains("quote inside"));
  CHECK_THAT(message("a,b\n1,2\r3,4\n"), Contains("line 2") && Contains("carriage return"));
  CHECK_THAT(message(std::string_view("a,b\n1,\0\n", 8)),
             Contains("line 2") && Contains("control character 0"));
  CHECK_THAT(message("\x7F"
                     "ELF\x02\x01"),
             Contains("line 1") && Contains("not a text file"));
  CHECK_THAT(message("a,b\n1,caf\xE9\n"), Contains("line 2") && Contains("not UTF-8"));
  CHECK_THAT(message("a\n\xED\xA0\x80\n"), Contains("not UTF-8"));      // surrogate
  CHECK_THAT(message("a\n\xC0\x80\n"), Contains("not UTF-8"));          // overlong
  CHECK_THAT(message("a\n\xF4\x90\x80\x80\n"), Contains("not UTF-8"));  // beyond U+10FFFF
  CHECK_THAT(message("a\n\xE2\x82"), Contains("not UTF-8"));            // cut
  CHECK_THAT(message(std::string(max_file_size + 1, 'a')), Contains("t.csv") && Contains("1048576"));
  CHECK(message(std::string(max_file_size, 'a')) == "no error");
}

TEST_CASE("text in messages stays on one line and is shortened between characters") {
  CHECK_THAT(quoted("a\nb\x01"), Equals("'a b '"));
  const std::string longer = quoted(std::string(59, 'x') + "éé and so on");
  CHECK_THAT(longer, Equals("'" + std::string(59, 'x') + "é...'"));
}
