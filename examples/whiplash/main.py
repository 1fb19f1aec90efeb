"""The 8.5 g whiplash of the CervicalSpine FMU: what the paper states against what comes out, a CSV and a figure.

    python examples/whiplash/main.py [fmu] [output directory]
"""

import csv
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


def simulate(fmu, stop_time):
    outputs = ["head_acceleration_x", "energy_error", "sled_velocity_x", "HIC15", "HIC36", "head_a3ms", "NIC_max", "Nij",
               "Nkm", "LNL", "BrIC"]
    outputs += [f"{body}_{q}" for body in BODIES for q in ("angle", "position_x", "position_z")]
    outputs += [f"{level}_{q}" for level in LEVELS for q in ("angle", "ALL_force", "ISL_force")]
    return fmpy.simulate_fmu(str(fmu), start_values={"pulse_shape": TRIANGLE}, output=outputs, stop_time=stop_time,
                             output_interval=1e-3)


def facts(run, long_run):
    """(what, paper, here) for everything that the paper states of this run."""
    time = run["time"]
    angle = {level: run[f"{level}_angle"] - run[f"{level}_angle"][0] for level in LEVELS}
    early = np.searchsorted(time, 0.040)
    flexed = [level for level in LEVELS if angle[level][early] > 0]
    all_extended = np.all([angle[level] < 0 for level in LEVELS], axis=0)
    c_shape = time[np.argmax(all_extended & (time > 0.03))]
    extension = run["head_angle"] - run["head_angle"][0]
    ligament = {level: run[f"{level}_ALL_force"].max() for level in LEVELS}
    strongest = max(ligament, key=ligament.get)
    return [
        ("flexed at 40 ms, before all extend", "upper levels", f"{flexed[0]} to {flexed[-1]}"),
        ("change from S to C shape", "50 to 75 ms", f"{1e3 * c_shape:.0f} ms"),
        ("largest extension at", "about 140 ms", f"{1e3 * time[np.argmin(extension)]:.0f} ms"),
        ("largest extension of the head", "not printed", f"{-np.degrees(extension.min()):.1f} deg"),
        ("largest ALL force at C4-C5", "about 45 N", f"{ligament['C4C5']:.1f} N"),
        ("largest ALL force anywhere", "C4-C5", f"{strongest}, {ligament[strongest]:.1f} N"),
        ("energy error e_R, 0 to 5 s", "0.0103", f"{long_run['energy_error'].max():.1e}"),
    ]


def print_table(rows):
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    for k, row in enumerate(rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        if k == 0:
            print("  ".join("-" * width for width in widths))


def write_csv(run, path):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(run.dtype.names)
        writer.writerows(run)


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
    run, long_run = simulate(fmu, 0.3), simulate(fmu, 5.0)
    print("Rear-end whiplash, triangle of 8.5 g and 105 ms, data set reconciled\n")
    print_table([("", "paper", "here")] + facts(run, long_run))
    last = run[-1]
    print("\nInjury criteria: " + ", ".join(
        f"{name} {last[name]:.3g}" for name in ("HIC15", "HIC36", "NIC_max", "Nij", "Nkm", "LNL", "BrIC"))
        + f", head_a3ms {last['head_a3ms'] / 9.81:.1f} g")
    write_csv(run, out / "whiplash.csv")
    draw(run, out / "whiplash.png")
    print(f"\nFMU     {fmu}\nresults {out / 'whiplash.csv'}\nfigure  {out / 'whiplash.png'}")


if __name__ == "__main__":
    main()
