"""Moment and rotation of the LumbarSpine FMU: equilibria under pure moments on L1, and a moment step with release.

    python examples/lumbar_bending/main.py [fmu] [output directory]

Writes a table (CSV) and two figures: bending.png, the curves per level; release.png, the motion.
"""

import csv
import sys
from pathlib import Path

import fmpy
import matplotlib
import numpy as np
from fmpy.fmi3 import FMU3Slave

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

LEVELS = ["L1L2", "L2L3", "L3L4", "L4L5", "L5S1"]
BODIES = ["L1", "L2", "L3", "L4", "L5"]
LIGAMENTS = ["ALL", "PLL", "LF", "ISL", "SSL", "CL"]
CONTACTS = ["facet", "spinous"]
OUTPUTS = [f"{level}_{what}" for level in LEVELS
           for what in ["angle", "moment"] + [f"{e}_force" for e in LIGAMENTS + CONTACTS]]
# White & Panjabi 1990 in Table 2.2 of Morais 2011: combined flexion and extension, degrees
RANGE = {"L1L2": (5, 16), "L2L3": (8, 18), "L3L4": (6, 17), "L4L5": (9, 21), "L5S1": (10, 24)}


def equilibria(fmu, moments, **parameters):
    """All outputs in equilibrium, one dictionary a moment (N m, flexion positive). Without gravity."""
    description = fmpy.read_model_description(str(fmu), validate=False)
    reference = {v.name: v.valueReference for v in description.modelVariables}
    unzipped = fmpy.extract(str(fmu))
    instance = FMU3Slave(instanceName="spine", guid=description.guid, unzipDirectory=unzipped,
                         modelIdentifier=description.coSimulation.modelIdentifier)
    instance.instantiate()
    rows = []
    for moment in moments:
        settings = {"gravity": 0.0, "L1_moment_y": float(moment)} | parameters
        instance.setFloat64([reference[name] for name in settings], list(settings.values()))
        instance.enterInitializationMode()
        instance.exitInitializationMode()
        rows.append(dict(zip(OUTPUTS, instance.getFloat64([reference[name] for name in OUTPUTS]))))
        instance.reset()
    instance.freeInstance()
    return rows


def release(fmu, moment, until=0.2, stop=1.0):
    """A moment that begins at t = 0 and ends at `until`, from rest."""
    description = fmpy.read_model_description(str(fmu), validate=False)
    inputs = [v.name for v in description.modelVariables if v.causality == "input"]
    signal = np.zeros(4, dtype=[(name, float) for name in ["time"] + inputs])
    signal["time"], signal["L1_moment_y"] = [0, until, until, stop], [moment, moment, 0, 0]
    outputs = [f"{b}_{q}" for b in BODIES for q in ("position_x", "position_z", "angle")]
    outputs += [f"{level}_{q}" for level in LEVELS for q in ("angle", "facet_force")] + ["energy_error"]
    return fmpy.simulate_fmu(str(fmu), start_values={"gravity": 0.0, "start_in_equilibrium": False}, input=signal,
                             output=outputs, stop_time=stop, output_interval=1e-3)


def print_ranges(fmu):
    print("Flexion and extension under a pure moment on L1, degrees\n")
    print("level   " + "   ".join(f"{'flexion':>8} {'extension':>9} {'sum':>6}" for _ in (7.5, 10)) + "   White & Panjabi")
    found = {m: (equilibria(fmu, [m])[0], equilibria(fmu, [-m])[0]) for m in (7.5, 10.0)}
    for level in LEVELS:
        cells = []
        for flexed, extended in found.values():
            f, e = np.degrees(flexed[f"{level}_angle"]), -np.degrees(extended[f"{level}_angle"])
            cells.append(f"{f:8.2f} {e:9.2f} {f + e:6.2f}")
        print(f"{level}    " + "   ".join(cells) + f"   {RANGE[level][0]} to {RANGE[level][1]}")
    print("        7.5 N m" + " " * 17 + "10 N m\n")
    for name, row in (("flexion", found[10.0][0]), ("extension", found[10.0][1])):
        print(f"Forces under 10 N m of {name}, N (disc: N m)")
        print("level " + "".join(f"{c:>9}" for c in ["disc"] + LIGAMENTS + CONTACTS))
        for level in LEVELS:
            values = [row[f"{level}_moment"]] + [row[f"{level}_{e}_force"] for e in LIGAMENTS + CONTACTS]
            print(f"{level}  " + "".join(f"{v:9.1f}" for v in values))
        print()


def draw_bending(moments, rows, path):
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.4), constrained_layout=True)
    colours = plt.cm.viridis(np.linspace(0, 0.85, len(LEVELS)))
    for level, colour in zip(LEVELS, colours):
        angle = np.degrees([row[f"{level}_angle"] for row in rows])
        axes[0].plot(moments, angle, color=colour, label=level)
        axes[1].plot(moments, [row[f"{level}_facet_force"] for row in rows], color=colour, label=level)
    for k, ligament in enumerate(LIGAMENTS):
        axes[2].plot(moments, [row[f"L4L5_{ligament}_force"] for row in rows], color=plt.cm.tab10(k), label=ligament)
    axes[0].set(ylabel="deg", title="Level angles, flexion positive")
    axes[1].set(ylabel="N", title="Facet joints, left and right together")
    axes[2].set(ylabel="N", title="Ligaments of L4-L5")
    for axis in axes:
        axis.set(xlabel="moment on L1, N m")
        axis.axhline(0, color="0.6", lw=0.8)
        axis.axvline(0, color="0.6", lw=0.8)
        axis.set_xlim(moments[0], moments[-1])
        axis.legend(fontsize=8)
    figure.savefig(path, dpi=110)


def draw_release(run, path):
    time = 1e3 * run["time"]
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.4), constrained_layout=True)
    posture, angles, forces = axes
    moments = [0, 150, 240, 370]
    for k, t in enumerate(moments):
        i = np.searchsorted(time, t)
        shade = plt.cm.plasma(0.85 * k / (len(moments) - 1))
        for b in BODIES:
            x, z, tilt = (run[f"{b}_{q}"][i] for q in ("position_x", "position_z", "angle"))
            corners = np.array([(0, -12), (35, -12), (35, 12), (0, 12), (0, -12)])  # the vertebral body, about
            forward, up = corners.T
            posture.plot(1e3 * x + forward * np.cos(tilt) + up * np.sin(tilt),
                         1e3 * z - forward * np.sin(tilt) + up * np.cos(tilt), color=shade, lw=1.2,
                         label=f"{t} ms" if b == "L1" else None)
    posture.set(xlabel="forward of S1, mm", ylabel="above it, mm", title="Vertebral bodies")
    posture.set_aspect("equal")
    posture.set_xlim(-75, 105)
    posture.legend(fontsize=8, loc="lower left")
    for level, colour in zip(LEVELS, plt.cm.viridis(np.linspace(0, 0.85, len(LEVELS)))):
        angles.plot(time, np.degrees(run[f"{level}_angle"]), color=colour, label=level)
        forces.plot(time, run[f"{level}_facet_force"], color=colour, label=level)
    angles.set(xlabel="time, ms", ylabel="deg", title="Level angles, flexion positive")
    forces.set(xlabel="time, ms", ylabel="N", title="Facet joints")
    for axis in (angles, forces):
        axis.axvspan(0, 200, color="0.94", zorder=0)
        axis.axhline(0, color="0.6", lw=0.8)
        axis.set_xlim(time[0], time[-1])
    angles.legend(fontsize=8)
    figure.savefig(path, dpi=110)


def main():
    root = Path(__file__).resolve().parents[2]
    fmu = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "dist/LumbarSpine.fmu"
    out = Path(sys.argv[2]) if len(sys.argv) > 2 else root / "build/lumbar_bending"
    out.mkdir(parents=True, exist_ok=True)
    print_ranges(fmu)
    moments = np.linspace(-12, 12, 97)
    rows = equilibria(fmu, moments)
    with open(out / "bending.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["L1_moment_y"] + OUTPUTS)
        writer.writerows([m] + [row[name] for name in OUTPUTS] for m, row in zip(moments, rows))
    draw_bending(moments, rows, out / "bending.png")
    run = release(fmu, 10.0)
    draw_release(run, out / "release.png")
    print(f"Moment of 10 N m for 0.2 s and release: largest energy error {run['energy_error'].max():.1e}")
    print(f"\nFMU     {fmu}\ntable   {out / 'bending.csv'}\nfigures {out / 'bending.png'}, {out / 'release.png'}")


if __name__ == "__main__":
    main()
