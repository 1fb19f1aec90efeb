"""The whiplash for engines with a Python interface: see neck_case.h. Vectors run over the bodies from below."""

import math
import time

import numpy as np


class NeckCase:
    def __init__(self, file):
        rows = {}
        with open(file) as lines:
            for line in lines:
                kind, *numbers = line.split()
                rows.setdefault(kind, []).append([float(x) for x in numbers])
        self.gravity = rows["gravity"][0][0]
        self.pulse_peak, self.pulse_duration = rows["pulse"][0]
        self.end = rows["end"][0][0]
        bodies = np.array(rows["body"]).T
        self.mass, self.inertia = bodies[0], bodies[1]
        self.pivot, self.centre = bodies[2:4].T, bodies[4:6].T  # rows of (x, z)
        self.joint_stiffness, self.joint_damping, self.joint_rest = bodies[6:9]
        self.start = np.diff(bodies[9], prepend=0)
        ligaments = np.array(rows["ligament"]).reshape(len(self.mass), 2, 8)
        self.ligaments = ligaments[:, :, 1:]  # lower x z, upper x z, stiffness, damping, rest
        self.head_angle = np.array(rows["head_angle"])[:, 0]
        self.times = np.linspace(0, self.end, len(self.head_angle))

        lower, upper = self.ligaments[:, :, 0:2], self.ligaments[:, :, 2:4]
        self._square = (lower**2 + upper**2).sum(axis=2)
        self._along = (lower * upper).sum(axis=2)
        self._across = lower[:, :, 0] * upper[:, :, 1] - lower[:, :, 1] * upper[:, :, 0]
        self._k, self._c, self._rest = np.moveaxis(self.ligaments[:, :, 4:7], 2, 0)
        above = np.append(np.cumsum(self.mass[::-1])[::-1][1:], 0)
        self._first = self.mass[:, None] * self.centre + above[:, None] * self.pivot  # moment, masses above lumped

    def pulse(self, t):
        s = t / self.pulse_duration
        return 0.0 if s <= 0 or s >= 1 else 2 * self.pulse_peak * min(s, 1 - s)

    def spring_moments(self, angle):
        """Of the nonlinear joint springs, on the relative angles."""
        turn = angle - self.joint_rest
        return -0.5 * self.joint_stiffness * np.sin(turn) / np.cos(0.5 * turn) ** 3

    def ligament_moments(self, angle, rate):
        s, c = np.sin(angle)[:, None], np.cos(angle)[:, None]
        length = np.sqrt(self._square - 2 * (self._along * c + self._across * s))
        lever = (self._along * s - self._across * c) / length
        return -((self._k * (length - self._rest) + self._c * lever * rate[:, None]) * lever).sum(axis=1)

    def pulse_moments(self, t, angle):
        """Of the inertial force of the sled's acceleration, on the relative angles."""
        tilt = np.cumsum(angle)
        arm = self._first[:, 1] * np.cos(tilt) - self._first[:, 0] * np.sin(tilt)
        return -self.pulse(t) * np.cumsum(arm[::-1])[::-1]

    def error(self, times, angles, rates):
        """Greatest on the grid, from the steps by cubic interpolation."""
        times, angles, rates = map(np.asarray, (times, angles, rates))
        k = np.clip(np.searchsorted(times, self.times, side="right") - 1, 0, len(times) - 2)
        h = times[k + 1] - times[k]
        s = (self.times - times[k]) / h
        r = 1 - s
        head = r * r * (1 + 2 * s) * angles[k] + s * s * (1 + 2 * r) * angles[k + 1]
        head += h * s * r * (r * rates[k] - s * rates[k + 1])
        worst = np.abs(head - self.head_angle).max()
        return worst if math.isfinite(worst) else math.inf


def measure(engine, setting, rounds, run, error):
    """run() makes the whole run and returns its steps; error() makes it once more."""
    best = math.inf
    for _ in range(rounds):
        begin = time.thread_time()
        steps = run()
        best = min(best, time.thread_time() - begin)
    print(f'"{engine}","{setting}",{best:.4e},{steps},{error():.3e}', flush=True)
