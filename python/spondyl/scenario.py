"""A scenario: all that a run depends on, as a small TOML file that reruns it exactly."""

import hashlib
import json
import math
import platform
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from spondyl import __version__, inputs, settings, units
from spondyl.errors import UserError, missing, unknown
from spondyl.models import Model
from spondyl.settings import Value

_KEYS = {
    "model": str,
    "case": str,
    "until": (str, int, float),
    "step": (str, int, float),
    "outputs": list,
    "settings": dict,
    "input": dict,
    "provenance": dict,
    "result": dict,
}  # what a scenario may have
MOST_STEPS = 1e9
LARGEST = 4e9  # bytes of results in memory


@dataclass(frozen=True)
class Scenario:
    model: str  # a name, or the path of an FMU
    until: float  # s
    step: float  # communication step, s
    settings: dict[str, Value] = field(default_factory=dict)  # SI, words, truths; checked() makes them so
    outputs: tuple[str, ...] = ("*",)  # patterns
    case: str | None = None
    input: Path | dict | None = None  # a CSV file, or columns
    between: str = "linear"  # what the input does between its rows
    provenance: dict[str, str] = field(default_factory=dict)  # of the run that wrote it

    @property
    def steps(self) -> int:
        """Communication steps; the last may be shorter. A ten-millionth of a step is rounding."""
        return max(1, math.ceil(self.until / self.step - 1e-7))

    def times(self) -> np.ndarray:
        """Communication points, from 0 to `until`."""
        times = np.arange(self.steps + 1) * self.step
        times[-1] = self.until
        return times


def seconds(given: object, what: str) -> float:
    """A positive time such as "1ms", or a number in s."""
    try:
        value = units.to_si(given, "s") if isinstance(given, str) else float(given)
    except (UserError, TypeError, ValueError) as error:
        raise UserError(f"{what}: {error}") from None
    if not (value > 0 and math.isfinite(value)):
        raise UserError(f"{what}: {given} is not above 0 s")
    return value


def checked(scenario: Scenario, model: Model) -> Scenario:
    """The same with settings as the model takes them; a UserError if something does not fit the model."""
    if scenario.step > scenario.until:
        raise UserError(f"step: {scenario.step:g} s is longer than the run of {scenario.until:g} s")
    if scenario.until / scenario.step > MOST_STEPS:
        raise UserError(f"step: {scenario.step:g} s is too short for a run of {scenario.until:g} s")
    outputs = len(model.outputs(scenario.outputs))
    size = 8.0 * (scenario.steps + 1) * outputs
    if size > LARGEST:
        raise UserError(
            f"{scenario.steps} steps of {outputs} outputs are {size / 1e9:.0f} GB: choose a longer --step "
            "or fewer outputs with --output"
        )
    found = {name: settings.parse(model.settable(name), value) for name, value in scenario.settings.items()}
    if found.get("data_path"):
        directory = Path(found["data_path"]).resolve()
        if not directory.is_dir():
            raise UserError(f"data_path: there is no folder {directory}")
        found["data_path"] = str(directory)
    if scenario.input is not None:
        driven = {v.name for v in inputs.load(scenario.input, scenario.between, model).variables}
        both = next((name for name in found if name in driven), None)
        if both:
            raise UserError(f"{both} is both set and a column of the input")
    return replace(scenario, settings=found)


# -- where it comes from


def provenance(scenario: Scenario, model: Model) -> dict[str, str]:
    """Versions, hashes, data set and solver of a run."""
    import fmpy

    def used(name: str) -> str:
        variable = model.variables.get(name)
        if variable is None:
            return ""
        return settings.show(variable, scenario.settings.get(name, variable.start))

    found = {
        "spondyl": __version__,
        "model_version": model.version,
        "fmu": model.path.name,
        "fmu_sha256": model.sha256,
        "data_set": used("data_set"),
        "solver": used("solver"),
        "relative_tolerance": used("relative_tolerance"),
        "absolute_tolerance": used("absolute_tolerance"),
        "fmpy": fmpy.__version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
    }
    if scenario.settings.get("data_set") == "custom":
        found["data_sha256"] = _hash_of_tables(Path(scenario.settings.get("data_path", "")))
    if isinstance(scenario.input, Path):
        found["input_sha256"] = hashlib.sha256(scenario.input.read_bytes()).hexdigest()
    return {key: value for key, value in found.items() if value}


def _hash_of_tables(directory: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(directory.glob("*.csv")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def differences(scenario: Scenario, model: Model) -> list[str]:
    """What is not as it was when the scenario was written, so that it will not run exactly alike."""
    now = provenance(scenario, model)
    names = {
        "spondyl": "spondyl",
        "model_version": "the model's version",
        "fmu_sha256": "the FMU (SHA-256)",
        "data_sha256": "the custom data (SHA-256)",
        "input_sha256": "the input (SHA-256)",
    }
    return [
        f"{what} was {scenario.provenance[key][:16]}, now it is {now.get(key, 'missing')[:16]}"
        for key, what in names.items()
        if key in scenario.provenance and scenario.provenance[key] != now.get(key)
    ]


# -- TOML


def from_document(document: dict, directory: Path, where: str) -> Scenario:
    """The scenario of a TOML document; files are relative to the directory."""
    for key, value in document.items():
        if key not in _KEYS:
            raise UserError(f"{where}: {unknown('key', key, _KEYS)}")
        if not isinstance(value, _KEYS[key]) or isinstance(value, bool):
            raise UserError(f"{where}: {key} = {value!r} is of the wrong kind")
    for key in ("model", "until", "step"):
        if key not in document:
            raise UserError(f"{where}: {key} is missing")
    table = dict(document.get("input", {}))
    between = table.pop("between", "linear")
    if "file" in table and len(table) > 1:
        raise UserError(f"{where}: [input] has a file and columns; one of them is enough")
    return Scenario(
        model=document["model"],
        case=document.get("case"),
        until=seconds(document["until"], f"{where}, until"),
        step=seconds(document["step"], f"{where}, step"),
        outputs=tuple(map(str, document.get("outputs", ["*"]))),
        settings=dict(document.get("settings", {})),
        input=directory / str(table["file"]) if "file" in table else table or None,
        between=between,
        provenance={key: str(value) for key, value in document.get("provenance", {}).items()},
    )


def parse_toml(text: str, where: str) -> dict:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{where} is no TOML: {error}") from None


def read(path: Path) -> Scenario:
    if not path.is_file():
        raise missing(path)
    try:
        return from_document(parse_toml(path.read_text(encoding="utf-8"), str(path)), path.parent, str(path))
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is no text: {error}") from None


def to_toml(scenario: Scenario, model: Model | None = None, result: dict[str, Value] | None = None) -> str:
    """Columns of an input are not written: its values go into a file beside it. The model adds display units as comments."""
    top = {"model": scenario.model, "case": scenario.case, "until": scenario.until, "step": scenario.step}
    lines = [f"{key} = {_literal(value)}" for key, value in top.items() if value is not None]
    lines.append("outputs = [" + ", ".join(_literal(pattern) for pattern in scenario.outputs) + "]")
    comments = (
        {}
        if model is None
        else {
            name: settings.show(model.variables[name], value)
            for name, value in scenario.settings.items()
            if model.variables[name].unit != model.variables[name].display_unit
        }
    )
    source = {"file": str(scenario.input), "between": scenario.between} if isinstance(scenario.input, Path) else {}
    for title, table in (
        ("settings", scenario.settings),
        ("input", source),
        ("provenance", scenario.provenance),
        ("result", result or {}),
    ):
        if table:
            lines += ["", f"[{title}]"]
            lines += [
                f"{key} = {_literal(value)}" + (f"  # {comments[key]}" if title == "settings" and key in comments else "")
                for key, value in table.items()
            ]
    return "\n".join(lines) + "\n"


def _literal(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(float(value))
