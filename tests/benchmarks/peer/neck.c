#include "peer/neck.h"

#include <math.h>

void neck_prepare(neck* k, const neck_body body[NECK_N], double gravity, double pulse_peak,
                  double pulse_duration) {
  double above = 0;
  for (int i = NECK_N - 1; i >= 0; --i) {
    const neck_body* b = &body[i];
    const double* d = b->pivot;
    const double* s = b->centre;
    k->inertia[i] = b->inertia + b->mass * (s[0] * s[0] + s[1] * s[1]) + above * (d[0] * d[0] + d[1] * d[1]);
    k->bx[i] = b->mass * s[0] + above * d[0];
    k->bz[i] = b->mass * s[1] + above * d[1];
    k->dx[i] = d[0];
    k->dz[i] = d[1];
    for (int e = 0; e < NECK_LIGAMENTS; ++e) {
      const double* l = b->anchor_lower[e];
      const double* u = b->anchor_upper[e];
      k->square[e][i] = l[0] * l[0] + l[1] * l[1] + u[0] * u[0] + u[1] * u[1];
      k->along[e][i] = l[0] * u[0] + l[1] * u[1];
      k->across[e][i] = l[0] * u[1] - l[1] * u[0];
      k->k[e][i] = b->stiffness[e];
      k->c[e][i] = b->damping[e];
      k->rest[e][i] = b->rest_length[e];
    }
    k->half_ko[i] = 0.5 * b->joint_stiffness;
    k->co[i] = b->joint_damping;
    k->rest_sin[i] = sin(b->joint_rest);
    k->rest_cos[i] = cos(b->joint_rest);
    above += b->mass;
  }
  k->head_centre[0] = body[NECK_N - 1].centre[0];
  k->head_centre[1] = body[NECK_N - 1].centre[1];
  k->gravity = gravity;
  k->pulse_peak = pulse_peak;
  k->pulse_duration = pulse_duration;
}

static double pulse(const neck* k, double t) {
  const double half = 0.5 * k->pulse_duration;
  if (t <= 0 || t >= k->pulse_duration) return 0;
  return k->pulse_peak * (t < half ? t : k->pulse_duration - t) / half;
}

/* Everything that follows from the angles alone. */
typedef struct {
  double s[NECK_N], c[NECK_N];                           /* of the angles */
  double bx[NECK_N], bz[NECK_N], dx[NECK_N], dz[NECK_N]; /* turned */
  double st[NECK_N], ct[NECK_N];                         /* of the relative angles */
} pose;

static inline void turn(const neck* restrict k, const double* restrict q, pose* restrict p) {
  for (int i = 0; i < NECK_N; ++i) {
    p->s[i] = sin(q[i]);
    p->c[i] = cos(q[i]);
  }
  for (int i = 0; i < NECK_N; ++i) {
    p->bx[i] = k->bz[i] * p->s[i] + k->bx[i] * p->c[i];
    p->bz[i] = k->bz[i] * p->c[i] - k->bx[i] * p->s[i];
    p->dx[i] = k->dz[i] * p->s[i] + k->dx[i] * p->c[i];
    p->dz[i] = k->dz[i] * p->c[i] - k->dx[i] * p->s[i];
  }
  p->st[0] = p->s[0];
  p->ct[0] = p->c[0];
  for (int i = 1; i < NECK_N; ++i) {
    p->st[i] = p->s[i] * p->c[i - 1] - p->c[i] * p->s[i - 1];
    p->ct[i] = p->c[i] * p->c[i - 1] + p->s[i] * p->s[i - 1];
  }
}

/* Moment of every level against its relative angle. */
static inline void levels(const neck* restrict k, const pose* restrict p, const double* restrict v,
                          double* restrict moment) {
  double w[NECK_N];
  w[0] = v[0];
  for (int i = 1; i < NECK_N; ++i) w[i] = v[i] - v[i - 1];
  for (int i = 0; i < NECK_N; ++i) {
    const double s = p->st[i] * k->rest_cos[i] - p->ct[i] * k->rest_sin[i];
    const double c = p->ct[i] * k->rest_cos[i] + p->st[i] * k->rest_sin[i];
    const double half = sqrt(0.5 + 0.5 * c);
    moment[i] = k->half_ko[i] * s / (half * half * half) + k->co[i] * w[i];
  }
  for (int e = 0; e < NECK_LIGAMENTS; ++e)
    for (int i = 0; i < NECK_N; ++i) {
      const double g = k->along[e][i] * p->ct[i] + k->across[e][i] * p->st[i];
      const double f = k->along[e][i] * p->st[i] - k->across[e][i] * p->ct[i];
      const double length = sqrt(k->square[e][i] - 2 * g), lever = f / length;
      moment[i] += (k->k[e][i] * (length - k->rest[e][i]) + k->c[e][i] * lever * w[i]) * lever;
    }
}

static inline void between(const double* restrict moment, double* restrict r) {
  for (int i = 0; i < NECK_N - 1; ++i) r[i] += moment[i] - moment[i + 1];
  r[NECK_N - 1] += moment[NECK_N - 1];
}

void neck_residual(const neck* k, double t, const double* q, const double* v, const double* a, double* r) {
  pose p;
  double moment[NECK_N], w[NECK_N];
  turn(k, q, &p);
  levels(k, &p, v, moment);
  /* acceleration of the pivots less gravity, upward */
  double px = pulse(k, t), pz = k->gravity;
  for (int i = 0; i < NECK_N; ++i) {
    w[i] = v[i] * v[i];
    r[i] = k->inertia[i] * a[i] + p.bz[i] * px - p.bx[i] * pz;
    px += a[i] * p.dz[i] - w[i] * p.dx[i];
    pz -= a[i] * p.dx[i] + w[i] * p.dz[i];
  }
  /* inertia of all that is above, downward */
  double ix = 0, iz = 0;
  for (int i = NECK_N - 1; i >= 0; --i) {
    r[i] += p.dz[i] * ix - p.dx[i] * iz;
    ix += a[i] * p.bz[i] - w[i] * p.bx[i];
    iz -= a[i] * p.bx[i] + w[i] * p.bz[i];
  }
  between(moment, r);
}

void neck_jacobian(const neck* k, double t, const double* q, const double* v, const double* a, double* of_q,
                   double* of_v, double* of_a) {
  enum { n = NECK_N };
  pose p;
  turn(k, q, &p);
  double px = pulse(k, t), pz = k->gravity;
  for (int i = 0; i < n; ++i) {
    const double w = v[i] * v[i];
    of_q[i * n + i] = -(p.bx[i] * px + p.bz[i] * pz);
    px += a[i] * p.dz[i] - w * p.dx[i];
    pz -= a[i] * p.dx[i] + w * p.dz[i];
  }
  double ix = 0, iz = 0;
  for (int i = n - 1; i >= 0; --i) {
    const double w = v[i] * v[i];
    of_q[i * n + i] -= p.dx[i] * ix + p.dz[i] * iz;
    ix += a[i] * p.bz[i] - w * p.bx[i];
    iz -= a[i] * p.bx[i] + w * p.bz[i];
    of_v[i * n + i] = 0;
    of_a[i * n + i] = k->inertia[i];
  }
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      const double dot = p.bx[i] * p.dx[j] + p.bz[i] * p.dz[j];
      const double cross = p.bz[i] * p.dx[j] - p.bx[i] * p.dz[j];
      of_a[j * n + i] = of_a[i * n + j] = dot;
      of_q[j * n + i] = -a[j] * cross - v[j] * v[j] * dot;
      of_q[i * n + j] = a[i] * cross - v[i] * v[i] * dot;
      of_v[j * n + i] = -2 * v[j] * cross;
      of_v[i * n + j] = 2 * v[i] * cross;
    }
  /* levels: slopes of the moments, tridiagonal */
  double w[n], by_angle[n], by_rate[n];
  w[0] = v[0];
  for (int i = 1; i < n; ++i) w[i] = v[i] - v[i - 1];
  for (int i = 0; i < n; ++i) {
    const double s = p.st[i] * k->rest_cos[i] - p.ct[i] * k->rest_sin[i];
    const double c = p.ct[i] * k->rest_cos[i] + p.st[i] * k->rest_sin[i];
    const double square = 0.5 + 0.5 * c, cube = square * sqrt(square);
    by_angle[i] = k->half_ko[i] / cube * (c + 0.75 * s * s / square);
    by_rate[i] = k->co[i];
  }
  for (int e = 0; e < NECK_LIGAMENTS; ++e)
    for (int i = 0; i < n; ++i) {
      const double g = k->along[e][i] * p.ct[i] + k->across[e][i] * p.st[i];
      const double f = k->along[e][i] * p.st[i] - k->across[e][i] * p.ct[i];
      const double length = sqrt(k->square[e][i] - 2 * g), inverse = 1 / length;
      const double lever = f * inverse, slope = (g - lever * lever) * inverse;
      const double damped = k->c[e][i] * w[i];
      const double tension = k->k[e][i] * (length - k->rest[e][i]) + damped * lever;
      by_angle[i] += (k->k[e][i] * lever + damped * slope) * lever + tension * slope;
      by_rate[i] += k->c[e][i] * lever * lever;
    }
  for (int i = 0; i < n; ++i) {
    of_q[i * n + i] += by_angle[i];
    of_v[i * n + i] += by_rate[i];
    if (i == 0) continue;
    const int below = i - 1;
    of_q[below * n + below] += by_angle[i];
    of_q[below * n + i] -= by_angle[i];
    of_q[i * n + below] -= by_angle[i];
    of_v[below * n + below] += by_rate[i];
    of_v[below * n + i] -= by_rate[i];
    of_v[i * n + below] -= by_rate[i];
  }
}

/* M = L L^T in place, lower part of row-major rows; the diagonal keeps the inverse of L's. */
static inline void cholesky(double m[NECK_N][NECK_N]) {
  for (int j = 0; j < NECK_N; ++j) {
    double d = m[j][j];
    for (int k = 0; k < j; ++k) d -= m[j][k] * m[j][k];
    const double inverse = m[j][j] = 1 / sqrt(d);
    for (int i = j + 1; i < NECK_N; ++i) {
      double sum = m[i][j];
      for (int k = 0; k < j; ++k) sum -= m[i][k] * m[j][k];
      m[i][j] = sum * inverse;
    }
  }
}

static inline void cholesky_solve(double m[NECK_N][NECK_N], double* b) {
  for (int i = 0; i < NECK_N; ++i) {
    double sum = b[i];
    for (int k = 0; k < i; ++k) sum -= m[i][k] * b[k];
    b[i] = sum * m[i][i];
  }
  for (int i = NECK_N - 1; i >= 0; --i) {
    const double x = b[i] *= m[i][i];
    for (int k = 0; k < i; ++k) b[k] -= m[i][k] * x;
  }
}

static inline void mass_matrix(const neck* restrict k, const pose* restrict p, double m[NECK_N][NECK_N]) {
  for (int i = 0; i < NECK_N; ++i) {
    for (int j = 0; j < i; ++j) m[i][j] = p->bx[i] * p->dx[j] + p->bz[i] * p->dz[j];
    m[i][i] = k->inertia[i];
  }
}

void neck_acceleration(const neck* k, double t, const double* q, const double* v, double* a) {
  pose p;
  double moment[NECK_N], m[NECK_N][NECK_N], w[NECK_N], r[NECK_N];
  turn(k, q, &p);
  levels(k, &p, v, moment);
  double px = pulse(k, t), pz = k->gravity;
  for (int i = 0; i < NECK_N; ++i) {
    w[i] = v[i] * v[i];
    r[i] = p.bz[i] * px - p.bx[i] * pz;
    px -= w[i] * p.dx[i];
    pz -= w[i] * p.dz[i];
  }
  double ix = 0, iz = 0;
  for (int i = NECK_N - 1; i >= 0; --i) {
    r[i] += p.dz[i] * ix - p.dx[i] * iz;
    ix -= w[i] * p.bx[i];
    iz -= w[i] * p.bz[i];
  }
  between(moment, r);
  for (int i = 0; i < NECK_N; ++i) r[i] = -r[i];
  mass_matrix(k, &p, m);
  cholesky(m);
  cholesky_solve(m, r);
  for (int i = 0; i < NECK_N; ++i) a[i] = r[i];
}

void neck_acceleration_jacobian(const neck* k, double t, const double* q, const double* v, const double* a,
                                double* of_q, double* of_v) {
  double mass[NECK_N * NECK_N], m[NECK_N][NECK_N];
  neck_jacobian(k, t, q, v, a, of_q, of_v, mass);
  for (int i = 0; i < NECK_N; ++i)
    for (int j = 0; j <= i; ++j) m[i][j] = mass[i * NECK_N + j];
  cholesky(m);
  for (int j = 0; j < NECK_N; ++j) {
    double *x = of_q + j * NECK_N, *y = of_v + j * NECK_N;
    for (int i = 0; i < NECK_N; ++i) {
      x[i] = -x[i];
      y[i] = -y[i];
    }
    cholesky_solve(m, x);
    cholesky_solve(m, y);
  }
}

double neck_head_acceleration(const neck* k, double t, const double* q, const double* v, const double* a) {
  pose p;
  turn(k, q, &p);
  double x = pulse(k, t);
  for (int i = 0; i < NECK_N - 1; ++i) x += a[i] * p.dz[i] - v[i] * v[i] * p.dx[i];
  const int h = NECK_N - 1;
  const double sx = k->head_centre[1] * p.s[h] + k->head_centre[0] * p.c[h];
  const double sz = k->head_centre[1] * p.c[h] - k->head_centre[0] * p.s[h];
  return x + a[h] * sz - v[h] * v[h] * sx;
}
