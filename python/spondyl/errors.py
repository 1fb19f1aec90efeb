"""What the user is told when something cannot be done."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path


class UserError(Exception):
    """Something that the user gave is wrong. One line; the command ends with exit code 2."""


class ModelError(Exception):
    """The FMU could not do what it was asked to. The command ends with exit code 1."""


def nearest(name: str, names: Iterable[str], count: int = 1) -> list[str]:
    """The names most like the given one, whatever the case of the letters."""
    by_lower = {known.lower(): known for known in names}
    return [by_lower[found] for found in get_close_matches(name.lower(), by_lower, count, 0.5)]


def missing(path: Path) -> UserError:
    """There is no such file; perhaps one with a name like it."""
    beside = [p.name for p in path.parent.glob(f"*{path.suffix}") if p.is_file()] if path.parent.is_dir() else []
    near = nearest(path.name, beside)
    return UserError(f"there is no file {path}" + (f"; did you mean {path.parent / near[0]}?" if near else ""))


def unknown(what: str, name: str, names: Iterable[str]) -> UserError:
    """'There is no output head_angel; did you mean head_angle?', or all names if they are few and none is near."""
    names = list(names)
    found = nearest(name, names)
    if found:
        hint = f"did you mean {found[0]}?"
    elif 0 < len(names) <= 12:
        hint = "there are " + ", ".join(names)
    else:
        hint = "none is like it"
    return UserError(f"there is no {what} {name!r}; {hint}")
