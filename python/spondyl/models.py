"""The models: where their FMUs are, and what can be set and read."""

import hashlib
import os
import zipfile
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from pathlib import Path
from xml.etree import ElementTree

from spondyl.errors import UserError, missing, unknown

PACKAGE = Path(__file__).resolve().parent

# Outputs that are injury criteria, as far as a model has them. All but NIC are running maxima.
CRITERIA = ("HIC15", "HIC36", "head_a3ms", "NIC", "NIC_max", "Nij", "Nkm", "LNL", "BrIC", "DRI")


@dataclass(frozen=True)
class Variable:
    name: str
    reference: int
    type: str  # Float64, Boolean, Enumeration, String
    causality: str  # input, output, parameter
    variability: str
    description: str
    unit: str  # SI; "1" without dimension
    display_unit: str
    factor: float  # SI to display unit
    minimum: float | None
    maximum: float | None
    start: float | int | bool | str | None
    items: dict[str, int]  # words of an enumeration
    source: str  # where the number comes from

    @property
    def settable(self) -> bool:
        return self.causality in ("input", "parameter")


@dataclass(frozen=True)
class Model:
    path: Path
    name: str
    version: str
    token: str
    description: str
    until: float  # what a run without more takes, s
    step: float
    variables: dict[str, Variable]

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.path.read_bytes()).hexdigest()

    def resource(self, name: str) -> str:
        """The text of a file in the FMU's resources/."""
        with zipfile.ZipFile(self.path) as archive:
            return archive.read(f"resources/{name}").decode()

    def of(self, causality: str) -> list[Variable]:
        return [v for v in self.variables.values() if v.causality == causality]

    def criteria(self) -> list[str]:
        return [name for name in CRITERIA if name in self.variables]

    def variable(self, name: str, what: str = "variable") -> Variable:
        if name not in self.variables:
            raise unknown(f"{what} of {self.name}", name, self.variables)
        return self.variables[name]

    def settable(self, name: str) -> Variable:
        names = [v.name for v in self.variables.values() if v.settable]
        if name in self.variables and name not in names:
            raise UserError(f"{name} of {self.name} is an output, it cannot be set")
        if name not in names:
            raise unknown(f"input or parameter of {self.name}", name, names)
        return self.variables[name]

    def outputs(self, patterns: tuple[str, ...] = ("*",)) -> list[Variable]:
        """The outputs that a pattern such as head_* matches, in the order of the model."""
        outputs = [v for v in self.of("output") if v.type == "Float64"]
        for pattern in patterns:
            if not any(fnmatchcase(v.name, pattern) for v in outputs):
                raise unknown(f"output of {self.name}", pattern, [v.name for v in outputs])
        return [v for v in outputs if any(fnmatchcase(v.name, pattern) for pattern in patterns)]


def directories() -> list[Path]:
    """Where FMUs are looked for: $SPONDYL_DIST alone if it is set, else in the package and in the repository."""
    if os.environ.get("SPONDYL_DIST"):
        return [Path(os.environ["SPONDYL_DIST"]).resolve()]
    return [PACKAGE / "fmus", PACKAGE.parents[1] / "dist"]


def paths() -> dict[str, Path]:
    """The FMUs that are there, by name."""
    found: dict[str, Path] = {}
    for directory in directories():
        for path in sorted(directory.glob("*.fmu")):
            found.setdefault(path.stem, path)
    return found


def find(name: str) -> Model:
    """A model by its name, or by the path of its FMU."""
    if name.endswith(".fmu") or os.sep in name:
        return read(Path(name))
    known = paths()
    if not known:
        raise UserError(
            f"no FMU in {' or '.join(map(str, directories()))}: build them first, or name their directory in SPONDYL_DIST"
        )
    if name not in known:
        raise unknown("model", name, known)
    return read(known[name])


def read(path: Path) -> Model:
    if not path.is_file():
        raise missing(path)
    return _read(path.resolve(), path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _read(path: Path, _changed: int) -> Model:
    try:
        with zipfile.ZipFile(path) as archive:
            root = ElementTree.fromstring(archive.read("modelDescription.xml"))
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, OSError) as error:
        raise UserError(f"{path} is no FMU: {error}") from None
    if root.get("fmiVersion", "")[:2] != "3." or root.find("CoSimulation") is None:
        raise UserError(f"{path} is no FMI 3 co-simulation FMU")
    defaults = root.find("DefaultExperiment")
    defaults = {} if defaults is None else defaults.attrib
    variables = _variables(root)
    return Model(
        path=path,
        name=root.get("modelName"),
        version=root.get("version", ""),
        token=root.get("instantiationToken"),
        description=root.get("description", ""),
        until=float(defaults.get("stopTime", 1)),
        step=float(defaults.get("stepSize", 1e-3)),
        variables={v.name: v for v in variables if v.causality != "independent"},
    )


def _variables(root: ElementTree.Element) -> list[Variable]:
    factors = {
        unit.get("name"): {d.get("name"): float(d.get("factor", 1)) for d in unit.findall("DisplayUnit")}
        for unit in root.findall("UnitDefinitions/Unit")
    }
    items = {
        t.get("name"): {item.get("name"): int(item.get("value")) for item in t.findall("Item")}
        for t in root.findall("TypeDefinitions/EnumerationType")
    }
    return [_variable(e, factors, items) for e in root.find("ModelVariables")]


def _variable(e: ElementTree.Element, factors: dict, items: dict) -> Variable:
    unit = e.get("unit", "1")
    display_unit = e.get("displayUnit", unit)
    start = e.find("Start").get("value") if e.find("Start") is not None else e.get("start")
    convert = {"Float64": float, "Enumeration": int, "Boolean": lambda text: text in ("true", "1")}.get(e.tag, str)
    number = {key: None if e.get(key) is None else float(e.get(key)) for key in ("min", "max")}
    source = next((a.text for a in e.findall("Annotations/Annotation") if a.get("type") == "org.spondyl.source"), "")
    return Variable(
        name=e.get("name"),
        reference=int(e.get("valueReference")),
        type=e.tag,
        causality=e.get("causality", "local"),
        variability=e.get("variability", "continuous"),
        description=e.get("description", ""),
        unit=unit,
        display_unit=display_unit,
        factor=factors.get(unit, {}).get(display_unit, 1.0),
        minimum=number["min"],
        maximum=number["max"],
        start=None if start is None else convert(start),
        items=items.get(e.get("declaredType"), {}),
        source=source,
    )
