"""CervicalSpine: T1, vertebrae and head in the sagittal plane, drawn about the pivots and ligament points of the tables.

The tables have no outlines: proportions below are a drawing, its sizes come from the tables. Points of a vertebra count
from the middle of its lower endplate; h is half the depth of its body (the ALL lies on the front wall), H its height
(the ALL is at mid-height), tip the ISL's point on the spinous process.
"""

import math

from .parts import link, planar_body, planes, polygon, rounded, shifted

BODIES = ["C7", "C6", "C5", "C4", "C3", "C2", "C1", "head"]
LEVELS = ["C7T1", "C6C7", "C5C6", "C4C5", "C3C4", "C2C3", "C1C2", "C0C1"]
LIGAMENTS = ["ALL", "ISL"]

# Face, nose to the right, from under the chin up to the forehead, and the back of the neck: from the skull's centre in
# its radii. Between them the skull is the circle that touches planes.
FACE = [
    (-0.05, -0.74), (0.15, -0.98), (0.30, -1.10), (0.62, -1.26), (0.80, -1.34), (0.88, -1.27), (0.90, -1.14), (0.86, -1.07),
    (0.95, -1.00), (0.91, -0.95), (0.97, -0.88), (0.94, -0.80), (1.16, -0.70), (1.17, -0.62), (1.02, -0.34), (0.97, -0.22),
    (1.01, -0.12),
]  # fmt: skip
EYE = [(0.74, -0.36), (0.80, -0.31), (0.88, -0.34), (0.86, -0.42), (0.78, -0.42)]
NAPE = [(-0.62, -0.78), (-0.30, -0.70), (-0.14, -0.66)]


def scene(subject) -> dict:
    table, base = subject.tables["bodies"], subject.tables["base"]
    centre = {name: table.flat(name, "centre") for name in BODIES}
    bodies = []
    for name in reversed(BODIES):  # the head behind the vertebrae
        outlines = _head(subject.tables["head"]) if name == "head" else _vertebra(table, name)
        bodies.append(planar_body(name, [polygon(shifted(outline, centre[name])) for outline in outlines]))
    bodies.append(_base(base))
    links = []
    for below, name, level in zip(["T1", *BODIES], BODIES, LEVELS):
        for kind in LIGAMENTS:
            upper = shifted([table.flat(name, kind)], centre[name])[0]
            lower = base.flat("T1", kind) if below == "T1" else shifted([table.flat(below, kind)], centre[below])[0]
            links.append(link(f"{level} {kind}", "ligament", (below, lower), (name, upper), f"{level}_{kind}_force"))
    return {"dimension": 2, "bodies": bodies, "links": links, "marks": [], "planes": planes(subject, 2, "xz")}


def _base(base) -> dict:
    x, z = base.flat("T1", "centre")
    h, _ = base.flat("T1", "ALL")
    H = 1.5 * math.hypot(x, z)  # the centre lies half a height and half a disc below the pivot
    outlines = _typical(h, H, base.flat("T1", "ISL"), -H / 2)
    angle = base.number("T1", "tilt", "rad")
    return {"name": "T1", "position": [x, 0, z], "angle": angle, "angle_zero": 0, "shapes": [polygon(o) for o in outlines]}


def _vertebra(table, name: str) -> list:
    front, tip = table.flat(name, "ALL"), table.flat(name, "ISL")
    if name == "C1":
        return _atlas(front, tip, table.flat(name, "next_pivot"))
    h, H = front[0], 2 * front[1]
    outlines = _typical(h, H, tip, 0)
    return outlines + [_dens(table, h, H)] if name == "C2" else outlines


def _typical(h: float, H: float, tip, bottom: float) -> list:
    """Body, articular pillar and spinous process; bottom is the height of the lower endplate."""
    body = [(-1.02, 0.02), (-0.95, 0.5), (-1.02, 0.98), (0, 0.93), (1.02, 0.98), (1.0, 0.5), (1.06, 0.0), (0, 0.04)]
    pillar = [(-0.85, 0.85), (-1.5, 1.0), (-2.25, 0.78), (-2.5, 0.05), (-2.3, -0.12), (-1.55, 0.18), (-0.85, 0.42)]
    x, z = tip
    process = [(-2.0, 0.72), (-2.6, 0.62)]
    end = [(x + 0.3 * h, z + 0.22 * H), (x - 0.35 * h, z + 0.2 * H), (x - 0.5 * h, z - 0.12 * H), (x, z - 0.3 * H)]
    root = [(-2.6, 0.1), (-2.0, 0.12)]

    def scaled(points):
        return [(a * h, bottom + b * H) for a, b in points]

    return [rounded(scaled(body)), rounded(scaled(pillar)), rounded(scaled(process) + end + scaled(root))]


def _dens(table, h: float, H: float) -> list:
    """The peg of C2 behind the front arch of C1."""
    pivot, arch = table.flat("C2", "next_pivot"), table.flat("C1", "ALL")
    front, top = pivot[0] + arch[0] - 0.75 * h, pivot[1] + 2.2 * arch[1]
    back = front - 1.25 * h
    return rounded([(back - 0.2 * h, 0.8 * H), (back, top - 0.5 * h), (0.5 * (front + back), top), (front, top - 0.5 * h),
                    (front + 0.1 * h, 0.8 * H)])  # fmt: skip


def _atlas(front, tip, condyle) -> list:
    """Front arch, lateral mass below the condyles, back arch; C1 has no body."""
    (fx, fz), (tx, tz), (cx, cz) = front, tip, condyle
    arch = [(0.73 * fx, 0.1 * fz), (fx, 0.3 * fz), (1.02 * fx, fz), (fx, 1.7 * fz), (0.73 * fx, 1.9 * fz), (0.68 * fx, fz)]
    mass = [(-0.45, 0.05), (0.5, 0.05), (0.55, 0.6), (0.4, 0.8), (0, 0.7), (-0.4, 0.8), (-0.55, 0.5)]
    mass = [(cx + a * cz, b * cz) for a, b in mass]
    back = [(cx - 0.3 * cz, 0.5 * cz), (tx, tz + 0.25 * cz), (tx - 0.15 * cz, tz + 0.15 * cz), (tx - 0.15 * cz, tz - 0.15 * cz),
            (tx, tz - 0.22 * cz), (cx - 0.3 * cz, 0.15 * cz)]  # fmt: skip
    return [rounded(arch), rounded(mass), rounded(back)]


def _head(outline) -> list:
    cx, cz = outline.flat("head", "skull")
    r = outline.number("head", "skull_radius")
    # the circle from the forehead over the top to the nape
    first, last = math.radians(2), math.radians(216)
    around = [first + (last - first) * k / 40 for k in range(41)]
    skull = [(math.cos(a), math.sin(a)) for a in around]
    return [
        [(cx + r * x, cz + r * z) for x, z in rounded(FACE, [0.25])[:-2] + skull + NAPE],
        [(cx + r * x, cz + r * z) for x, z in rounded(EYE)],
    ]
