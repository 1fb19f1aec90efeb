/* A car seat in a rear impact: a seat back on a spring and a damper, a torso that leans on its foam, and a
 * head restraint on the seat back. Point masses that move forward and backward; positions are displacements
 * against the car.
 *
 *     m_b (x_b'' + a) = -k_b x_b - c_b x_b' - F + R          seat back
 *     m_t (x_t'' + a) = F - N                                 torso, carries T1
 *     m_r (x_r'' + a) = -R - H                                head restraint
 *     F = max(0, k_f d + c_f d')  with d = x_b - x_t          foam, pushes only
 *     R = k_r (x_r - x_b) + c_r (x_r' - x_b')
 *
 * a is the car's acceleration, N what the neck pulls the torso back with, H the contact force on the head. */

#include "seat.h"

#include <math.h>

/* Triangle, as the built-in pulse of the spine. */
static double car_acceleration(const double* v, double time) {
  return v[pulse_peak] * fmax(0, 1 - fabs(2 * time / v[pulse_duration] - 1));
}

/* What the neck pulls the torso back with: the section forces on C7, turned into the axes of the car. */
static double neck_pull(const double* v) {
  return cos(v[C7_angle]) * v[neck_shear_force] - sin(v[C7_angle]) * v[neck_axial_force];
}

static double foam_force(const double* v, const State* s) {
  const double depth = s->x[back] - s->x[torso], rate = s->v[back] - s->v[torso];
  return depth > 0 ? fmax(0, v[foam_stiffness] * depth + v[foam_damping] * rate) : 0;
}

static State derivative(const double* v, double time, const State* s) {
  const double a = car_acceleration(v, time), f = foam_force(v, s);
  const double r = v[restraint_stiffness] * (s->x[restraint] - s->x[back]) +
                   v[restraint_damping] * (s->v[restraint] - s->v[back]);
  State d;
  for (int i = 0; i < body_count; ++i) d.x[i] = s->v[i];
  d.v[back] = (-v[back_stiffness] * s->x[back] - v[back_damping] * s->v[back] - f + r) / v[back_mass] - a;
  d.v[torso] = (f - neck_pull(v)) / v[torso_mass] - a;
  d.v[restraint] = (-r - v[head_contact_force]) / v[restraint_mass] - a;
  return d;
}

static State moved(const State* s, const State* rate, double step) {
  State to;
  for (int i = 0; i < body_count; ++i) {
    to.x[i] = s->x[i] + step * rate->x[i];
    to.v[i] = s->v[i] + step * rate->v[i];
  }
  return to;
}

void advance_seat(const double* v, double time, double step, State* s) {
  const double longest = 5e-5; /* s; the fastest body, the head restraint, turns in 28 ms */
  const int count = (int)fmax(1, ceil(step / longest));
  const double h = step / count;
  for (int i = 0; i < count; ++i) { /* Runge-Kutta of order 4 */
    const double t = time + i * h;
    const State k1 = derivative(v, t, s), s2 = moved(s, &k1, h / 2);
    const State k2 = derivative(v, t + h / 2, &s2), s3 = moved(s, &k2, h / 2);
    const State k3 = derivative(v, t + h / 2, &s3), s4 = moved(s, &k3, h);
    const State k4 = derivative(v, t + h, &s4);
    for (int b = 0; b < body_count; ++b) {
      s->x[b] += h / 6 * (k1.x[b] + 2 * k2.x[b] + 2 * k3.x[b] + k4.x[b]);
      s->v[b] += h / 6 * (k1.v[b] + 2 * k2.v[b] + 2 * k3.v[b] + k4.v[b]);
    }
  }
}

void write_outputs(double* v, double time, const State* s) {
  const State d = derivative(v, time, s);
  v[T1_acceleration] = d.v[torso] + car_acceleration(v, time);
  v[restraint_position] = v[restraint_start] + s->x[restraint] - s->x[torso];
  v[restraint_velocity] = s->v[restraint] - s->v[torso];
  v[foam_force_on_torso] = foam_force(v, s);
  v[back_displacement] = s->x[back];
}
