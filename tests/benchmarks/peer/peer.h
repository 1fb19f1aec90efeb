#ifndef PEER_PEER_H
#define PEER_PEER_H

/* What the two integrators have in common: one virtual table, one loop over the smooth pieces of the pulse.
 */

#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "peer/neck.h"

struct peer {
  const neck* model;
  double q0[NECK_N], end, tolerance;
  int restart;
  SUNContext context;
  void* integrator;
  N_Vector y, ydot, work; /* (q, v), its derivative, scratch */
  SUNMatrix matrix;
  SUNLinearSolver linear;
  peer_counts counts;

  /* Both return 0 if all went well. */
  int (*begin)(peer*, double t);
  /* To `target`, a stop time, in one go; or, if one_step, a single step. *t gets what was reached. */
  int (*advance)(peer*, double target, int one_step, double* t);
  void (*interpolate)(peer*, double t, double* q, double* v, double* a);
  void (*count)(peer*);
  void (*residual)(peer*, double t);
  void (*jacobian)(peer*, double t);
  void (*assemble)(peer*, double step);
  void (*destroy)(peer*);
};

peer* peer_new(const neck* k, const double* q0, double end, double tolerance, int restart);

#endif
