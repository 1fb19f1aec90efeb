"""One instance of an FMU, driven through FMPy; variables by name, in SI."""

import atexit
import ctypes
import shutil
import tempfile
import zipfile
from functools import lru_cache

import numpy as np
from fmpy import supported_platforms
from fmpy.fmi1 import FMICallException
from fmpy.fmi3 import FMU3Slave, fmi3Boolean, fmi3Float64, fmi3ValueReference

from spondyl.errors import ModelError, UserError
from spondyl.models import Model, Variable
from spondyl.settings import Value


@lru_cache(maxsize=8)
def extracted(path: str, _sha256: str) -> str:
    """The directory into which this process has unpacked the FMU."""
    directory = tempfile.mkdtemp(prefix="spondyl-")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(directory)
    return directory


class Instance:
    """From the constructor on: set, start, step and get; after reset set again."""

    def __init__(self, model: Model):
        self.model = model
        self.messages: list[str] = []
        try:
            self.fmu = FMU3Slave(instanceName=model.name, guid=model.token, modelIdentifier=model.name,
                                 unzipDirectory=extracted(str(model.path), model.sha256))
        except Exception as error:  # FMPy raises nothing more specific
            known = ", ".join(supported_platforms(str(model.path))) or "none"
            raise UserError(f"{model.path.name} cannot be loaded here, it has binaries for: {known} ({error})") from None
        self._call(self.fmu.instantiate, logMessage=self._keep_message)
        self._event, self._end, self._early = fmi3Boolean(), fmi3Boolean(), fmi3Boolean()
        self._last = fmi3Float64()
        self._flags = [ctypes.byref(x) for x in (self._event, self._end, self._early, self._last)]

    def _keep_message(self, _environment, _status, _category, message) -> None:
        self.messages.append(message.decode(errors="replace"))

    def _call(self, function, *arguments, **options):
        """What the function returns; where the FMU refuses, its own words."""
        try:
            return function(*arguments, **options)
        except FMICallException as error:
            raise ModelError(self.messages[-1] if self.messages else str(error)) from None
        except Exception as error:  # instantiate
            raise ModelError(self.messages[-1] if self.messages else str(error)) from None

    def set(self, settings: dict[str, Value]) -> None:
        for name, value in settings.items():
            variable = self.model.variables[name]
            if variable.type == "Enumeration":
                value = variable.items[value]
            setter = {"Float64": self.fmu.setFloat64, "Enumeration": self.fmu.setInt64, "Boolean": self.fmu.setBoolean,
                      "String": self.fmu.setString}[variable.type]
            self._call(setter, [variable.reference], [value])

    def setter(self, variables: list[Variable]):
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

    def getter(self, variables: list[Variable]):
        """A function that puts the values of these variables into a row of numbers, in one call and without copies."""
        count = len(variables)
        references = (fmi3ValueReference * count)(*(v.reference for v in variables))
        pointer = ctypes.POINTER(fmi3Float64)

        def get(row: np.ndarray) -> None:
            self._call(self.fmu.fmi3GetFloat64, self.fmu.component, references, count, row.ctypes.data_as(pointer), count)

        return get

    def start(self, until: float) -> None:
        self._call(self.fmu.enterInitializationMode, stopTime=until)
        self._call(self.fmu.exitInitializationMode)

    def step(self, time: float, size: float) -> None:
        self._call(self.fmu.fmi3DoStep, self.fmu.component, time, size, True, *self._flags)

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
