/* IDA: F = (q' - v, M(q) v' - h(t, q, v)), exact iteration matrix, dense LU. */

#include <ida/ida.h>
#include <string.h>

#include "peer/peer.h"

enum { n = NECK_N };

static int residual(realtype t, N_Vector y, N_Vector ydot, N_Vector r, void* user) {
  const neck* k = ((peer*)user)->model;
  const double *x = N_VGetArrayPointer(y), *d = N_VGetArrayPointer(ydot);
  double* out = N_VGetArrayPointer(r);
  for (int i = 0; i < n; ++i) out[i] = d[i] - x[n + i];
  neck_residual(k, t, x, x + n, d + n, out + n);
  return 0;
}

/* The matrix comes zeroed. */
static int jacobian(realtype t, realtype cj, N_Vector y, N_Vector ydot, N_Vector r, SUNMatrix matrix,
                    void* user, N_Vector t1, N_Vector t2, N_Vector t3) {
  (void)r, (void)t1, (void)t2, (void)t3;
  const neck* k = ((peer*)user)->model;
  const double *x = N_VGetArrayPointer(y), *d = N_VGetArrayPointer(ydot);
  double of_q[n * n], of_v[n * n], of_a[n * n];
  neck_jacobian(k, t, x, x + n, d + n, of_q, of_v, of_a);
  double* m = SM_DATA_D(matrix);
  for (int j = 0; j < n; ++j) {
    double *left = m + j * 2 * n, *right = m + (n + j) * 2 * n;
    left[j] = cj;
    right[j] = -1;
    for (int i = 0; i < n; ++i) {
      left[n + i] = of_q[j * n + i];
      right[n + i] = of_v[j * n + i] + cj * of_a[j * n + i];
    }
  }
  return 0;
}

static int begin(peer* p, double t) {
  double *y = N_VGetArrayPointer(p->y), *d = N_VGetArrayPointer(p->ydot);
  memcpy(d, y + n, n * sizeof *d);
  neck_acceleration(p->model, t, y, y + n, d + n);
  ++p->counts.residuals;
  return IDAReInit(p->integrator, t, p->y, p->ydot);
}

static int advance(peer* p, double target, int one_step, double* t) {
  IDASetStopTime(p->integrator, target);
  return IDASolve(p->integrator, target, t, p->y, p->ydot, one_step ? IDA_ONE_STEP : IDA_NORMAL) < 0;
}

static void interpolate(peer* p, double t, double* q, double* v, double* a) {
  const double* w = N_VGetArrayPointer(p->work);
  IDAGetDky(p->integrator, t, 0, p->work);
  memcpy(q, w, n * sizeof *q);
  memcpy(v, w + n, n * sizeof *v);
  IDAGetDky(p->integrator, t, 1, p->work);
  memcpy(a, w + n, n * sizeof *a);
}

static void count(peer* p) {
  long steps, residuals, jacobians, setups;
  IDAGetNumSteps(p->integrator, &steps);
  IDAGetNumResEvals(p->integrator, &residuals);
  IDAGetNumJacEvals(p->integrator, &jacobians);
  IDAGetNumLinSolvSetups(p->integrator, &setups);
  p->counts.steps += steps;
  p->counts.residuals += residuals;
  p->counts.jacobians += jacobians;
  p->counts.factorisations += setups;
}

static void one_residual(peer* p, double t) { residual(t, p->y, p->ydot, p->work, p); }
/* IDA wants the whole matrix at once: cj belongs to it. */
static void one_jacobian(peer* p, double t) {
  SUNMatZero(p->matrix);
  jacobian(t, 1e3, p->y, p->ydot, NULL, p->matrix, p, NULL, NULL, NULL);
}
static void assemble(peer* p, double step) { (void)p, (void)step; }
static void destroy(peer* p) { IDAFree(&p->integrator); }

peer* peer_ida(const neck* k, const double* q0, double end, double tolerance, int restart) {
  peer* p = peer_new(k, q0, end, tolerance, restart);
  p->begin = begin;
  p->advance = advance;
  p->interpolate = interpolate;
  p->count = count;
  p->residual = one_residual;
  p->jacobian = one_jacobian;
  p->assemble = assemble;
  p->destroy = destroy;
  p->integrator = IDACreate(p->context);
  IDAInit(p->integrator, residual, 0, p->y, p->ydot);
  IDASetUserData(p->integrator, p);
  IDASStolerances(p->integrator, tolerance, tolerance);
  IDASetLinearSolver(p->integrator, p->linear, p->matrix);
  IDASetJacFn(p->integrator, jacobian);
  IDASetMaxNumSteps(p->integrator, -1);
  return p;
}
