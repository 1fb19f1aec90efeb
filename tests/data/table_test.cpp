#include "data/table.h"

#include <catch2/catch.hpp>
#include <clocale>
#include <numbers>
#include <string>

#include "data/data_error.h"

using namespace spondyl::data;
using Catch::Matchers::Contains;
using Catch::Matchers::Equals;

namespace {

const char* const good =
    "# bodies\n"
    "body, mass [kg], angle [deg], x [mm], share [1], kind, source, note\n"
    "C5, 0.23, 9.7, -39.9, 0.4, vertebra, \"de Jager, 1996\", measured\n"
    "head, +4.69, -1e1, 2.5E+1, , skull, somewhere,\n";

Table parse(const std::string& text) { return Table::parse(text, "bodies.csv"); }

// the message of the DataError that `action` throws
template <class Action>
std::string message(Action action) {
  try {
    action();
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

std::string parse_message(const std::string& text) {
  return message([&] { parse(text); });
}

std::string with_mass(const std::string& value) { return "body,mass [kg],source\nC5," + value + ",s\n"; }

}  // namespace

TEST_CASE("numbers are returned in SI and texts as written") {
  const Table table = parse(good);
  CHECK(table.file_name() == "bodies.csv");
  CHECK(table.rows() == std::vector<std::string>{"C5", "head"});
  CHECK(table.columns() == std::vector<std::string>{"mass", "angle", "x", "share", "kind", "source", "note"});
  CHECK(table.number("C5", "mass", Quantity::mass, Range::positive()) == 0.23);
  CHECK(table.number("head", "mass", Quantity::mass) == 4.69);
  CHECK(table.number("C5", "x", Quantity::length) == Approx(-0.0399).epsilon(1e-15));
  CHECK(table.number("head", "x", Quantity::length) == 0.025);
  CHECK(table.number("head", "angle", Quantity::angle) == Approx(-0.17453292519943295).epsilon(1e-15));
  CHECK(table.text("C5", "source") == "de Jager, 1996");
  CHECK(table.text("head", "note").empty());
  CHECK(table.text("head", "mass") == "+4.69");
}

TEST_CASE("a cell exists when there is something in it") {
  const Table table = parse(good);
  CHECK(table.has("C5", "share"));
  CHECK_FALSE(table.has("head", "share"));
  CHECK_FALSE(table.has("C5", "volume"));
  CHECK_FALSE(table.has("C8", "mass"));
  CHECK_FALSE(table.has("C5", "body"));
  CHECK_THAT(message([&] { table.number("head", "share", Quantity::ratio, Range::positive()); }),
             Equals("bodies.csv: row 'head', column 'share [1]': is empty (must be > 0)"));
}

TEST_CASE("a value out of range is refused with file, row, column, value and what is allowed") {
  const Table table = parse(with_mass("-0.23"));
  CHECK_THAT(message([&] { table.number("C5", "mass", Quantity::mass, Range::positive()); }),
             Equals("bodies.csv: row 'C5', column 'mass [kg]': value '-0.23' is not allowed (must be > 0)"));
  CHECK_THAT(message([&] { table.number("C5", "mass", Quantity::mass, Range::not_negative()); }),
             Equals("bodies.csv: row 'C5', column 'mass [kg]': value '-0.23' is not allowed (must be >= 0)"));
  CHECK(table.number("C5", "mass", Quantity::mass, Range::finite()) == -0.23);
}

TEST_CASE("limits are SI but messages show them in the unit of the column") {
  const Table table = parse("level,angle [deg],gap [mm],source\nC5C6,200,-3,s\n");
  CHECK_THAT(message([&] {
               table.number("C5C6", "angle", Quantity::angle,
                            Range::between(-std::numbers::pi, std::numbers::pi));
             }),
             Equals("bodies.csv: row 'C5C6', column 'angle [deg]': value '200' is not allowed (must be from "
                    "-180 deg to 180 deg)"));
  CHECK_THAT(message([&] { table.number("C5C6", "gap", Quantity::length, Range::between(0.0, 0.0105)); }),
             Contains("value '-3'") && Contains("must be from 0 to 10.5 mm"));
}

TEST_CASE("the ends of a range belong to it except for positive") {
  const Table table = parse("a,b [mm],c [deg],source\nr,0,-180,s\nq,12.5,90,s\n");
  CHECK(table.number("r", "c", Quantity::angle, Range::between(-std::numbers::pi, std::numbers::pi)) ==
        -std::numbers::pi);
  CHECK(table.number("q", "c", Quantity::angle, Range::between(0.0, std::numbers::pi / 2)) ==
        std::numbers::pi / 2);
  CHECK(table.number("r", "b", Quantity::length, Range::not_negative()) == 0.0);
  CHECK(table.number("q", "b", Quantity::length, Range::between(-1.0, 0.0125)) == 0.0125);
  CHECK_THROWS_AS(table.number("r", "b", Quantity::length, Range::positive()), DataError);
}

TEST_CASE("an unknown unit is refused and the known ones are named") {
  CHECK_THAT(parse_message("body,mass [stone],source\nC5,1,s\n"),
             Contains("bodies.csv: column 'mass [stone]'") && Contains("unknown unit 'stone'") &&
                 Contains("kg, kg.m2"));
  CHECK_THAT(parse_message("body,mass [],source\nC5,1,s\n"), Contains("unknown unit ''"));
}

TEST_CASE("a unit of the wrong quantity or no unit is refused") {
  const Table table = parse("body,mass [mm],width,source\nC5,1,2,s\n");
  CHECK_THAT(
      message([&] { table.number("C5", "mass", Quantity::mass); }),
      Equals("bodies.csv: column 'mass [mm]': the unit does not fit (allowed in square brackets: kg)"));
  CHECK_THAT(
      message([&] { table.number("C5", "width", Quantity::length); }),
      Equals("bodies.csv: column 'width': the unit is missing (allowed in square brackets: m, cm, mm)"));
}

TEST_CASE("a missing row or column is named with those that exist") {
  const Table table = parse(good);
  CHECK_THAT(message([&] { table.number("C6", "mass", Quantity::mass); }),
             Equals("bodies.csv: row 'C6' is missing (there are: C5, head)"));
  CHECK_THAT(message([&] { table.number("C5", "inertia", Quantity::inertia); }),
             Contains("bodies.csv: column 'inertia' is missing") && Contains("mass, angle, x"));
  CHECK_THAT(message([&] { table.text("C5", "colour"); }), Contains("column 'colour' is missing"));
}

TEST_CASE("rows and columns that occur twice are refused") {
  CHECK_THAT(parse_message("body,mass [kg],source\nC5,1,s\nC6,2,s\nC5,3,s\n"),
             Equals("bodies.csv: line 4: there is already a row 'C5'"));
  CHECK_THAT(parse_message("body,mass [kg],mass [1],source\nC5,1,2,s\n"),
             Equals("bodies.csv: column 'mass [1]': there is already a column 'mass'"));
  CHECK_THAT(parse_message("body,body,source\nC5,1,s\n"), Contains("already a column 'body'"));
}

TEST_CASE("rows that the model does not know and rows that it misses are refused") {
  const Table table = parse(good);
  CHECK_NOTHROW(table.require_exactly({"head", "C5"}));
  CHECK_THAT(message([&] {
               table.require_exactly({"C5", "skull"});
             }),
             Equals("bodies.csv: row 'head' is unknown (allowed: C5, skull)"));
  CHECK_THAT(message([&] { table.require_exactly({"C5", "C6", "head"}); }), Contains("row 'C6' is missing"));
}

TEST_CASE("columns that the model does not know are refused") {
  const Table table = parse("body,mas [kg],source\nC5,1,s\n");
  CHECK_NOTHROW(table.allow_columns(std::vector<std::string>{"source", "other", "mas"}));
  CHECK_THAT(message([&] {
               table.allow_columns(std::vector<std::string>{"mass", "source"});
             }),
             Equals("bodies.csv: column 'mas [kg]' is unknown (allowed: mass, source)"));
}

TEST_CASE("what is not a finite number is refused at parsing with its place") {
  for (const char* value : {"heavy", "0.23 kg", "0.23x", "1e", "--1", "+-1", "0x10", "nan", "inf", "-inf",
                            "NAN", "1e999", "1e-999", "\"0,23\"", ".", "1 2", "\"1\n\""}) {
    INFO(value);
    CHECK_THAT(parse_message(with_mass(value)),
               Contains("bodies.csv: row 'C5', column 'mass [kg]': value '"));
  }
  CHECK_THAT(parse_message(with_mass("1.2.3")), Contains("value '1.2.3' is not a number"));
  CHECK_THAT(parse_message(with_mass("inf")), Contains("value 'inf' is not allowed (must be finite)"));
  CHECK_THAT(parse_message("a,b [kN],source\nr,1e307,s\n"), Contains("must be finite"));
}

TEST_CASE("a head that is damaged or in the wrong place is refused") {
  for (const char* head : {"mass [kg", "mass kg]", "[kg]", "mass [kg] x", "mass [[kg]]", "", "\"mass\n\""}) {
    INFO(head);
    CHECK_THAT(parse_message("body," + std::string(head) + ",source\nC5,1,s\n"),
               Contains("bodies.csv: column '") && Contains("the head is damaged"));
  }
  CHECK_THAT(parse_message("body [m],source\n1,s\n"), Contains("column 'body [m]': must be text"));
  CHECK_THAT(parse_message("body,source [m]\nC5,1\n"), Contains("column 'source [m]': must be text"));
}

TEST_CASE("every table and every row has a source") {
  CHECK_THAT(parse_message("body,mass [kg]\nC5,0.23\n"), Contains("bodies.csv: column 'source' is missing"));
  CHECK_THAT(parse_message("source,mass [kg]\nC5,0.23\n"), Contains("column 'source' is missing"));
  CHECK_THAT(parse_message("body;mass;source\nC5;0.23;s\n"), Contains("separated by commas"));
  CHECK_THAT(parse_message("body,mass [kg],source\nC5,0.23,\n"),
             Contains("bodies.csv: row 'C5', column 'source': is empty"));
}

TEST_CASE("tables without rows or with nameless rows are refused") {
  CHECK_THAT(parse_message("body,mass [kg],source\n"), Contains("bodies.csv: has a head but no rows"));
  CHECK_THAT(parse_message("body,mass [kg],source\n,1,s\n"),
             Contains("bodies.csv: line 2") && Contains("name of the row"));
  CHECK_THAT(parse_message(""), Contains("bodies.csv: is empty"));
  CHECK_THAT(parse_message(std::string("PK\x03\x04", 4)),
             Contains("bodies.csv") && Contains("not a text file"));
}

TEST_CASE("one number can be replaced without touching the original") {
  const Table table = parse(good);
  const Table changed = table.with_number("C5", "x [mm]", "-41.5", "published.csv: line 3");
  CHECK(changed.number("C5", "x", Quantity::length) == Approx(-0.0415).epsilon(1e-15));
  CHECK(changed.text("C5", "x") == "-41.5");
  CHECK(changed.number("head", "x", Quantity::length) == 0.025);
  CHECK(table.number("C5", "x", Quantity::length) == Approx(-0.0399).epsilon(1e-15));

  const auto refused = [&](const char* row, const char* head, const char* value) {
    return message([&] { table.with_number(row, head, value, "published.csv: line 3"); });
  };
  CHECK_THAT(refused("C8", "x [mm]", "1"),
             Contains("published.csv: line 3: row 'C8'") && Contains("C5, head"));
  CHECK_THAT(refused("C5", "x [m]", "1"), Contains("column 'x [m]': no such column") && Contains("x [mm]"));
  CHECK_THAT(refused("C5", "kind", "1"), Contains("no such column of numbers"));
  CHECK_THAT(refused("C5", "x [mm]", "wide"),
             Contains("published.csv: line 3") && Contains("value 'wide' is not a number"));
  CHECK_THAT(refused("C5", "x [mm]", ""), Contains("value '' is not a number"));
}

TEST_CASE("numbers have a decimal point whatever the locale") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_ALL, name)) break;
  }
  const Table table = parse(with_mass("0.23"));
  const double mass = table.number("C5", "mass", Quantity::mass);
  const std::string refusal =
      message([&] { table.number("C5", "mass", Quantity::mass, Range::between(0.5, 1.5)); });
  const std::string comma = parse_message(with_mass("\"0,23\""));
  std::setlocale(LC_ALL, before.c_str());
  CHECK(mass == 0.23);
  CHECK_THAT(refusal, Contains("must be from 0.5 kg to 1.5 kg"));
  CHECK_THAT(comma, Contains("is not a number"));
}

TEST_CASE("the largest file of the smallest rows is read without delay") {
  std::string text = "a,source\n";
  for (int i = 0; text.size() < (1u << 20) - 20; ++i) text += std::to_string(i) + ",s\n";
  const Table table = parse(text);
  CHECK(table.rows().size() > 100000);
  CHECK(message([&] { table.text("x", "source"); }).size() < 1000);
}
