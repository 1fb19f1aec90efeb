"""CervicalSegment: C5 on C6 in space. Both vertebrae are drawn about the points where ligaments and facets sit."""

import math

from .parts import capsule, link, mark, prism, rounded, shifted, spatial_body

LIGAMENTS = ["ALL", "PLL", "LF", "ISL", "CL_left", "CL_right"]
SIDES = ["left", "right"]


def scene(subject) -> dict:
    tables = subject.tables
    ligament, centre = tables["ligaments"], tables["vertebra"].vector("C5", "centre")
    c5 = _vertebra(tables, "C5", _facets_of_c5(tables), centre)
    c6 = _vertebra(tables, "C6", _facets_of_c6(tables), (0, 0, 0))
    bodies = [spatial_body("C5", c5), {"name": "C6", "position": [0, 0, 0], "orientation": [1, 0, 0, 0], "shapes": c6}]
    links = [
        link(f"C5C6 {kind}", "ligament", ("C6", ligament.vector(kind, "C6")),
             ("C5", shifted([ligament.vector(kind, "C5")], centre)[0]), f"C5C6_{kind}_force")
        for kind in LIGAMENTS
    ]  # fmt: skip
    marks = [mark(f"C5C6 facet {side}", "C6", _facets_of_c6(tables)[side], [f"C5C6_facet_{side}_force"]) for side in SIDES]
    return {"dimension": 3, "bodies": bodies, "links": links, "marks": marks, "planes": []}


def _facets_of_c6(tables) -> dict:
    return {side: tables["facets"].vector(side, "centre") for side in SIDES}


def _facets_of_c5(tables) -> dict:
    """C5's discs are those of C6 in the posture of the data, but for the gap."""
    return {side: _into_c5(tables, point) for side, point in _facets_of_c6(tables).items()}


def _into_c5(tables, point):
    """A point of C6's frame in C5's frame, in the posture of the data."""
    x, y, z = (p - o for p, o in zip(point, tables["vertebra"].vector("C5", "origin")))
    tilt = tables["vertebra"].number("C5", "tilt", "rad")
    return (x * math.cos(tilt) - z * math.sin(tilt), y, x * math.sin(tilt) + z * math.cos(tilt))


def _vertebra(tables, name: str, facet: dict, origin) -> list:
    """Body, pedicles, articular masses that end on the facets, laminae, spinous process.

    The tables have ligament points and facets, from the middle of the body; what is between them is a drawing in their
    proportions. The shapes count from the origin.
    """
    ligament = tables["ligaments"]
    points = {kind: shifted([ligament.vector(kind, name)], origin)[0] for kind in LIGAMENTS}
    (front, _, level), back = points["ALL"], points["PLL"][0]
    middle, depth = 0.5 * (front + back), 0.5 * (front - back)
    width, height = 1.25 * depth, 0.36 * tables["vertebra"].vector("C5", "origin")[2]
    # seen from above: round in front, hollow behind
    outline = [(0.93, 0.3), (0.75, 0.75), (0.2, 1), (-0.5, 0.95), (-1.05, 0.6), (-0.92, 0)]
    outline += [(x, -y) for x, y in outline[-2::-1]]
    body = [(middle + x * depth, y * width) for x, y in outline]
    shapes = [prism("z", rounded(body, [0.25] * 3), level - height, level + height)]
    thin, tilt = 0.35 * height, tables["vertebra"].number("C5", "tilt", "rad")
    arch, tip = points["LF"], points["ISL"]
    for side in SIDES:
        # the normal of C6's face is backward and up; C5 lies beyond the facet, C6 before it
        angle = tables["facets"].number(side, "angle", "rad") + (tilt if name == "C5" else 0)
        radius = 0.8 * tables["facets"].number(side, f"radius_{name}")
        into_bone = radius if name == "C5" else -radius
        x, y, z = shifted([facet[side]], origin)[0]
        end = (x - into_bone * math.sin(angle), y, z + into_bone * math.cos(angle))
        mass = (x, y, 0.5 * (end[2] + level))
        root = (middle - 0.8 * depth, math.copysign(0.6 * width, y), level)
        shapes += [capsule(root, mass, thin), capsule(mass, end, radius), capsule(mass, arch, 1.3 * thin)]
    process = [
        (arch[0] + thin, arch[2] + 2 * thin), (tip[0], tip[2] + 1.2 * thin), (tip[0] - 2 * thin, tip[2]),
        (tip[0] - thin, tip[2] - 1.8 * thin), (arch[0] + thin, arch[2] - 1.5 * thin),
    ]  # fmt: skip
    return shapes + [prism("y", rounded(process), arch[1] - thin, arch[1] + thin)]
