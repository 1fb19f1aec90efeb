"""A person falls from lying 0.5 m above the ground, and sits through an 8.5 g pulse: one strip of pictures each.

    python examples/person/main.py [fmu] [output directory]
"""

import csv
import sys
from pathlib import Path

import fmpy
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


def ellipsoids():
    """Name, centre and semi-axes of every body at the reference size."""
    lines = [line for line in (ROOT / "resources/Human17/bodies.csv").open(encoding="utf-8") if not line.startswith("#")]
    for row in csv.DictReader(lines, skipinitialspace=True):
        yield row["body"], *(np.array([float(row[f"{name}_{axis} [m]"]) for axis in "xyz"]) for name in ("ellipsoid", "semi_axis"))


def rotation(w, x, y, z):
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


FALL = {"posture": 3, "start_position_z": 0.631, "plane1_active": True}
SEAT = {
    "posture": 2,
    "start_position_z": 0.0,
    "start_in_equilibrium": True,
    "pulse_shape": 2,
    "plane1_active": True,
    "plane1_z": -0.1313,
    "plane1_bodies": "pelvis,thigh_left,thigh_right",
    "plane2_active": True,
    "plane2_x": -0.1231,
    "plane2_z": -0.0448,
    "plane2_nx": 0.9397,
    "plane2_nz": 0.342,
    "plane2_bodies": "pelvis,abdomen,thorax",
    "plane3_active": True,
    "plane3_z": -0.4971,
    "plane3_bodies": "foot_left,foot_right",
}


def simulate(fmu, settings, times):
    outputs = [f"{body}_position_{axis}" for body, _, _ in ellipsoids() for axis in "xyz"]
    outputs += [f"{body}_orientation_{axis}" for body, _, _ in ellipsoids() for axis in "wxyz"]
    step = 0.005
    run = fmpy.simulate_fmu(str(fmu), start_values=settings, output=outputs, stop_time=times[-1], output_interval=step)
    return [run[round(t / step)] for t in times]


def strip(states, times, lines, limits, height, title, file):
    """Outlines of the ellipsoids from the right side, forward to the right."""
    figure, panels = plt.subplots(1, len(times), figsize=(2.1 * len(times), height), sharey=True)
    around = np.linspace(0, 2 * np.pi, 60)
    for state, t, panel in zip(states, times, panels):
        for (x0, z0), (x1, z1) in lines:
            panel.plot([x0, x1], [z0, z1], color="0.6", linewidth=2, zorder=0)
        for body, centre, semi in ellipsoids():
            turn = rotation(*(state[f"{body}_orientation_{axis}"] for axis in "wxyz"))
            at = np.array([state[f"{body}_position_{axis}"] for axis in "xyz"]) + turn @ centre
            # the outline of an ellipsoid seen along y: the ellipse of the projected matrix
            matrix = (turn @ np.diag(semi**2) @ turn.T)[np.ix_([0, 2], [0, 2])]
            outline = np.linalg.cholesky(matrix) @ np.array([np.cos(around), np.sin(around)])
            far = body.endswith("_left")
            panel.fill(at[0] + outline[0], at[2] + outline[1], facecolor="#c9d8ea" if far else "#8fb1d6", edgecolor="#24476b",
                       linewidth=0.7, alpha=0.9, zorder=1 if far else 3 if body.endswith("_right") else 2)  # fmt: skip
        panel.set_title(f"{1000 * t:.0f} ms", fontsize=9)
        panel.set_aspect("equal")
        panel.set_xlim(*limits[0])
        panel.set_ylim(*limits[1])
        panel.tick_params(labelsize=7)
    figure.suptitle(title, fontsize=10)
    figure.tight_layout()
    figure.savefig(file, dpi=130)
    print(file)


def main():
    fmu = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist/Human17.fmu"
    directory = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(".")
    times = [0, 0.3, 0.34, 0.4, 0.5, 0.7, 1.0]
    strip(simulate(fmu, FALL, times), times, [((-1, 0), (1.3, 0))], ((-1.0, 1.3), (-0.1, 0.9)), 1.7,
          "Fall from lying, 0.5 m (view from the right, m)", directory / "fall.png")  # fmt: skip
    times = [0, 0.05, 0.08, 0.1, 0.12, 0.15, 0.2]
    seat = [((-0.1, -0.1313), (0.45, -0.1313)), ((-0.08, -0.163), (-0.37, 0.634)), ((0.3, -0.4971), (0.9, -0.4971))]
    strip(simulate(fmu, SEAT, times), times, seat, ((-0.7, 0.95), (-0.6, 0.8)), 2.6,
          "Seated, 8.5 g forward pulse of 105 ms (view from the right, m)", directory / "seated_pulse.png")  # fmt: skip


if __name__ == "__main__":
    main()
