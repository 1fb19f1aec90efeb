"""The injury criteria of a run against their limits.

Values are running maxima of the FMU, sampled inside it every 0.1 ms (src/injury). Limits and sources are those of
src/injury/README.md; a test compares them with what the FMU says of its outputs.
"""

import math
from dataclasses import dataclass

import numpy as np

from .scenes import lumbar_spine
from .subject import Subject

G = 9.81  # m/s2, the g that the FMUs show


@dataclass(frozen=True)
class Criterion:
    limit: float | None  # None: nobody agreed on one
    unit: str
    meaning: str
    source: str
    per_unit: float = 1.0  # SI per unit
    only: str = ""  # the impacts that it was made for, if not any


NOT_REGULATED = "no regulation sets one"
CRITERIA = {
    "HIC15": Criterion(700, "1", "Danger to skull and brain from a short blow to the head.", "limit: 49 CFR 571.208"),
    "HIC36": Criterion(1000, "1", "The same over a longer time, also without a blow.", "limit: 49 CFR 571.208"),
    "head_a3ms": Criterion(80, "g", "Acceleration that the head suffers for 3 ms in total.", "limit: UN R137", G),
    "BrIC": Criterion(
        1, "1", "Strain of the brain by rotation of the head, in any direction.",
        f"limit: Takhounts et al. 2013; {NOT_REGULATED}"),
    "NIC_max": Criterion(
        15, "m2/s2",
        "Retraction of the head against the first thoracic vertebra in a rear impact. In other impacts its limit says nothing.",
        f"limit: Boström et al. 1996; {NOT_REGULATED}", only="rear impacts"),
    "Nij": Criterion(
        1, "1", "Axial force and bending moment together between head and neck.",
        "limit: 49 CFR 571.208, Hybrid III 50th percentile"),
    "Nkm": Criterion(
        0.3, "1", "Shear force and bending moment together between head and neck, for low speeds.",
        f"limit as commonly used after Schmitt et al. 2001; {NOT_REGULATED}"),
    "LNL": Criterion(
        None, "1", "Moment, shear and axial force together at the foot of the neck.",
        f"no accepted limit: about 3 is quoted after Heitplatz et al. 2003, not checked; {NOT_REGULATED}"),
    "DRI": Criterion(
        17.7, "1", "Danger to the spine from an upward shock to a seated person.",
        "limit: STANAG 4569, a risk of 10 % of serious injury"),
}  # fmt: skip


def criteria(subject: Subject) -> list[dict]:
    found = [
        _row(name, subject.channel(name)[-1] / c.per_unit, c.unit, c.limit, c.meaning, c.source) | {"only": c.only}
        for name, c in CRITERIA.items()
        if subject.has(name)
    ]
    strains = LIGAMENT_STRAINS.get(subject.model.name, lambda _: {})(subject)
    if strains:
        name = max(strains, key=lambda name: strains[name][0] / strains[name][1])
        value, limit, source = strains[name]
        meaning = "Of all ligaments the one that comes nearest to the end of its measured curve."
        found.append(_row(f"strain of {name}", value, "1", limit, meaning, f"limit: {source}"))
    return found


def _row(name: str, value: float, unit: str, limit: float | None, meaning: str, source: str) -> dict:
    value = float(value) if math.isfinite(value) else None
    share = None if limit is None or value is None else max(0.0, value / limit)
    return {"name": name, "value": value, "unit": unit, "limit": limit, "share": share, "meaning": meaning, "source": source}


# name -> largest strain of the run, strain at which the measured curve ends, source


def _of_segment(subject: Subject) -> dict:
    table = subject.tables["ligaments"]
    source = "de Jager 1996 in Kecskeméthy et al. 2000, Table 3"
    return {
        f"C5C6 {row}": (float(np.max(subject.channel(f"C5C6_{row}_strain"))), table.number(row, "max_strain", "1"), source)
        for row in table.rows
        if subject.has(f"C5C6_{row}_strain")
    }


def _of_lumbar_spine(subject: Subject) -> dict:
    table = subject.tables["ligaments"]
    source = "Pintar et al. 1992 in Morais 2011, Table 4.6"
    found = {}
    for row in table.rows:
        if subject.has(f"{row}_elongation"):
            length, rest = lumbar_spine.lengths(subject.tables, row)
            strain = (length + np.max(subject.channel(f"{row}_elongation"))) / rest - 1
            found[row.replace("_", " ")] = (float(strain), table.number(row, "limit_strain", "1"), source)
    return found


LIGAMENT_STRAINS = {"CervicalSegment": _of_segment, "LumbarSpine": _of_lumbar_spine}
