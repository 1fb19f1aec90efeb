"""CervicalSegment: C5 on C6 in space. Both vertebrae are drawn about the points where ligaments and facets sit."""

import math

from .parts import capsule, ellipsoid, link, mark, shifted, spatial_body

LIGAMENTS = ["ALL", "PLL", "LF", "ISL", "CL_left", "CL_right"]
SIDES = ["left", "right"]


def scene(subject) -> dict:
    tables = subject.tables
    ligament, centre = tables["ligaments"], tables["vertebra"].vector("C5", "centre")
    facets = {"C6": facets_of_c6(tables), "C5": facets_of_c5(tables)}
    shapes = {name: _vertebra(tables, name, facets[name]) for name in ("C5", "C6")}
    bodies = [
        spatial_body("C5", [_moved(shape, centre) for shape in shapes["C5"]]),
        {"name": "C6", "position": [0, 0, 0], "orientation": [1, 0, 0, 0], "shapes": shapes["C6"]},
    ]
    links = [
        link(f"C5C6 {kind}", "ligament", ("C6", ligament.vector(kind, "C6")),
             ("C5", shifted([ligament.vector(kind, "C5")], centre)[0]), f"C5C6_{kind}_force")
        for kind in LIGAMENTS
    ]  # fmt: skip
    marks = [mark(f"C5C6 facet {side}", "C6", facets["C6"][side], [f"C5C6_facet_{side}_force"]) for side in SIDES]
    point = shifted([disc_point(tables)], centre)[0]
    marks.append(mark("C5C6 disc", "C5", point, [f"C5C6_disc_force_{axis}" for axis in "xyz"], arrow=True))
    return {"dimension": 3, "bodies": bodies, "links": links, "marks": marks, "planes": []}


def facets_of_c6(tables) -> dict:
    return {side: tables["facets"].vector(side, "centre") for side in SIDES}


def facets_of_c5(tables) -> dict:
    """C5's discs are those of C6 in the posture of the data, but for the gap."""
    return {side: into_c5(tables, point) for side, point in facets_of_c6(tables).items()}


def disc_point(tables):
    """The point of C5 at which the disc acts: between both origins in the posture of the data."""
    share = tables["disc"].number("C5C6", "height", "1")
    return into_c5(tables, [share * x for x in tables["vertebra"].vector("C5", "origin")])


def into_c5(tables, point):
    """A point of C6's frame in C5's frame, in the posture of the data."""
    x, y, z = (p - o for p, o in zip(point, tables["vertebra"].vector("C5", "origin")))
    tilt = tables["vertebra"].number("C5", "tilt", "rad")
    return (x * math.cos(tilt) - z * math.sin(tilt), y, x * math.sin(tilt) + z * math.cos(tilt))


def _vertebra(tables, name: str, facet: dict) -> list:
    """Body, pedicles, articular masses that end on the facets, laminae, spinous process; from the middle of the body."""
    ligament = tables["ligaments"]
    points = {kind: ligament.vector(kind, name) for kind in LIGAMENTS}
    depth = 0.5 * (points["ALL"][0] - points["PLL"][0])
    height = 0.36 * tables["vertebra"].vector("C5", "origin")[2]
    arch, tip = points["LF"], points["ISL"]
    thin = 0.4 * height
    shapes = [ellipsoid((0, 0, 0), (depth, 1.25 * depth, height))]
    for side in SIDES:
        angle = tables["facets"].number(side, "angle", "rad")
        round_ = 0.8 * tables["facets"].number(side, f"radius_{name}")
        # the normal of C6's face is backward and up; C5 lies beyond the facet, C6 before it
        into_bone = round_ if name == "C5" else -round_
        x, y, z = facet[side]
        end = (x - into_bone * math.sin(angle), y, z + into_bone * math.cos(angle))
        mass = (x, y, 0.5 * end[2])
        shapes += [capsule((-0.6 * depth, math.copysign(depth, y), 0), mass, thin), capsule(mass, end, round_), capsule(mass, arch, thin)]
    shapes.append(capsule(arch, tip, thin))
    return shapes


def _moved(shape: dict, centre) -> dict:
    """A shape drawn about the vertebral body's middle, from the centre of mass."""
    places = [key for key in ("centre", "from", "to") if key in shape]
    return shape | {key: shifted([shape[key]], centre)[0] for key in places}
