"""One instance of an FMU, driven through FMPy; variables by name, in SI."""

import ctypes
import tempfile
import zipfile
from collections.abc import Callable

import numpy as np
from fmpy import supported_platforms
from fmpy.fmi3 import FMU3Slave, fmi3Boolean, fmi3Float64, fmi3ValueReference, fmi3Warning

from spondyl.errors import ModelError, UserError
from spondyl.models import Model, Variable
from spondyl.settings import Value


class Instance:
    """Made, it is set and started; then stepper, getter and setter give functions that make it go. After a reset it is as
    new."""

    def __init__(self, model: Model):
        self.model = model
        self.messages: list[str] = []
        # once it is instantiated, the FMU reads nothing of what was unpacked
        with tempfile.TemporaryDirectory(prefix="spondyl-") as directory:
            with zipfile.ZipFile(model.path) as archive:
                archive.extractall(directory)
            try:
                self.fmu = FMU3Slave(
                    instanceName=model.name, guid=model.token, modelIdentifier=model.name, unzipDirectory=directory
                )
            except Exception as error:  # FMPy raises nothing more specific
                known = ", ".join(supported_platforms(str(model.path))) or "none"
                raise UserError(f"{model.path.name} cannot be loaded here, it has binaries for: {known} ({error})") from None
            self._call(self.fmu.instantiate, logMessage=self._keep_message)

    def _keep_message(self, _environment, _status, _category, message) -> None:
        self.messages.append(message.decode(errors="replace"))

    def _call(self, function, *arguments, **options):
        """What the function returns; where the FMU refuses, its own words."""
        try:
            return function(*arguments, **options)
        except Exception as error:  # FMICallException, and a plain one from instantiate
            raise ModelError(self._last_words(str(error))) from None

    def _last_words(self, otherwise: str) -> str:
        return self.messages[-1] if self.messages else f"{otherwise} failed"

    def set(self, settings: dict[str, Value]) -> None:
        for name, value in settings.items():
            variable = self.model.variables[name]
            if variable.type == "Enumeration":
                value = variable.items[value]
            setter = {
                "Float64": self.fmu.setFloat64,
                "Enumeration": self.fmu.setInt64,
                "Boolean": self.fmu.setBoolean,
                "String": self.fmu.setString,
            }[variable.type]
            self._call(setter, [variable.reference], [value])

    def setter(self, variables: list[Variable]) -> Callable[[np.ndarray], None]:
        """A function that sets these inputs to a row of numbers."""
        floats = [k for k, v in enumerate(variables) if v.type == "Float64"]
        truths = [k for k, v in enumerate(variables) if v.type == "Boolean"]
        float_references = [variables[k].reference for k in floats]
        truth_references = [variables[k].reference for k in truths]

        def put(row: np.ndarray) -> None:
            if floats:
                self._call(self.fmu.setFloat64, float_references, row[floats])
            if truths:
                self._call(self.fmu.setBoolean, truth_references, row[truths] != 0)

        return put

    def getter(self, variables: list[Variable]) -> Callable[[], np.ndarray]:
        """A function that gives the values of these variables in an array that the next call overwrites."""
        count = len(variables)
        references = (fmi3ValueReference * count)(*(v.reference for v in variables))
        values = (fmi3Float64 * count)()
        array = np.frombuffer(values)
        get, component = self.fmu.dll.fmi3GetFloat64, self.fmu.component

        def read() -> np.ndarray:
            if get(component, references, count, values, count) > fmi3Warning:
                raise ModelError(self._last_words("fmi3GetFloat64"))
            return array

        return read

    def start(self, until: float) -> None:
        self._call(self.fmu.enterInitializationMode, stopTime=until)
        self._call(self.fmu.exitInitializationMode)

    def stepper(self) -> Callable[[float, float], None]:
        """A function that does a step from a time on, of a size. It calls the binary past FMPy's wrappers: they cost as
        much as a small model."""
        event, end, early, last = fmi3Boolean(), fmi3Boolean(), fmi3Boolean(), fmi3Float64()
        flags = [ctypes.byref(x) for x in (event, end, early, last)]
        do_step, component = self.fmu.dll.fmi3DoStep, self.fmu.component

        def step(time: float, size: float) -> None:
            if do_step(component, time, size, True, *flags) > fmi3Warning:
                raise ModelError(self._last_words("fmi3DoStep"))

        return step

    def reset(self) -> None:
        self.messages.clear()
        self._call(self.fmu.reset)

    def close(self) -> None:
        if self.fmu is not None:
            self.fmu.freeInstance()
            self.fmu = None

    def __enter__(self) -> "Instance":
        return self

    def __exit__(self, *_) -> None:
        self.close()
