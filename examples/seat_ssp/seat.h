#ifndef SEAT_H
#define SEAT_H

#include "variables.h" /* TOKEN, START_VALUES and the value references by name: made from modelDescription.xml */

enum { back, torso, restraint, body_count };
typedef struct {
  double x[body_count], v[body_count];
} State;

/* `variables` are indexed by value references. */
void advance_seat(const double* variables, double time, double step, State* state);
void write_outputs(double* variables, double time, const State* state);

#endif
