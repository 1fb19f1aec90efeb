"""Human17: the ellipsoids that touch planes, at the size of the person."""

import math

from .parts import ellipsoid, mark, planes, spatial_body, sphere

BODIES = [
    "pelvis", "abdomen", "thorax", "neck", "head", "arm_left", "forearm_left", "hand_left", "arm_right", "forearm_right",
    "hand_right", "thigh_left", "calf_left", "foot_left", "thigh_right", "calf_right", "foot_right",
]  # fmt: skip
PLANES = 4


def scene(subject) -> dict:
    bodies, marks = [], []
    for name in BODIES:
        centre, semi = _outline(subject, name)
        shapes = [ellipsoid(centre, semi)]
        if name == "head":
            # a nose shows where the face is
            shapes.append(sphere([centre[0] + semi[0], centre[1], centre[2] - 0.2 * semi[2]], 0.14 * semi[0]))
        bodies.append(spatial_body(name, shapes))
        marks.append(mark(f"{name} contact", name, centre, [f"{name}_contact_force_{axis}" for axis in "xyz"], arrow=True))
    return {"dimension": 3, "bodies": bodies, "links": [], "marks": marks, "planes": planes(subject, PLANES, "xyz")}


def _outline(subject, body: str):
    """Centre and semi-axes of the ellipsoid for this person."""
    table, (longer, thicker) = subject.tables["bodies"], _growth(subject)
    along = table.text(body, "long_axis")
    semi = [(longer if axis == along else thicker) * table.number(body, f"semi_axis_{axis}") for axis in "xyz"]
    return [longer * x for x in table.vector(body, "ellipsoid")], semi


def _growth(subject) -> tuple[float, float]:
    """How much longer and thicker than the person of the tables: volume follows mass (src/models/human17/data.cpp)."""
    person = subject.tables["person"]
    longer = subject.value("height") / person.number("reference", "height")
    return longer, math.sqrt(subject.value("mass") / person.number("reference", "mass", "kg") / longer)
