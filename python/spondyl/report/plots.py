"""The plots that one looks at first, for every model."""

from .scenes import cervical_segment, cervical_spine, human12, human17, lumbar_spine
from .subject import Subject


def _each(template: str, names) -> list[str]:
    return [template.format(name) for name in names]


def _axes(name: str) -> list[str]:
    return [f"{name}_{axis}" for axis in "xyz"]


_NECK = ("Upper neck", _each("upper_neck_{}", ["axial_force", "shear_force", "section_moment"]))
_HEAD = [("Acceleration of the head", _axes("head_acceleration")), ("Velocity of the head", _axes("head_velocity"))]

PLOTS = {
    "CervicalSpine": [
        ("Level angles, flexion positive", _each("{}_angle", cervical_spine.LEVELS)),
        ("Anterior longitudinal ligament", _each("{}_ALL_force", cervical_spine.LEVELS)),
        ("Interspinous ligament", _each("{}_ISL_force", cervical_spine.LEVELS)),
        ("Acceleration of the head", ["head_acceleration_x", "head_acceleration_z"]),
        _NECK,
        ("Neck injury criterion", ["NIC", "NIC_max"]),
        ("Forces of planes", ["plane1_force_x", "plane1_force_z", "plane2_force_x", "plane2_force_z"]),
    ],
    "LumbarSpine": [
        ("Level angles, flexion positive", _each("{}_angle", lumbar_spine.LEVELS)),
        ("Moment of the discs", _each("{}_moment", lumbar_spine.LEVELS)),
        ("Facet joints", _each("{}_facet_force", lumbar_spine.LEVELS)),
        ("Spinous processes", _each("{}_spinous_force", lumbar_spine.LEVELS)),
        ("Ligaments of L4-L5", _each("L4L5_{}_force", lumbar_spine.LIGAMENTS)),
        ("Position of L1", ["L1_position_x", "L1_position_z"]),
    ],
    "CervicalSegment": [
        ("Translation of C5", _axes("C5_translation")),
        ("Rotation of C5", _axes("C5_rotation")),
        ("Ligaments", _each("C5C6_{}_force", cervical_segment.LIGAMENTS)),
        ("Facet joints", _each("C5C6_facet_{}_force", cervical_segment.SIDES)),
        ("Moment of the disc", _axes("C5C6_disc_moment")),
    ],
    "Human17": [
        *_HEAD,
        _NECK,
        ("Forces of planes", [f"plane{k}_force_{axis}" for k in range(1, human17.PLANES + 1) for axis in "xz"]),
        ("Bending of trunk and neck", _each("{}_joint_angle_y", ["abdomen", "thorax", "neck", "head"])),
        ("Energy", ["kinetic_energy", "potential_energy", "dissipated_energy"]),
    ],
    "Human12": [
        *_HEAD,
        _NECK,
        ("Belts", _each("belt_{}_force", human12.BELTS)),
        ("Impactor", _axes("impactor_force")),
        ("Forces of planes", [f"plane{k}_force_{axis}" for k in range(1, human12.PLANES + 1) for axis in "xz"]),
        ("Joint of neck and torso", _axes("neck_joint_angle")),
        ("Energy", ["kinetic_energy", "potential_energy", "dissipated_energy"]),
    ],
}


def plots(subject: Subject) -> list[dict]:
    """Without channels that the run does not have or that are zero throughout; what drives the run comes last."""
    driven = [name for name in subject.run.channels if subject.model.variables[name].causality == "input"]
    groups = [*PLOTS.get(subject.model.name, []), ("Inputs", driven)]
    shown = [(title, [name for name in names if subject.has(name) and subject.channel(name).any()]) for title, names in groups]
    return [{"title": title, "channels": names} for title, names in shown if names]
