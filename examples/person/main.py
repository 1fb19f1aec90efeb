"""Strips of pictures of both humans: Human17 falls, and sits through an 8.5 g pulse; Human12 is tackled, and held by
belts in a crash.

    python examples/person/main.py [directory of the FMUs] [output directory]
"""

import csv
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import fmpy
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
STEP = 0.005  # s


def table(model, name):
    """Rows of a table of anatomy as dictionaries, without the units; the first column is the row's name."""
    with (ROOT / "resources" / model / f"{name}.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader((line for line in file if not line.startswith("#")), skipinitialspace=True):
            yield {re.sub(r" \[.*", "", column): value for column, value in row.items()}


def vector(row, name):
    return np.array([float(row[f"{name}_{axis}"] or 0) for axis in "xyz"])


# -- A body is drawn as convex pieces, each the hull of some ellipsoids: (centre, semi-axes) in its axes.


def ellipsoids():
    """Human17 has one ellipsoid a body."""
    return {row["body"]: [[(vector(row, "ellipsoid"), vector(row, "semi_axis"))]] for row in table("Human17", "bodies")}


def limbs():
    """Human12 has spheres; a limb tapers from its joint along them."""
    radii, centres = {}, {}
    for row in table("Human12", "spheres"):
        body = row["sphere"].split(".")[0]
        radii.setdefault(body, []).append(float(row["human_radius"]))
        centres.setdefault(body, []).append(vector(row, "centre"))
    parent = {"upper_torso": "lower_torso", "neck": "upper_torso", "head": "neck"}
    for side in ("left", "right"):
        parent |= {f"upper_arm_{side}": "upper_torso", f"forearm_{side}": f"upper_arm_{side}"}
        parent |= {f"thigh_{side}": "lower_torso", f"leg_{side}": f"thigh_{side}"}
    pieces = {}
    for row in table("Human12", "bodies"):
        body, joint = row["body"], vector(row, "joint")
        balls = sorted(zip(centres[body], radii[body]), key=lambda ball: np.linalg.norm(ball[0] - joint))
        if body in parent:
            balls.insert(0, (joint, min(radii[body] + radii[parent[body]])))
        hulls = [(centre, np.full(3, radius)) for centre, radius in balls]
        pieces[body] = [hulls[k : k + 2] for k in range(max(1, len(hulls) - 1))]
    return pieces


def rotation(w, x, y, z):
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def outline(piece, position, turn):
    """Of a piece seen along y: for every direction its foremost point."""
    around = np.linspace(0, 2 * np.pi, 90)
    direction = np.array([np.cos(around), np.sin(around)])
    points = []
    for centre, semi in piece:
        matrix = (turn @ np.diag(semi**2) @ turn.T)[np.ix_([0, 2], [0, 2])]
        reach = matrix @ direction / np.sqrt(np.sum(direction * (matrix @ direction), axis=0))
        points.append((position + turn @ centre)[[0, 2], None] + reach)
    foremost = np.argmax([np.sum(direction * p, axis=0) for p in points], axis=0)
    return np.array(points)[foremost, :, np.arange(len(around))].T


# -- What happens


@dataclass
class Scene:
    model: str
    title: str
    file: str
    times: list
    settings: dict
    planes: dict  # number of the plane: what is drawn of it, from and to along its surface (m)
    x: tuple  # shown, m
    z: tuple
    columns: int = 7
    pieces: dict = field(init=False)

    def __post_init__(self):
        self.pieces = ellipsoids() if self.model == "Human17" else limbs()


def plane(number, x, z, tilt, bodies):
    """Its normal leans back from the vertical by the tilt, in degrees."""
    name = f"plane{number}_"
    lean = np.radians(tilt)
    return {
        name + "active": True, name + "x": x, name + "z": z, name + "nx": np.sin(lean), name + "nz": np.cos(lean),
        name + "bodies": bodies,
    }  # fmt: skip


def both_sides(settings):
    return {name.format(side): value for name, value in settings.items() for side in ("left", "right")}


SCENES = [
    Scene(
        "Human17", "Fall from lying, 0.5 m", "fall.png", [0, 0.3, 0.34, 0.4, 0.5, 0.7, 1.0],
        {"posture": 3, "start_position_z": 0.631} | plane(1, 0, 0, 0, "all"),
        {1: (-1, 1.3)}, (-1.0, 1.3), (-0.1, 0.9),
    ),
    Scene(
        "Human17", "Seated, 8.5 g forward pulse of 105 ms", "seated_pulse.png", [0, 0.05, 0.08, 0.1, 0.12, 0.15, 0.2],
        {"posture": 2, "start_position_z": 0.0, "start_in_equilibrium": True, "pulse_shape": 2}
        | plane(1, 0, -0.1313, 0, "pelvis,thigh_left,thigh_right")
        | plane(2, -0.1231, -0.0448, 70, "pelvis,abdomen,thorax")
        | plane(3, 0, -0.4971, 0, "foot_left,foot_right"),
        {1: (-0.1, 0.45), 2: (-0.72, 0.12), 3: (0.3, 0.9)}, (-0.7, 0.95), (-0.6, 0.8),
    ),
    Scene(
        "Human12", "Tackled by 75 kg at 3 m/s", "tackle.png", [0, 0.1, 0.2, 0.35, 0.5, 0.6, 0.68, 1.0],
        {"start_position_z": 1.079, "impactor_active": True, "start_impactor_position_x": 0.2512050954897213,
         "start_impactor_position_y": 0.02, "start_impactor_position_z": 1.157} | plane(1, 0, 0, 0, "all"),
        {1: (-2.5, 0.6)}, (-2.5, 0.6), (-0.1, 1.85), columns=4,
    ),
    Scene(
        "Human12", "Belted, frontal crash of 20 km/h", "belted.png", [0, 0.06, 0.09, 0.12, 0.15, 0.2, 0.25],
        {"start_position_z": 0.0, "start_rotation_y": np.radians(-20), "belt_active": True, "pulse_shape": 3,
         "pulse_peak": -20 / 3.6 * np.pi / 0.2, "pulse_duration": 0.1}
        | both_sides({"start_thigh_{}_rotation_y": np.radians(-80), "start_leg_{}_rotation": np.radians(85),
                      "start_upper_arm_{}_rotation_y": np.radians(-45), "start_forearm_{}_rotation": np.radians(-45)})
        | plane(1, 0, -0.22603942594373386, 0,
                "lower_torso.hip_left,lower_torso.hip_right,thigh_left.mid,thigh_right.mid")
        | plane(2, -0.1193409628398483, -0.04343655820237373, 70,
                "lower_torso.hip_left,lower_torso.hip_right,upper_torso.shoulder_left,upper_torso.shoulder_right,"
                "upper_torso.chest")
        | plane(3, 0, -0.5642635144622381, 0, "leg_left.heel,leg_right.heel,leg_left.toe,leg_right.toe"),
        {1: (-0.1, 0.45), 2: (-0.72, 0.2), 3: (0.3, 1.0)}, (-0.7, 1.05), (-0.7, 0.75),
    ),
]  # fmt: skip


def belts(fmu):
    """Name, body, point on it, anchor."""
    start = {v.name: v.start for v in fmpy.read_model_description(str(fmu)).modelVariables}
    for row in table("Human12", "belts"):
        anchor = [float(start[f"belt_{row['belt']}_anchor_{axis}"]) for axis in "xyz"]
        yield row["belt"], row["body"], vector(row, "point"), np.array(anchor)


def simulate(fmu, scene):
    """All outputs at the scene's times."""
    run = fmpy.simulate_fmu(str(fmu), start_values=scene.settings, stop_time=scene.times[-1], output_interval=STEP)
    return [run[round(t / STEP)] for t in scene.times]


# -- Pictures


def place(state, body):
    """Position and rotation of a body."""
    position = np.array([state[f"{body}_position_{axis}"] for axis in "xyz"])
    return position, rotation(*(state[f"{body}_orientation_{axis}"] for axis in "wxyz"))


def draw(panel, scene, state, held_by):
    for number, along in scene.planes.items():
        x, z, nx, nz = (scene.settings[f"plane{number}_{what}"] for what in ("x", "z", "nx", "nz"))
        along = np.array(along)
        panel.plot(x + along * nz, z - along * nx, color="0.6", linewidth=2, zorder=0)
    if scene.settings.get("impactor_active"):
        centre = state["impactor_position_x"], state["impactor_position_z"]
        panel.add_patch(plt.Circle(centre, 0.15, facecolor="#e8b877", edgecolor="#7a4a12", linewidth=0.7, zorder=2))
    for body, pieces in scene.pieces.items():
        far = body.endswith("_left")
        layer = 1 if far else 3 if body.endswith("_right") else 2
        outlines = [outline(piece, *place(state, body)) for piece in pieces]
        for line in outlines:
            panel.plot(*line, color="#24476b", linewidth=1.4, zorder=layer)
        for line in outlines:  # over the lines, so that only those around the body remain
            panel.fill(*line, color="#c9d8ea" if far else "#8fb1d6", linewidth=0, zorder=layer + 0.5)
    for belt, body, point, anchor in held_by:
        position, turn = place(state, body)
        end, pull = position + turn @ point, state[f"belt_{belt}_force"]
        panel.plot([anchor[0], end[0]], [anchor[2], end[2]], "o-", markersize=2, color="#c0392b",
                   linewidth=0.6 + pull / 1000, zorder=4)  # fmt: skip


def strip(fmu, scene, directory):
    rows = -(-len(scene.times) // scene.columns)
    width = 14.7 / scene.columns
    height = 0.9 * width * (scene.z[1] - scene.z[0]) / (scene.x[1] - scene.x[0]) + 0.4
    figure, panels = plt.subplots(rows, scene.columns, figsize=(14.7, rows * height + 0.5), sharey=True)
    held_by = list(belts(fmu)) if scene.settings.get("belt_active") else []
    for state, t, panel in zip(simulate(fmu, scene), scene.times, panels.flat):
        draw(panel, scene, state, held_by)
        panel.set_title(f"{1000 * t:.0f} ms", fontsize=9)
        panel.set_aspect("equal")
        panel.set_xlim(*scene.x)
        panel.set_ylim(*scene.z)
        panel.tick_params(labelsize=7)
    figure.suptitle(f"{scene.title} (view from the right, m)", fontsize=10)
    figure.tight_layout(h_pad=1.5)
    figure.savefig(directory / scene.file, dpi=130)
    plt.close(figure)
    print(directory / scene.file)


def main(fmus=ROOT / "dist", directory=Path(".")):
    for scene in SCENES:
        strip(Path(fmus) / f"{scene.model}.fmu", scene, Path(directory))


if __name__ == "__main__":
    main(*sys.argv[1:3])
