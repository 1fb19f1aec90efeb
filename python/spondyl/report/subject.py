"""One run with all that its report looks at."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spondyl import models
from spondyl.errors import UserError
from spondyl.models import Model
from spondyl.results import Run
from spondyl.settings import Value

from .tables import Tables


@dataclass(frozen=True)
class Subject:
    run: Run
    model: Model

    @classmethod
    def of(cls, run: Run) -> "Subject":
        model = models.find(run.scenario.model)
        strange = next((name for name in [*run.channels, *run.scenario.settings] if name not in model.variables), None)
        if strange:
            raise UserError(f"{run.directory} is a run of another FMU than {model.path}, which has no {strange}")
        return cls(run, model)

    def has(self, *names: str) -> bool:
        return all(name in self.run.channels for name in names)

    def channel(self, name: str) -> np.ndarray:
        return self.run.channels[name].values

    def value(self, name: str) -> Value:
        """A parameter, or an input at the start of the run: SI, true or false, the word of an enumeration."""
        variable = self.model.variables[name]
        if self.has(name):
            start = self.channel(name)[0]
            return bool(start) if variable.type == "Boolean" else float(start)
        if name in self.run.scenario.settings:
            return self.run.scenario.settings[name]
        return self.default(name)

    def default(self, name: str) -> Value:
        """What the FMU has when nothing is set; the word of an enumeration."""
        variable = self.model.variables[name]
        words = {number: word for word, number in variable.items.items()}
        return words.get(variable.start, variable.start)

    def quantity(self, name: str) -> float | str:
        """For the page: the name of an input that changes during the run, else its value."""
        return name if self.has(name) and np.ptp(self.channel(name)) > 0 else self.value(name)

    @cached_property
    def tables(self) -> Tables:
        return Tables(self.model, self.value("data_set"), self.value("data_path"))
