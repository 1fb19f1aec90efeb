#include "injury/saved_state.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "injury/a3ms.h"
#include "injury/bric.h"
#include "injury/dri.h"
#include "injury/hic.h"
#include "injury/lnl.h"
#include "injury/nic.h"
#include "injury/nij.h"
#include "injury/nkm.h"
#include "signals.h"

using namespace spondyl::injury;
using namespace spondyl::injury::testing;

namespace {

// every criterion, as a model's state would hold them
struct Criteria {
  Hic15 hic15;
  Hic36 hic36;
  A3ms a3ms;
  Nic nic;
  Nij nij;
  Nkm nkm;
  Lnl lnl;
  Bric bric;
  Dri dri;

  void sample(const DriOscillator& oscillator, double a) {
    hic15.sample(a);
    hic36.sample(a);
    a3ms.sample(a);
    nic.sample(NicConstants{}, a, 0.3 * a, 0.011 * a, 0.004 * a);
    nij.sample(NijConstants{}, 7.0 * a - 900.0, 40.0 - 0.3 * a);
    nkm.sample(NkmConstants{}, 300.0 - 2.0 * a, 0.2 * a - 20.0);
    lnl.sample(LnlConstants{}, -0.9 * a, 2.1 * a, 0.05 * a);
    bric.sample(0.02 * a, -0.05 * a, 0.01 * a - 3.0);
    dri.sample(oscillator, 0.4 * a);
  }
};

bool same_bytes(const Criteria& left, const Criteria& right) {
  return std::memcmp(&left, &right, sizeof(Criteria)) == 0;
}

struct WithGap {
  double a;
  std::int32_t b;
};
struct WithOwner {
  double a;
  ~WithOwner() {}
};

}  // namespace

TEST_CASE("a struct with a gap or with an owner is no saved state") {
  CHECK(is_saved_state<Nij, 4>);
  CHECK_FALSE(is_saved_state<Nij, 5>);
  CHECK_FALSE(is_saved_state<WithGap, 1>);
  CHECK_FALSE(is_saved_state<WithOwner, 1>);
}

TEST_CASE("two fresh sets of criteria are the same bytes") {
  alignas(Criteria) unsigned char dirty[2][sizeof(Criteria)];
  std::memset(dirty[0], 0x55, sizeof(Criteria));
  std::memset(dirty[1], 0xAA, sizeof(Criteria));
  Criteria* first = new (dirty[0]) Criteria();
  Criteria* second = new (dirty[1]) Criteria();
  CHECK(same_bytes(*first, *second));
}

TEST_CASE("a copy taken at any moment goes on like the original, bit for bit") {
  const DriOscillator oscillator{DriConstants{}};
  std::mt19937 random(3);
  for (const std::size_t moment : {0u, 29u, 150u, 151u, 600u}) {
    const Signal signal = random_signal(random, 4, 1000);
    Criteria original;
    for (std::size_t n = 0; n < moment; ++n) original.sample(oscillator, signal[n]);
    Criteria copy;
    std::memcpy(&copy, &original, sizeof(Criteria));
    const Criteria saved = copy;
    REQUIRE(same_bytes(copy, original));

    for (std::size_t n = moment; n < signal.size(); ++n) original.sample(oscillator, signal[n]);
    CHECK_FALSE(same_bytes(copy, original));
    CHECK(same_bytes(copy, saved));
    for (std::size_t n = moment; n < signal.size(); ++n) copy.sample(oscillator, signal[n]);
    CHECK(same_bytes(copy, original));
    CHECK(copy.hic15.value() == original.hic15.value());
    CHECK(copy.dri.value(oscillator) == original.dri.value(oscillator));
  }
}
