"""LumbarSpine: L1 to L5 on the sacrum in the sagittal plane. Outlines run through the ends of the ligaments, the sphere
of the facet joint and the endplates; the frame of a body lies at mid-height of the back wall of the vertebral body.
"""

import math

from .parts import link, mark, planar_body, polygon, rounded

BODIES = ["L1", "L2", "L3", "L4", "L5"]
LEVELS = ["L1L2", "L2L3", "L3L4", "L4L5", "L5S1"]
LIGAMENTS = ["ALL", "PLL", "LF", "ISL", "SSL", "CL"]


def scene(subject) -> dict:
    tables = subject.tables
    ligament, contact = tables["ligaments"], tables["contacts"]
    bodies = [planar_body(name, [polygon(o) for o in _vertebra(tables, k)]) for k, name in enumerate(BODIES)]
    bodies.append(_sacrum(tables))
    links, marks = [], []
    for level, upper, lower in zip(LEVELS, BODIES, [*BODIES[1:], "S1"]):
        for kind in LIGAMENTS:
            row = f"{level}_{kind}"
            ends = (lower, ligament.flat(row, "lower")), (upper, ligament.flat(row, "upper"))
            links.append(link(f"{level} {kind}", "ligament", *ends, f"{row}_force"))
        for kind in ("facet", "spinous"):
            row = f"{level}_{kind}"
            marks.append(mark(f"{level} {kind}", upper, contact.flat(row, "sphere"), [f"{row}_force"]))
    return {"dimension": 2, "bodies": bodies, "links": links, "marks": marks, "planes": []}


def lengths(tables, ligament: str) -> tuple[float, float]:
    """A ligament's length in the posture of the data, and its rest length."""
    table, bodies = tables["ligaments"], tables["bodies"]
    level = ligament.partition("_")[0]
    ends = []
    for side, body in (("upper", level[:2]), ("lower", level[2:])):
        (x, z), angle = table.flat(ligament, side), -bodies.number(body, "angle", "rad")
        at_x, at_z = bodies.flat(body, "position")
        ends.append((at_x + x * math.cos(angle) + z * math.sin(angle), at_z + z * math.cos(angle) - x * math.sin(angle)))
    length = math.dist(*ends)
    if table.number(ligament, "rest_from_posture", "1"):
        return length, length / (1 + table.number(ligament, "prestrain", "1"))
    return length, table.number(ligament, "printed_length")


def _vertebra(tables, k: int) -> list:
    """Vertebral body; articular processes with the root of the arch; spinous process."""
    ligament, level = tables["ligaments"], LEVELS[k]

    def end(name, side):
        return ligament.flat(f"{level}_{name}", side)

    low_back, low_front = end("PLL", "upper"), end("ALL", "upper")
    facet_low = tables["contacts"].flat(f"{level}_facet", "sphere")
    tip, process_low = end("SSL", "upper"), end("ISL", "upper")
    arch_low = end("LF", "upper")
    if k == 0:
        # nothing stands on L1 in the tables: the upper half like the lower one, about its endplate
        high_back = (low_back[0], -low_back[1])
        x, z = tables["endplate"].flat("L1", "centre")
        high_front = (2 * x - high_back[0], 2 * z - high_back[1])
        above = level  # and the upper edge of its arch as on L2
    else:
        above = LEVELS[k - 1]
        high_back, high_front = (ligament.flat(f"{above}_{name}", "lower") for name in ("PLL", "ALL"))
    facet_high, process_high, arch_high = (ligament.flat(f"{above}_{name}", "lower") for name in ("CL", "ISL", "LF"))
    height, depth = high_back[1] - low_back[1], high_front[0]
    waist = 0.07 * depth
    body = [
        (high_back[0], high_back[1]), (0.5 * depth, 0.5 * (high_back[1] + high_front[1]) - 0.04 * height), high_front,
        (high_front[0] - waist, 0.5 * (high_front[1] + low_front[1])), low_front,
        (0.5 * depth, 0.5 * (low_back[1] + low_front[1]) + 0.04 * height), low_back, (low_back[0] + 0.5 * waist, 0),
    ]  # fmt: skip
    thick = 0.09 * depth  # of the processes about their points

    def by(point, x, z):
        return point[0] + x * thick, point[1] + z * thick

    arch = [
        (0.2 * depth, 0.42 * height), by(facet_high, 1, 1), by(facet_high, -1.2, 1), by(arch_high, -1, 0),
        by(facet_low, -1.5, 2), by(facet_low, -1.2, -1), by(facet_low, 1.2, -1), by(arch_low, 1, -1),
        (0.2 * depth, 0.05 * height),
    ]  # fmt: skip
    process = [
        by(arch_high, 0.5, 1), by(process_high, 0, 1), by(tip, 1, 2), by(tip, -1, 1), by(tip, -1, -1.5), by(process_low, 0, -1.5),
        by(facet_low, 1, 3), by(arch_low, 1, -1),
    ]  # fmt: skip
    return [rounded(body), rounded(arch), rounded(process)]


def _sacrum(tables) -> dict:
    """A wedge below its endplate, narrowing down and back; the sled carries it."""
    ligament = tables["ligaments"]
    back, front = (ligament.flat(f"L5S1_{name}", "lower") for name in ("PLL", "ALL"))
    facet, process, tip = (ligament.flat(f"L5S1_{name}", "lower") for name in ("CL", "ISL", "SSL"))
    depth, height = front[0] - back[0], 2 * front[1]

    def by(point, x, z):
        return point[0] + x * depth, point[1] + z * height

    outline = [
        back, front, by(front, -0.4, -0.55), by(front, -0.75, -1.1), by(front, -0.95, -1.7), by(front, -1.15, -1.7),
        by(tip, 0.1, -0.7), by(tip, -0.15, -0.1), by(tip, -0.1, 0.08), process, by(facet, -0.25, -0.1), by(facet, 0, 0.15),
        (0.5 * (facet[0] + back[0]), 0.9 * back[1]),
    ]  # fmt: skip
    base = tables["bodies"]
    return {
        "name": "S1",
        "position": [0, 0, 0],
        "angle": -base.number("S1", "angle", "rad"),  # the table counts extension positive
        "angle_zero": 0,
        "shapes": [polygon(rounded(outline))],
    }
