"""What the page draws of a run: a module a model, each with scene(subject)."""

from . import cervical_segment, cervical_spine, human12, human17, lumbar_spine

SCENES = {
    "CervicalSpine": cervical_spine.scene,
    "LumbarSpine": lumbar_spine.scene,
    "CervicalSegment": cervical_segment.scene,
    "Human17": human17.scene,
    "Human12": human12.scene,
}
NOTHING = {"dimension": 2, "bodies": [], "links": [], "marks": [], "planes": []}


def scene_of(subject) -> dict:
    """As far as the run has the outputs for it; nothing for a model that is none of ours."""
    if subject.model.name not in SCENES:
        return NOTHING
    whole = SCENES[subject.model.name](subject)
    bodies = [body for body in whole["bodies"] if subject.has(*channels_of(body))]
    known = {body["name"] for body in bodies} | {None}

    def can_be_drawn(part: dict) -> bool:
        ends = [part["from"], part["to"]] if "from" in part else [part]
        return subject.has(*channels_of(part)) and all(end.get("body") in known for end in ends)

    rest = {kind: [part for part in whole[kind] if can_be_drawn(part)] for kind in ("links", "marks", "planes")}
    return {"dimension": whole["dimension"], "bodies": bodies} | rest


def channels_of(part: dict) -> list[str]:
    """The channels that a body, link, mark or plane names."""
    named = [*part.get("position", []), part.get("angle"), *part.get("orientation", [])]
    force = part.get("force", [])
    named += [force] if isinstance(force, str) else force
    return [name for name in named if isinstance(name, str)]
