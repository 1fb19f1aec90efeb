"""What the papers state about a run, beside what comes out here.

A statement belongs to a run by its settings, not by the name of its case. What a run that ended early has not reached is
left out.
"""

from collections.abc import Callable

import numpy as np

from .criteria import G
from .scenes import cervical_segment, cervical_spine, human12, lumbar_spine
from .subject import Subject

MS, MM, DEG = 1e3, 1e3, 180 / np.pi


def published(subject: Subject) -> list[dict]:
    name = subject.model.name
    if name not in STATEMENTS or subject.value("data_set") == "custom":
        return []
    return [row for statements in STATEMENTS[name] for row in statements(subject)]


def _row(what: str, paper: str, here: str, note: str = "") -> dict:
    return {"what": what, "paper": paper, "here": here, "note": note}


def _first(time: np.ndarray, happens: np.ndarray) -> float | None:
    """The first time at which it happens."""
    return float(time[np.argmax(happens)]) if happens.any() else None


def _close(subject: Subject, **values: float) -> bool:
    return all(abs(subject.value(name) - value) < 1e-6 * abs(value) for name, value in values.items())


# Fritzkowski & Walczak 2014: whiplash of 8.5 g


def _whiplash(subject: Subject) -> list[dict]:
    levels = cervical_spine.LEVELS
    named = [f"{level}_angle" for level in levels] + [f"{level}_ALL_force" for level in levels] + ["head_angle", "energy_error"]
    is_paper = subject.value("pulse_shape") == "triangle" and _close(subject, pulse_peak=8.5 * 9.81, pulse_duration=0.105)
    if not (is_paper and subject.has(*named)):
        return []
    time = subject.run.time
    bent = {level: subject.channel(f"{level}_angle") - subject.channel(f"{level}_angle")[0] for level in levels}
    nodded = subject.channel("head_angle") - subject.channel("head_angle")[0]
    rows = []
    if time[-1] >= 0.1:
        early = np.searchsorted(time, 0.040)
        flexed = [level for level in levels if bent[level][early] > 0]
        rows.append(_row("S shape: flexed at 40 ms", "upper levels", f"{flexed[0]} to {flexed[-1]}" if flexed else "none"))
        all_extended = np.all([bent[level] < 0 for level in levels], axis=0)
        turn = _first(time, all_extended & (time > 0.03))
        rows.append(_row("Change from S to C shape", "50 to 75 ms", "none" if turn is None else f"{MS * turn:.0f} ms"))
    if time[-1] >= 0.2:
        note = "with the printed joint stiffness of 600 N m/rad; 500 would give 140 ms"
        rows.append(_row("Largest extension at", "near 140 ms", f"{MS * time[np.argmin(nodded[time <= 0.2])]:.0f} ms", note))
        largest = {level: subject.channel(f"{level}_ALL_force").max() for level in levels}
        note = "the paper read its anchor points from a radiograph that it does not print"
        rows.append(_row("Largest force of the ALL at C4-C5", "about 45 N", f"{largest['C4C5']:.1f} N", note))
        strongest = max(largest, key=largest.get)
        peak = f"{largest[strongest]:.1f} N"
        rows.append(_row("Largest force of the ALL anywhere", "C4-C5", f"{strongest}, {peak}"))
        note = "Myklebust et al. 1988, as the paper quotes them: averages by level"
        rows.append(_row("Force at which these ligaments fail", "26 to 207 N", f"{peak} at most", note))
    span = "0 to 5 s" if time[-1] >= 5 else f"0 to {time[-1]:g} s"
    here = f"{subject.channel('energy_error').max():.1e}, {span}"
    note = "here the work is integrated by the solver, in the paper by a trapezoid rule"
    rows.append(_row("Largest energy error e_R", "0.0103, 0 to 5 s", here, note))
    return rows


# Morais 2011: ranges of motion


RANGES = {"L1L2": "5 to 16", "L2L3": "8 to 18", "L3L4": "6 to 17", "L4L5": "9 to 21", "L5S1": "10 to 24"}  # Table 2.2


def _bending(subject: Subject) -> list[dict]:
    """Equilibria under a pure moment on L1."""
    names = [f"{level}_angle" for level in lumbar_spine.LEVELS]
    loads = [v.name for v in subject.model.of("input") if v.type == "Float64" and v.name != "L1_moment_y"]
    moment = subject.value("L1_moment_y")
    alone = not any(subject.has(name) or subject.value(name) for name in loads) and subject.value("pulse_shape") == "none"
    if not (moment and alone and subject.value("gravity") == 0 and subject.value("start_in_equilibrium") and subject.has(*names)):
        return []
    sense = "flexion" if moment > 0 else "extension"
    note = "White & Panjabi 1990 in Table 2.2 of the thesis"
    return [
        _row(f"{level[:2]}-{level[2:]}, {sense} under {abs(moment):g} N m", f"{limits} deg, flexion and extension together",
             f"{abs(DEG * subject.channel(f'{level}_angle')[-1]):.1f} deg", note)
        for level, limits in RANGES.items()
    ]  # fmt: skip


# Kecskeméthy et al. 2000: nine load cases

MEASURED = {
    ("C5_force_x", 20.0): ("Anterior shear", "0.196 ± 0.087 mm"),
    ("C5_force_x", -20.0): ("Posterior shear", "-0.387 ± 0.148 mm"),
}


def _segment(subject: Subject) -> list[dict]:
    loads = [f"C5_{kind}_{axis}" for kind in ("force", "moment") for axis in "xyz"]
    given = [(load, subject.value(load)) for load in loads if not subject.has(load) and subject.value(load)]
    if len(given) != 1 or abs(given[0][1]) not in (20.0, 1.8) or not subject.value("start_in_equilibrium"):
        return []
    load, value = given[0]
    turned = "moment" in load
    motion = load.replace("moment", "rotation").replace("force", "translation")
    if not subject.has(motion):
        return []
    end = subject.channel(motion)[-1]
    here = f"{DEG * end:.2f} deg" if turned else f"{MM * end:.3f} mm"
    what = f"{motion.replace('_', ' ')} under {value:g} {'N m' if turned else 'N'}"
    if given[0] in MEASURED:
        name, measured = MEASURED[given[0]]
        note = "measured: raw curves of 39 segments C6-C7, github.com/luidias/ShearND_C67"
        return [_row(f"{name}: {what}", f"figure only; measured {measured}", here, note)]
    return [_row(what, "figure only", here, "Fig. 12, with the experiment of Moroney et al. 1988; no numbers")]


# Ambrósio: tackle and belted occupant


def _tackle(subject: Subject) -> list[dict]:
    bodies = ("head", "upper_torso")
    names = [f"{body}_position_{axis}" for body in bodies for axis in "xyz"] + [f"head_acceleration_{axis}" for axis in "xyz"]
    names += [f"{body}_orientation_{p}" for body in bodies for p in "wxyz"]
    is_paper = subject.value("impactor_active") and _close(subject, impactor_mass=75, start_impactor_velocity_x=-3.0)
    if not (is_paper and subject.value("plane1_active") and subject.has(*names)):
        return []
    time = subject.run.time
    head, _ = _clearance(subject, "head", ["head"])
    torso, _ = _clearance(subject, "upper_torso", ["shoulder_left", "shoulder_right"])
    note = "depends on the height of the hit, which the paper does not print: 0.21 m above the hip line here"
    rows, touched = [], _first(time, head <= 0)
    if touched is not None:
        rows.append(_row("Head on the ground", "0.63 s", f"{touched:.3f} s", note))
        shock = np.linalg.norm([subject.channel(f"head_acceleration_{axis}") for axis in "xyz"], axis=0)[time >= touched].max()
        note = "inertial, without filter; the ground's stiffness is not printed"
        rows.append(_row("Acceleration of the head there", "1.2 g", f"{shock / G:.1f} g", note))
    elif time[-1] >= 0.8:
        rows.append(_row("Head on the ground", "0.63 s", "not in this run", note))
    fell = _first(time, torso <= 0)
    if fell is not None:
        rows.append(_row("Shoulders on the ground", "0.63 s, with the head", f"{fell:.3f} s"))
    return rows


def _belted(subject: Subject) -> list[dict]:
    names = [f"{body}_orientation_{p}" for body in ("upper_torso", "neck", "head") for p in "wxyz"]
    names += [f"head_position_{axis}" for axis in "xyz"]
    # a half sine has 2/pi of its peak as the mean
    speed = abs(subject.value("pulse_peak")) * subject.value("pulse_duration") * 2 / np.pi
    is_paper = subject.value("belt_active") and subject.value("pulse_shape") == "half_sine" and abs(speed - 20 / 3.6) < 0.01
    if not (is_paper and subject.has(*names)):
        return []
    up = [_rotation(subject, body)[:, 2] for body in ("upper_torso", "neck")]
    lean = np.arccos(np.clip(np.einsum("kt,kt->t", *up), -1, 1))
    limit = DEG * subject.tables["cones"].number("neck", "limit_1", "rad")
    at = np.argmax(lean)
    here = f"{DEG * lean[at]:.0f} deg at {MS * subject.run.time[at]:.0f} ms; the limit is {limit:.0f} deg forward"
    _, nearest = _clearance(subject, "head", ["head"])
    far = f"{MM * abs(nearest):.0f} mm"
    touch = f"nothing; {far} from the nearest plane" if nearest > 0 else f"reaches {far} into a plane"
    return [
        _row("Joint of neck and upper torso", "reaches its limit", here),
        _row("What the head touches", "nothing", touch),
    ]


def _rotation(subject: Subject, body: str) -> np.ndarray:
    """3 x 3 x times: columns are the axes of the body in those of the sled."""
    w, x, y, z = (subject.channel(f"{body}_orientation_{p}") for p in "wxyz")
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _clearance(subject: Subject, body: str, names: list[str]) -> tuple[np.ndarray, float]:
    """Distance of these spheres of a body to the nearest active plane, over time and the smallest."""
    place = np.array([subject.channel(f"{body}_position_{axis}") for axis in "xyz"])
    turn = _rotation(subject, body)
    gaps = []
    for plane in (f"plane{k}" for k in range(1, human12.PLANES + 1)):
        if not subject.value(f"{plane}_active"):
            continue
        point, normal = (np.array([subject.value(f"{plane}_{part}{axis}") for axis in "xyz"]) for part in ("", "n"))
        normal = normal / np.linalg.norm(normal)
        for centre, radius in (human12.spheres(subject, body)[name] for name in names):
            at = place + np.einsum("ijt,j->it", turn, centre)
            gaps.append(normal @ (at - point[:, None]) - radius)
    nearest = np.min(gaps, axis=0)
    return nearest, float(nearest.min())


STATEMENTS: dict[str, list[Callable[[Subject], list[dict]]]] = {
    "CervicalSpine": [_whiplash],
    "LumbarSpine": [_bending],
    "CervicalSegment": [_segment],
    "Human12": [_tackle, _belted],
}
