"""The pieces that scenes are made of, as the page reads them. Points are x, y, z (planar: y = 0) in metres."""

AXES = "xyz"


def planar_body(name: str, shapes: list) -> dict:
    """A body whose frame lies in its centre of mass and leans forward with its angle."""
    return {
        "name": name,
        "position": [f"{name}_position_x", 0, f"{name}_position_z"],
        "angle": f"{name}_angle",
        "angle_zero": 0,
        "shapes": shapes,
    }


def spatial_body(name: str, shapes: list) -> dict:
    return {
        "name": name,
        "position": [f"{name}_position_{axis}" for axis in AXES],
        "orientation": [f"{name}_orientation_{axis}" for axis in "wxyz"],
        "shapes": shapes,
    }


def link(label: str, kind: str, start: tuple, end: tuple, force: str) -> dict:
    """start and end: (body or None, point)."""
    return {"label": label, "kind": kind, "from": _anchor(*start), "to": _anchor(*end), "force": force}


def mark(label: str, body: str | None, point, force: list[str], arrow: bool = False) -> dict:
    """arrow: the force has its components in the axes of the sled."""
    return {"label": label, **_anchor(body, point), "force": force, "arrow": arrow}


def planes(subject, count: int, axes: str) -> list[dict]:
    """The contact planes that are switched on at some time."""
    return [
        {
            "label": plane,
            "point": [subject.quantity(f"{plane}_{axis}") if axis in axes else 0 for axis in AXES],
            "normal": [subject.quantity(f"{plane}_n{axis}") if axis in axes else 0 for axis in AXES],
            "force": [f"{plane}_force_{axis}" for axis in axes],
        }
        for plane in (f"plane{k}" for k in range(1, count + 1))
        if subject.quantity(f"{plane}_active")
    ]


def polygon(points) -> dict:
    return {"kind": "polygon", "points": [list(point) for point in points]}


def ellipsoid(centre, semi_axes) -> dict:
    return {"kind": "ellipsoid", "centre": list(centre), "semi_axes": list(semi_axes)}


def sphere(centre, radius: float) -> dict:
    return ellipsoid(centre, [radius] * 3)


def capsule(start, end, radius: float) -> dict:
    return {"kind": "capsule", "from": list(start), "to": list(end), "radius": radius}


def prism(axis: str, points, start: float, end: float) -> dict:
    """Points in x and y from start to end along z, or in x and z along y."""
    return {"kind": "prism", "axis": axis, "points": [list(point) for point in points], "from": start, "to": end}


def rounded(points, cuts=(0.12, 0.25)) -> list:
    """The polygon with its corners cut at these shares of the edges, one cut after the other (Chaikin)."""
    for cut in cuts:
        edges = list(zip(points, [*points[1:], points[0]]))
        points = [[(1 - share) * p + share * q for p, q in zip(a, b)] for a, b in edges for share in (cut, 1 - cut)]
    return points


def shifted(points, by) -> list:
    """Points less another: from one origin to that other point as origin."""
    return [[p - b for p, b in zip(point, by)] for point in points]


def _anchor(body, point) -> dict:
    x, *rest = point
    return {"body": body, "point": [x, 0, rest[0]] if len(rest) == 1 else [x, *rest]}
