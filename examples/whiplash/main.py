"""The 8.5 g whiplash of the CervicalSpine FMU as a figure: postures, level angles, ligament forces.

    python examples/whiplash/main.py [fmu] [output directory]
"""

import sys
from pathlib import Path

import fmpy
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

LEVELS = ["C7T1", "C6C7", "C5C6", "C4C5", "C3C4", "C2C3", "C1C2", "C0C1"]
BODIES = ["C7", "C6", "C5", "C4", "C3", "C2", "C1", "head"]
TRIANGLE = 2  # item of the enumeration pulse_shape


def simulate(fmu):
    outputs = [f"{body}_position_{axis}" for body in BODIES for axis in "xz"]
    outputs += [f"{level}_{q}" for level in LEVELS for q in ("angle", "ALL_force")]
    return fmpy.simulate_fmu(str(fmu), start_values={"pulse_shape": TRIANGLE}, output=outputs, stop_time=0.3, output_interval=1e-3)


def draw(run, path):
    time = 1e3 * run["time"]
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.4), constrained_layout=True)
    posture, angles, forces = axes
    colours = plt.cm.viridis(np.linspace(0, 0.9, len(LEVELS)))

    moments = [0, 60, 90, 132, 200, 260]
    for k, t in enumerate(moments):
        i = np.searchsorted(time, t)
        x = np.array([run[f"{b}_position_x"][i] for b in BODIES]) * 1e3
        z = np.array([run[f"{b}_position_z"][i] for b in BODIES]) * 1e3
        shade = plt.cm.plasma(0.85 * k / (len(moments) - 1))
        posture.plot(x[:-1], z[:-1], "-o", ms=4, color=shade, label=f"{t} ms")
        posture.plot(x[-2:], z[-2:], "-", lw=1, color=shade)
        posture.add_patch(plt.Circle((x[-1], z[-1]), 22, fill=False, color=shade, lw=1.5))
    posture.set(xlabel="forward of C7's pivot, mm", ylabel="above it, mm", title="Centres of mass, seen from the sled")
    posture.set_aspect("equal")
    posture.legend(fontsize=8, loc="lower left")

    for level, colour in zip(LEVELS, colours):
        angles.plot(time, np.degrees(run[f"{level}_angle"] - run[f"{level}_angle"][0]), color=colour, label=level)
        forces.plot(time, run[f"{level}_ALL_force"], color=colour, label=level)
    angles.set(xlabel="time, ms", ylabel="deg", title="Level angles, flexion positive")
    forces.set(xlabel="time, ms", ylabel="N", title="Anterior longitudinal ligament")
    for axis in (angles, forces):
        axis.axhline(0, color="0.6", lw=0.8)
        axis.axvspan(0, 105, color="0.94", zorder=0)
        axis.set_xlim(0, 300)
    angles.legend(fontsize=8, ncol=2, loc="upper left")
    figure.savefig(path, dpi=110)


def main():
    root = Path(__file__).resolve().parents[2]
    fmu = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "dist/CervicalSpine.fmu"
    out = Path(sys.argv[2]) if len(sys.argv) > 2 else root / "build/whiplash"
    out.mkdir(parents=True, exist_ok=True)
    draw(simulate(fmu), out / "whiplash.png")
    print(f"figure  {out / 'whiplash.png'}")


if __name__ == "__main__":
    main()
