#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace peers {

/// main of a peer, `<program> <case> <rounds>`: reads the case and runs.
template <class Case, class Run>
int peer_main(int argc, char** argv, Run run) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s <case> <rounds>\n", argv[0]);
    return 2;
  }
  try {
    run(Case(argv[1]), std::atoi(argv[2]));
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", argv[0], e.what());
    return 1;
  }
}

}  // namespace peers
