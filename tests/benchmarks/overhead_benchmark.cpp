/// What the FMI layer costs beyond the solver: calls of the FMU's own functions in process, side by side with
/// the same work without FMI, and with a trivial FMU in the style of a plain C struct as the floor.

#include <fmi3Functions.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "fmu/instance.h"
#include "models/cervical_spine/model.h"
#include "models/simulation.h"

using namespace spondyl;

namespace {

using Clock = std::chrono::steady_clock;

/// Best of several rounds, in nanoseconds a call.
template <class Work>
double nanoseconds(int calls, Work work) {
  double best = 1e300;
  for (int round = 0; round < 15; ++round) {
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) work();
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / calls);
  }
  return best;
}

fmi3Instance instantiate() {
  const std::string token = fmu::instantiation_token(fmu::model_type());
  return fmi3InstantiateCoSimulation("benchmark", token.c_str(), nullptr, fmi3False, fmi3False, fmi3False,
                                     fmi3False, nullptr, 0, nullptr, nullptr, nullptr);
}

fmi3Instance started() {
  const fmi3Instance instance = instantiate();
  fmi3EnterInitializationMode(instance, fmi3False, 0, 0, fmi3False, 0);
  fmi3ExitInitializationMode(instance);
  return instance;
}

void step(fmi3Instance instance, double& t, double h) {
  fmi3Boolean event, terminate, early;
  fmi3Float64 last;
  fmi3DoStep(instance, t, h, fmi3True, &event, &terminate, &early, &last);
  t += h;
}

/// The floor: a state in a struct, a guard by a mask, nothing to solve.
struct Trivial {
  unsigned mode = 8;
  double time = 0, x = 1;
};
[[gnu::noinline]] int trivial_step(void* c, double, double h, double* last) {
  Trivial* const t = static_cast<Trivial*>(c);
  if (!t || !(t->mode & 8)) return 3;
  t->x -= h * t->x;
  *last = t->time += h;
  return 0;
}

}  // namespace

int main() {
  const double h = 1e-4;
  std::printf("What the FMI layer of CervicalSpine costs (best of 15 rounds)\n\n");

  // the same steps with and without FMI, at rest, where a step of the solver is cheapest
  const fmi3Instance instance = started();
  double t = 0;
  const double with_fmi = nanoseconds(2000, [&] { step(instance, t, h); });
  Simulation plain(cervical_spine_type());
  plain.initialise(0);
  double s = 0;
  const double without = nanoseconds(2000, [&] { plain.advance(s += h); });
  Trivial trivial;
  double last;
  const double floor = nanoseconds(100000, [&] { trivial_step(&trivial, trivial.time, h, &last); });
  std::printf("fmi3DoStep of 0.1 ms       %8.0f ns\n  the solver's part        %8.0f ns\n", with_fmi,
              without);
  std::printf("  beyond the solver        %8.0f ns   (aim: 200 ns)\n", with_fmi - without);
  std::printf("a trivial step in C        %8.1f ns\n", floor);

  // reading: the first read after a step evaluates the outputs, the others copy
  std::vector<fmi3ValueReference> outputs;
  for (const Handle k : fmu::model_type().variables().of(Causality::output))
    outputs.push_back(fmu::reference(k));
  std::vector<fmi3Float64> values(outputs.size());
  const auto read = [&] {
    fmi3GetFloat64(instance, outputs.data(), outputs.size(), values.data(), values.size());
  };
  const double step_and_read = nanoseconds(2000, [&] {
    step(instance, t, h);
    read();
  });
  const double read_again = nanoseconds(20000, read);
  std::printf("reading %zu outputs        %8.0f ns   after a step, %.1f ns each\n", outputs.size(),
              step_and_read - with_fmi, (step_and_read - with_fmi) / static_cast<double>(outputs.size()));
  std::printf("reading them again         %8.0f ns   %.1f ns each (aim: 5 ns)\n", read_again,
              read_again / static_cast<double>(outputs.size()));

  fmi3FMUState state = nullptr;
  fmi3GetFMUState(instance, &state);
  const double save = nanoseconds(20000, [&] {
    fmi3GetFMUState(instance, &state);
    fmi3SetFMUState(instance, state);
  });
  size_t size = 0;
  fmi3SerializedFMUStateSize(instance, state, &size);
  std::printf("get + set FMU state        %8.0f ns   (aim: 2000 ns), %zu bytes serialised\n", save, size);

  const double first = nanoseconds(20, [] {
    const fmi3Instance fresh = started();
    double begin = 0;
    step(fresh, begin, 1e-3);
    fmi3FreeInstance(fresh);
  });
  std::printf("instantiate to first step  %8.0f us   (aim: 5000 us)\n", first / 1000);

  const auto before = mallinfo2().uordblks;
  std::vector<fmi3Instance> many;
  for (int i = 0; i < 50; ++i) many.push_back(started());
  std::printf("memory of an instance      %8.0f KiB  (aim: 256 KiB)\n",
              static_cast<double>(mallinfo2().uordblks - before) / 50 / 1024);
  for (const fmi3Instance i : many) fmi3FreeInstance(i);
  fmi3FreeInstance(instance);
}
