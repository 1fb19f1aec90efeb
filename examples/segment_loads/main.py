"""The nine load cases of Kecskeméthy et al. 2000 on the CervicalSegment FMU: static displacements, main and coupled, and
instantaneous stiffness, against what is known of the experiment; and displacement over load in six directions.

    python examples/segment_loads/main.py [fmu] [output directory]
"""

import sys
from pathlib import Path

import matplotlib
import numpy as np
from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

LOADS = [f"C5_{kind}_{axis}" for kind in ("force", "moment") for axis in "xyz"]
MOTIONS = [f"C5_{kind}_{axis}" for kind in ("translation", "rotation") for axis in "xyz"]
FACETS = ["C5C6_facet_left_force", "C5C6_facet_right_force"]
SHOWN = np.array([1e3] * 3 + [180 / np.pi] * 3)  # mm, deg

# name, direction, load; measured main displacement, its deviation, and how far it is verified
CASES = [
    ("AS anterior shear", 0, 20.0, 0.196, 0.087, "C6-C7, 39 segments, computed from raw data"),
    ("PS posterior shear", 0, -20.0, -0.387, 0.148, "C6-C7, 39 segments, computed from raw data"),
    ("LS lateral shear", 1, 20.0, 0.17, None, "recalled stiffness, not verified"),
    ("TNS tension", 2, 20.0, None, None, "not found"),
    ("CMP compression", 2, -20.0, -0.015, None, "recalled stiffness, not verified"),
    ("LB lateral bending", 3, 1.8, 2.6, None, "recalled stiffness, not verified"),
    ("FLX flexion", 4, 1.8, 4.2, None, "recalled stiffness, not verified"),
    ("EXT extension", 4, -1.8, -2.5, None, "recalled stiffness, not verified"),
    ("AR axial rotation", 5, 1.8, 1.6, None, "recalled stiffness, not verified"),
]


class Segment:
    """The FMU, set to one static load after another."""

    def __init__(self, fmu):
        self.description = read_model_description(str(fmu))
        self.reference = {v.name: v.valueReference for v in self.description.modelVariables}
        self.fmu = FMU3Slave(instanceName="segment", guid=self.description.guid, unzipDirectory=extract(str(fmu)),
                             modelIdentifier="CervicalSegment")
        self.fmu.instantiate()

    def references(self, names):
        return [self.reference[name] for name in names]

    def settle(self, direction, load):
        """Displacements (mm, deg), their slopes by the load, and the facet forces in equilibrium."""
        self.fmu.reset()
        self.fmu.setFloat64(self.references([LOADS[direction]]), [load])
        self.fmu.enterInitializationMode()
        motion = np.array(self.fmu.getFloat64(self.references(MOTIONS))) * SHOWN
        slope = np.array(self.fmu.getDirectionalDerivative(
            self.references(MOTIONS), self.references([LOADS[direction]]), [1.0])) * SHOWN
        facets = self.fmu.getFloat64(self.references(FACETS))
        self.fmu.exitInitializationMode()
        return motion, slope, facets

    def close(self):
        self.fmu.freeInstance()


def table(results):
    lines = ["| case | load | x, y, z in mm | about x, y, z in deg | stiffness there | facets in N, left, right | measured |",
             "|---|---|---|---|---|---|---|"]
    for (name, direction, load, mean, deviation, how), (motion, slope, facets) in zip(CASES, results):
        bold = [f"**{m:.3f}**" if k == direction else f"{m:.3f}" for k, m in enumerate(motion + 0.0)]
        unit, per = ("N", "N/mm") if direction < 3 else ("N m", "N m/deg")
        known = how if mean is None else f"{mean:g}{f' ± {deviation:g}' if deviation else ''} ({how})"
        stiffness = f"{1 / slope[direction]:.0f}" if direction < 3 else f"{1 / slope[direction]:.2f}"
        lines.append(f"| {name} | {load:g} {unit} | {', '.join(bold[:3])} | {', '.join(bold[3:])} | {stiffness} {per} | "
                     f"{facets[0]:.1f}, {facets[1]:.1f} | {known} |")
    return "\n".join(lines).replace("-0.000", "0.000") + "\n"


def draw_cases(results, path):
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.2), constrained_layout=True, width_ratios=(5, 4))
    for axis, cases, unit in ((axes[0], range(5), "mm"), (axes[1], range(5, 9), "deg")):
        for x, k in enumerate(cases):
            name, direction, load, mean, deviation, _ = CASES[k]
            sense = np.sign(load)
            axis.bar(x, sense * results[k][0][direction], width=0.55, color="#4878a8",
                     label="model" if x == 0 else None)
            if mean is not None and deviation:
                axis.errorbar(x, sense * mean, yerr=deviation, fmt="o", color="black", capsize=5,
                              label="measured, mean ± SD (C6-C7)" if k == 0 else None)
            elif mean is not None:
                axis.plot(x, sense * mean, "D", mfc="white", mec="black",
                          label="recalled, not verified" if k in (2, 5) else None)
        axis.set_xticks(range(len(cases)), [CASES[k][0].split()[0] for k in cases])
        axis.set_ylabel(f"main displacement in the sense of the load, {unit}")
        axis.legend(fontsize=8)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_title("20 N")
    axes[1].set_title("1.8 N m")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_curves(segment, path):
    figure, axes = plt.subplots(1, 3, figsize=(13, 4), constrained_layout=True)
    share = np.linspace(-1, 1, 81)
    for direction in range(6):
        largest = 60.0 if direction < 3 else 4.0
        results = [segment.settle(direction, s * largest) for s in share]
        label = "xyz"[direction % 3]
        axes[direction // 3].plot(share * largest, [r[0][direction] for r in results], label=label)
        if direction >= 3:
            axes[2].plot(share * largest, [max(r[2]) for r in results], label=f"about {label}")
    for axis, x, y, title in ((axes[0], "force, N", "mm", "Translation of C5's origin along the force"),
                              (axes[1], "moment, N m", "deg", "Rotation about the moment"),
                              (axes[2], "moment, N m", "N", "Force in the more loaded facet")):
        axis.set(xlabel=x, ylabel=y, title=title)
        axis.axhline(0, color="0.7", lw=0.8)
        axis.axvline(0, color="0.7", lw=0.8)
        axis.legend(fontsize=8)
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(fmu=None, out=None):
    root = Path(__file__).resolve().parents[2]
    fmu = Path(fmu or root / "dist/CervicalSegment.fmu")
    out = Path(out or root / "build/segment_loads")
    out.mkdir(parents=True, exist_ok=True)
    segment = Segment(fmu)
    results = [segment.settle(direction, load) for _, direction, load, *_ in CASES]
    text = table(results)
    print(text)
    (out / "table.md").write_text(text)
    draw_cases(results, out / "cases.png")
    draw_curves(segment, out / "load_curves.png")
    segment.close()
    print(f"FMU      {fmu}\nresults  {out}")
    return results


if __name__ == "__main__":
    main(*sys.argv[1:])
