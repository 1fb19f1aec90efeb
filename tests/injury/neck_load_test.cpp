#include <catch2/catch.hpp>

#include "injury/lnl.h"
#include "injury/nij.h"
#include "injury/nkm.h"

using namespace spondyl::injury;

TEST_CASE("Nij adds force and moment as shares of the critical values of their directions") {
  const NijConstants critical{6806.0, 6160.0, 310.0, 135.0};
  Nij nij;
  nij.sample(critical, 2500.0, 40.0);
  CHECK(nij.value() == Approx(2500.0 / 6806.0 + 40.0 / 310.0));
  nij.sample(critical, 1900.0, -35.0);
  nij.sample(critical, -2100.0, 71.0);
  nij.sample(critical, -3300.0, -52.0);
  CHECK(nij.tension_flexion == Approx(2500.0 / 6806.0 + 40.0 / 310.0));
  CHECK(nij.tension_extension == Approx(1900.0 / 6806.0 + 35.0 / 135.0));
  CHECK(nij.compression_flexion == Approx(2100.0 / 6160.0 + 71.0 / 310.0));
  CHECK(nij.compression_extension == Approx(3300.0 / 6160.0 + 52.0 / 135.0));
  CHECK(nij.value() == nij.compression_extension);
}

TEST_CASE("Nij finds its largest value in each of the four load cases") {
  const NijConstants critical;
  for (const double force : {4100.0, -4100.0}) {
    for (const double moment : {77.0, -77.0}) {
      Nij nij;
      for (const double f : {300.0, -300.0})
        for (const double m : {6.0, -6.0}) nij.sample(critical, f, m);
      nij.sample(critical, force, moment);
      CHECK(nij.value() ==
            Approx(4100.0 / (force > 0 ? 6806.0 : 6160.0) + 77.0 / (moment > 0 ? 310.0 : 135.0)));
    }
  }
}

TEST_CASE("Nij does not add maxima of different instants") {
  const NijConstants critical;
  Nij nij;
  nij.sample(critical, 3000.0, 0.0);
  nij.sample(critical, 0.0, 100.0);
  CHECK(nij.value() == Approx(3000.0 / 6806.0));
  CHECK(nij.tension_flexion < 3000.0 / 6806.0 + 0.01);
}

TEST_CASE("Nkm adds shear and moment as shares of the intercepts of their directions") {
  NkmConstants critical;
  critical.posterior = 790.0;  // lopsided, to tell the two apart
  Nkm nkm;
  nkm.sample(critical, 210.0, 13.0);
  nkm.sample(critical, 140.0, -9.0);
  nkm.sample(critical, -330.0, 21.0);
  nkm.sample(critical, -95.0, -17.0);
  CHECK(nkm.anterior_flexion == Approx(210.0 / 845.0 + 13.0 / 88.1));
  CHECK(nkm.anterior_extension == Approx(140.0 / 845.0 + 9.0 / 47.5));
  CHECK(nkm.posterior_flexion == Approx(330.0 / 790.0 + 21.0 / 88.1));
  CHECK(nkm.posterior_extension == Approx(95.0 / 790.0 + 17.0 / 47.5));
  CHECK(nkm.value() == nkm.posterior_flexion);
}

TEST_CASE("Nkm finds its largest value in each of the four load cases") {
  const NkmConstants critical;
  for (const double force : {410.0, -410.0}) {
    for (const double moment : {27.0, -27.0}) {
      Nkm nkm;
      for (const double f : {30.0, -30.0})
        for (const double m : {2.0, -2.0}) nkm.sample(critical, f, m);
      nkm.sample(critical, force, moment);
      CHECK(nkm.value() == Approx(410.0 / 845.0 + 27.0 / (moment > 0 ? 88.1 : 47.5)));
    }
  }
}

TEST_CASE("LNL adds the magnitudes of moment, shear and axial force at one instant") {
  const LnlConstants critical;
  for (const double shear : {130.0, -130.0})
    for (const double axial : {410.0, -410.0})
      for (const double moment : {22.0, -22.0}) {
        Lnl lnl;
        lnl.sample(critical, shear, axial, moment);
        CHECK(lnl.value() == Approx(22.0 / 15.0 + 130.0 / 250.0 + 410.0 / 900.0));
      }
}

TEST_CASE("LNL keeps the largest instant") {
  const LnlConstants critical;
  Lnl lnl;
  lnl.sample(critical, 0.0, 0.0, -33.0);
  lnl.sample(critical, 240.0, 500.0, 0.0);
  CHECK(lnl.value() == Approx(33.0 / 15.0));
}
