/* CVODE, BDF: y' = (v, M(q)^-1 h(t, q, v)), exact Jacobian, dense LU of I - gamma J. */

#include <cvode/cvode.h>
#include <string.h>

#include "peer/peer.h"

enum { n = NECK_N };

static int rhs(realtype t, N_Vector y, N_Vector ydot, void* user) {
  const neck* k = ((peer*)user)->model;
  const double* x = N_VGetArrayPointer(y);
  double* d = N_VGetArrayPointer(ydot);
  memcpy(d, x + n, n * sizeof *d);
  neck_acceleration(k, t, x, x + n, d + n);
  return 0;
}

/* The matrix comes zeroed, the right-hand side is at hand. */
static int jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix matrix, void* user, N_Vector t1,
                    N_Vector t2, N_Vector t3) {
  (void)t1, (void)t2, (void)t3;
  const neck* k = ((peer*)user)->model;
  const double *x = N_VGetArrayPointer(y), *d = N_VGetArrayPointer(f);
  double of_q[n * n], of_v[n * n];
  neck_acceleration_jacobian(k, t, x, x + n, d + n, of_q, of_v);
  double* m = SM_DATA_D(matrix);
  for (int j = 0; j < n; ++j) {
    double *left = m + j * 2 * n, *right = m + (n + j) * 2 * n;
    right[j] = 1;
    memcpy(left + n, of_q + j * n, n * sizeof *m);
    memcpy(right + n, of_v + j * n, n * sizeof *m);
  }
  return 0;
}

static int begin(peer* p, double t) { return CVodeReInit(p->integrator, t, p->y); }

static int advance(peer* p, double target, int one_step, double* t) {
  CVodeSetStopTime(p->integrator, target);
  return CVode(p->integrator, target, p->y, t, one_step ? CV_ONE_STEP : CV_NORMAL) < 0;
}

static void interpolate(peer* p, double t, double* q, double* v, double* a) {
  const double* w = N_VGetArrayPointer(p->work);
  CVodeGetDky(p->integrator, t, 0, p->work);
  memcpy(q, w, n * sizeof *q);
  memcpy(v, w + n, n * sizeof *v);
  CVodeGetDky(p->integrator, t, 1, p->work);
  memcpy(a, w + n, n * sizeof *a);
}

static void count(peer* p) {
  long steps, evaluations, jacobians, setups;
  CVodeGetNumSteps(p->integrator, &steps);
  CVodeGetNumRhsEvals(p->integrator, &evaluations);
  CVodeGetNumJacEvals(p->integrator, &jacobians);
  CVodeGetNumLinSolvSetups(p->integrator, &setups);
  p->counts.steps += steps;
  p->counts.residuals += evaluations;
  p->counts.jacobians += jacobians;
  p->counts.factorisations += setups;
}

static void one_residual(peer* p, double t) { rhs(t, p->y, p->work, p); }
static void one_jacobian(peer* p, double t) {
  SUNMatZero(p->matrix);
  jacobian(t, p->y, p->ydot, p->matrix, p, NULL, NULL, NULL);
}
static void assemble(peer* p, double step) { SUNMatScaleAddI(-step, p->matrix); }
static void destroy(peer* p) { CVodeFree(&p->integrator); }

peer* peer_cvode(const neck* k, const double* q0, double end, double tolerance, int restart) {
  peer* p = peer_new(k, q0, end, tolerance, restart);
  p->begin = begin;
  p->advance = advance;
  p->interpolate = interpolate;
  p->count = count;
  p->residual = one_residual;
  p->jacobian = one_jacobian;
  p->assemble = assemble;
  p->destroy = destroy;
  p->integrator = CVodeCreate(CV_BDF, p->context);
  CVodeInit(p->integrator, rhs, 0, p->y);
  CVodeSetUserData(p->integrator, p);
  CVodeSStolerances(p->integrator, tolerance, tolerance);
  CVodeSetLinearSolver(p->integrator, p->linear, p->matrix);
  CVodeSetJacFn(p->integrator, jacobian);
  CVodeSetMaxNumSteps(p->integrator, -1);
  return p;
}
