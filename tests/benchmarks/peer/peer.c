#include "peer/peer.h"

#include <stdlib.h>
#include <string.h>

enum { n = NECK_N };

peer* peer_new(const neck* k, const double* q0, double end, double tolerance, int restart) {
  peer* p = calloc(1, sizeof *p);
  p->model = k;
  memcpy(p->q0, q0, sizeof p->q0);
  p->end = end;
  p->tolerance = tolerance;
  p->restart = restart;
  SUNContext_Create(NULL, &p->context);
  p->y = N_VNew_Serial(2 * n, p->context);
  p->ydot = N_VNew_Serial(2 * n, p->context);
  p->work = N_VNew_Serial(2 * n, p->context);
  p->matrix = SUNDenseMatrix(2 * n, 2 * n, p->context);
  p->linear = SUNLinSol_Dense(p->y, p->matrix, p->context);
  N_VConst(0, p->y);
  return p;
}

void peer_free(peer* p) {
  if (!p) return;
  p->destroy(p);
  SUNLinSolFree(p->linear);
  SUNMatDestroy(p->matrix);
  N_VDestroy(p->y);
  N_VDestroy(p->ydot);
  N_VDestroy(p->work);
  SUNContext_Free(&p->context);
  free(p);
}

peer_counts peer_statistics(const peer* p) { return p->counts; }

int peer_run(peer* p, int grid, double* q, double* v, double* a) {
  const double corner[] = {0.5 * p->model->pulse_duration, p->model->pulse_duration, p->end};
  double* y = N_VGetArrayPointer(p->y);
  memcpy(y, p->q0, n * sizeof *y);
  memset(y + n, 0, n * sizeof *y);
  memset(&p->counts, 0, sizeof p->counts);
  if (grid > 0) {
    memcpy(q, y, n * sizeof *y);
    memcpy(v, y + n, n * sizeof *y);
    neck_acceleration(p->model, 0, y, y + n, a);
  }
  double t = 0;
  int next = 1;
  for (int piece = 0; piece < 3; ++piece) {
    if (piece == 0 || p->restart)
      if (p->begin(p, t)) return -1;
    if (grid == 0) {
      if (p->advance(p, corner[piece], 0, &t)) return -1;
    } else {
      while (t < corner[piece]) {
        if (p->advance(p, corner[piece], 1, &t)) return -1;
        for (; next <= grid && p->end * next / grid <= t + 1e-12; ++next) {
          const double at = p->end * next / grid;
          p->interpolate(p, at < t ? at : t, q + next * n, v + next * n, a + next * n);
        }
      }
    }
    if (p->restart || piece == 2) p->count(p);
  }
  return 0;
}

static void set_point(peer* p, const double* q, const double* v, const double* a) {
  double *y = N_VGetArrayPointer(p->y), *ydot = N_VGetArrayPointer(p->ydot);
  memcpy(y, q, n * sizeof *y);
  memcpy(y + n, v, n * sizeof *y);
  memcpy(ydot, v, n * sizeof *y);
  memcpy(ydot + n, a, n * sizeof *y);
}

void peer_residual(peer* p, double t, const double* q, const double* v, const double* a) {
  set_point(p, q, v, a);
  p->residual(p, t);
}
void peer_jacobian(peer* p, double t, const double* q, const double* v, const double* a) {
  set_point(p, q, v, a);
  p->jacobian(p, t);
}
void peer_factor(peer* p, double step) {
  p->assemble(p, step);
  SUNLinSolSetup(p->linear, p->matrix);
}
