"""Head and neck in a rear impact against a head restraint of finite elements, coupled strongly by rollback, and weakly.

    python examples/fe_head_restraint/main.py [CervicalSpine.fmu] [output directory]

Prints a table for a foam and for a hard pad, and draws the foam pad with the head.
"""

import sys
from pathlib import Path

import matplotlib
import numpy as np
from foam_pad import Foam, FoamPad, determinant
from rollback import Head, couple

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.collections import PolyCollection  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
GAP, STOP = 0.03, 0.12  # m between head and pad, s
PADS = {"foam, 120 kPa": Foam(), "hard, 2.4 MPa": Foam(stiffness=2.4e6)}


def simulate(fmu, step, foam=Foam(), elements=(8, 18), **how):
    """The pad, what `couple` returns, and the radius of the skull."""
    head = Head(fmu)
    (x, z), _ = head.skull()
    pad = FoamPad(x - head.radius - GAP, z, foam, elements)
    try:
        return pad, *couple(head, pad, step, STOP, **how), head.radius
    finally:
        head.close()


def print_table(fmu):
    def outcome(step, foam, **how):
        _, rows, _, made, _ = simulate(fmu, step, foam, **how)
        return np.hypot(*rows[:, 4:6].T).max(), np.degrees(rows[-1, 3]), made, rows[:, 6]

    print("pad            coupling               step in ms  largest force in N  head at 120 ms in deg  energy made in J  "
          "repetitions: mean  largest")  # fmt: skip
    for name, foam in PADS.items():
        for coupling, how, steps in (
            ("strong, quasi-Newton", {}, (4e-3, 2e-3, 1e-3, 0.25e-3)),
            ("strong, plain", {"accelerate": False}, (4e-3, 2e-3, 1e-3)),
            ("weak", {"strong": False}, (4e-3, 2e-3, 1e-3, 0.25e-3)),
        ):
            for step in steps:
                force, angle, made, count = outcome(step, foam, **how)
                print(f"{name}  {coupling:20}  {1e3 * step:11.2f}  {force:18.1f}  {angle:21.2f}  {made:16.1e}  "
                      f"{count.mean():17.2f}  {count.max():7.0f}", flush=True)  # fmt: skip


def draw(fmu, path, step=1e-3, elements=(8, 18)):
    times = [0.05, 0.065, 0.08, 0.095, 0.11]
    pad, rows, kept, _, radius = simulate(fmu, step, elements=elements, keep=times)
    figure, panels = plt.subplots(1, len(times), figsize=(13, 2.9), sharey=True, constrained_layout=True)
    around = np.linspace(0, 2 * np.pi, 100)
    for t, panel in zip(times, panels):
        state, centre = kept[t]
        corners = pad.mesh.p + state.displacement[pad.basis.nodal_dofs]
        squeezed = 100 * (1 - determinant(pad.deformation(state.displacement)).mean(axis=1))
        elements = PolyCollection(1e3 * corners.T[pad.mesh.t.T], array=squeezed, cmap="viridis", clim=(0, 50),
                                  edgecolor="white", linewidth=0.3)  # fmt: skip
        panel.add_collection(elements)
        skull = 1e3 * (centre[:, None] + radius * np.array([np.cos(around), np.sin(around)]))
        panel.fill(*skull, facecolor="#f0c9a8", edgecolor="#7a4a22")
        force = rows[np.argmin(np.abs(rows[:, 0] - t)), 4:6]
        size = np.hypot(*force)
        if size > 1:
            touch = 1e3 * (centre - radius * force / size)
            panel.annotate("", touch + 0.09 * force, touch, arrowprops={"width": 2, "headwidth": 8, "headlength": 8, "color": "black"})
        panel.set(title=f"{1e3 * t:.0f} ms, {size:.0f} N", xlabel="forward of T1, mm")
        panel.set_aspect("equal")
        panel.set_xlim(-205, 105)
        panel.set_ylim(60, 300)
    panels[0].set_ylabel("above it, mm")
    figure.colorbar(elements, ax=panels, label="squeezed, % of volume")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main():
    fmu = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist/CervicalSpine.fmu"
    if not fmu.is_file():
        sys.exit(f"there is no {fmu}: scripts/demo builds it")
    out = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "build/fe_head_restraint"
    out.mkdir(parents=True, exist_ok=True)
    draw(fmu, out / "pad.png")
    print(out / "pad.png\n")
    print_table(fmu)


if __name__ == "__main__":
    main()
