#ifndef PEER_NECK_H
#define PEER_NECK_H

/* The head and neck of Fritzkowski & Walczak 2014 as one would write it by hand for SUNDIALS: the opponent of
 * the benchmark. It uses nothing of src/; whoever fills the struct takes the numbers from the same tables.
 *
 * Coordinates: absolute forward tilts of eight bodies from below; x forward, z up; SI units. */

#ifdef __cplusplus
extern "C" {
#endif

enum { NECK_N = 8, NECK_LIGAMENTS = 2 };

typedef struct {
  double mass, inertia;      /* about the centre of mass */
  double pivot[2];           /* of the body above, from the own pivot, in body axes */
  double centre[2];          /* centre of mass, likewise */
  double anchor_lower[2][2]; /* of the ligaments of the level below: on the lower body, from the pivot */
  double anchor_upper[2][2]; /* and on this body */
  double stiffness[2], damping[2], rest_length[2];
  double joint_stiffness, joint_damping, joint_rest;
} neck_body;

/* All that can be worked out before the run, in arrays over the bodies. */
typedef struct {
  double inertia[NECK_N];        /* about the pivot, the masses above lumped in the upper pivot */
  double bx[NECK_N], bz[NECK_N]; /* first moment of body and masses above, body axes */
  double dx[NECK_N], dz[NECK_N]; /* upper pivot, body axes */
  double head_centre[2];
  /* ligament: length^2 = square - 2 (along cos + across sin) of the relative angle */
  double square[2][NECK_N], along[2][NECK_N], across[2][NECK_N];
  double k[2][NECK_N], c[2][NECK_N], rest[2][NECK_N];
  double half_ko[NECK_N], co[NECK_N], rest_sin[NECK_N], rest_cos[NECK_N];
  double gravity, pulse_peak, pulse_duration; /* triangle from t = 0 */
} neck;

void neck_prepare(neck* k, const neck_body body[NECK_N], double gravity, double pulse_peak,
                  double pulse_duration);

/* r = M(q) a - h(t, q, v) in O(n), without M. */
void neck_residual(const neck* k, double t, const double* q, const double* v, const double* a, double* r);
/* Its derivatives, column-major n x n. */
void neck_jacobian(const neck* k, double t, const double* q, const double* v, const double* a, double* of_q,
                   double* of_v, double* of_a);
/* Solves M(q) a = h(t, q, v) by Cholesky. */
void neck_acceleration(const neck* k, double t, const double* q, const double* v, double* a);
/* Derivatives of that a, column-major n x n. */
void neck_acceleration_jacobian(const neck* k, double t, const double* q, const double* v, const double* a,
                                double* of_q, double* of_v);
/* Inertial acceleration of the head's centre of mass, forward. */
double neck_head_acceleration(const neck* k, double t, const double* q, const double* v, const double* a);

/* A run 0..end from (q0, 0) with an absolute and relative tolerance. The corners of the pulse are stop times;
 * with `restart` the integrator begins anew there. */
typedef struct {
  long steps, residuals, jacobians, factorisations;
} peer_counts;

typedef struct peer peer;

peer* peer_ida(const neck* k, const double* q0, double end, double tolerance, int restart);
peer* peer_cvode(const neck* k, const double* q0, double end, double tolerance, int restart);
void peer_free(peer*);

/* `grid` > 0: also q, v, a (grid + 1 rows of n) at that many equal parts of the interval, from the
 * integrator's own interpolation. Returns 0 if all went well. */
int peer_run(peer*, int grid, double* q, double* v, double* a);
peer_counts peer_statistics(const peer*);

/* Single pieces for timing: what the integrator calls. */
void peer_residual(peer*, double t, const double* q, const double* v, const double* a);
void peer_jacobian(peer*, double t, const double* q, const double* v, const double* a);
void peer_factor(peer*, double step);

#ifdef __cplusplus
}
#endif

#endif
