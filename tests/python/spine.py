"""One instance of the FMU, driven call by call; variables by name."""

from fmpy import read_model_description
from fmpy.fmi3 import FMU3Slave

WHIPLASH = {"pulse_shape": 2}  # triangle; its other parameters start with 8.5 g and 105 ms


class Spine:
    def __init__(self, unzipped, description=None, **options):
        description = description or read_model_description(str(unzipped), validate=False)
        self.variables = {v.name: v for v in description.modelVariables}
        self.outputs = [v.name for v in description.modelVariables if v.causality == "output"]
        self.messages = []
        self.fmu = FMU3Slave(
            instanceName="spine",
            guid=description.guid,
            unzipDirectory=str(unzipped),
            modelIdentifier=description.coSimulation.modelIdentifier,
        )
        self.fmu.instantiate(logMessage=self._keep_message, **options)

    def _keep_message(self, environment, status, category, message):
        self.messages.append(message.decode())

    def references(self, names):
        return [self.variables[name].valueReference for name in names]

    def set(self, **values):
        for name, value in values.items():
            setter = {
                "Float64": self.fmu.setFloat64,
                "Enumeration": self.fmu.setInt64,
                "Boolean": self.fmu.setBoolean,
                "String": self.fmu.setString,
            }[self.variables[name].type]
            setter(self.references([name]), [value])

    def get(self, *names):
        values = self.fmu.getFloat64(self.references(names))
        return values[0] if len(names) == 1 else values

    def start(self, stop_time=None, **values):
        self.set(**values)
        self.fmu.enterInitializationMode(stopTime=stop_time)
        self.fmu.exitInitializationMode()
        self.time = 0.0

    def step(self, size):
        self.step_to(self.time + size)

    def step_to(self, time):
        self.fmu.doStep(self.time, time - self.time)
        self.time = time

    def run(self, until, size):
        begin = self.time
        for k in range(round((until - begin) / size)):
            self.step_to(begin + (k + 1) * size)

    def close(self):
        if self.fmu:
            self.fmu.freeInstance()
            self.fmu = None
