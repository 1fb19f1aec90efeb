"""Human12: limbs as capsules between the joints, the spheres that touch, belts and impactor."""

from .parts import capsule, link, planes, spatial_body, sphere

PARENTS = {
    "upper_torso": "lower_torso", "neck": "upper_torso", "head": "neck",
    "upper_arm_left": "upper_torso", "forearm_left": "upper_arm_left",
    "upper_arm_right": "upper_torso", "forearm_right": "upper_arm_right",
    "thigh_left": "lower_torso", "leg_left": "thigh_left",
    "thigh_right": "lower_torso", "leg_right": "thigh_right",
}  # fmt: skip
BODIES = ["lower_torso", *PARENTS]
BELTS = ["lap_left", "lap_right", "shoulder_upper", "shoulder_lower"]
PLANES = 4
# The heel's and toe's spheres make a foot, and spheres of a torso its width: capsules between them.
BRIDGES = {
    "lower_torso": [("hip_left", "hip_right")],
    "upper_torso": [("shoulder_left", "shoulder_right"), ("shoulder_left", "chest"), ("shoulder_right", "chest")],
    "leg_left": [("heel", "toe")],
    "leg_right": [("heel", "toe")],
}


def scene(subject) -> dict:
    bodies = [spatial_body(name, _shapes(subject, name)) for name in BODIES]
    links = []
    if subject.value("impactor_active"):
        radius = subject.value("impactor_radius")
        impactor = {"name": "impactor", "position": [f"impactor_position_{axis}" for axis in "xyz"], "orientation": [1, 0, 0, 0]}
        bodies.append(impactor | {"shapes": [sphere((0, 0, 0), radius)]})
    if subject.value("belt_active"):
        table = subject.tables["belts"]
        for belt in BELTS:
            anchor = [subject.value(f"belt_{belt}_anchor_{axis}") for axis in "xyz"]
            end = (table.text(belt, "body"), table.vector(belt, "point"))
            links.append(link(f"belt {belt}", "belt", (None, anchor), end, f"belt_{belt}_force"))
    return {"dimension": 3, "bodies": bodies, "links": links, "marks": [], "planes": planes(subject, PLANES, "xyz")}


def spheres(subject, body: str) -> dict:
    """name -> (centre, radius) of the spheres of a body."""
    table = subject.tables["spheres"]
    column = "dummy_radius" if subject.value("variant") == "dummy" else "human_radius"
    own = [row for row in table.rows if row.partition(".")[0] == body]
    return {row.partition(".")[2]: (table.vector(row, "centre"), table.number(row, column)) for row in own}


def _shapes(subject, body: str) -> list:
    table, own = subject.tables["bodies"], spheres(subject, body)
    shapes = [sphere(centre, radius) for centre, radius in own.values()]
    for start, end in BRIDGES.get(body, []):
        if start in own and end in own:
            shapes.append(capsule(own[start][0], own[end][0], min(own[start][1], own[end][1])))
    if body == "lower_torso":
        shapes += _waist(table, own)
    elif body not in ("head", "upper_torso"):
        # a limb: from its joint to the next one, or to its end
        thin = min((radius for name, (_, radius) in own.items() if name not in ("heel", "toe")), default=0.04)
        next_joint = [table.vector(child, "joint_in_parent") for child, parent in PARENTS.items() if parent == body]
        end = next_joint[0] if next_joint else table.vector(body, "end")
        shapes.append(capsule(table.vector(body, "joint"), end, thin))
    if body == "head" and own:
        # a nose shows where the face is
        (x, y, z), radius = own["head"] if "head" in own else next(iter(own.values()))
        shapes.append(sphere((x + radius, y, z - 0.2 * radius), 0.16 * radius))
    return shapes


def _waist(table, own: dict) -> list:
    """From the line of the hips to the joint of the upper torso."""
    left, right = table.vector("thigh_left", "joint_in_parent"), table.vector("thigh_right", "joint_in_parent")
    middle = [0.5 * (a + b) for a, b in zip(left, right)]
    radius = min((radius for _, radius in own.values()), default=0.1)
    return [capsule(middle, table.vector("upper_torso", "joint_in_parent"), radius)]
