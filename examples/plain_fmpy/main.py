"""The 8.5 g whiplash step by step through plain FMPy: an input before each step, outputs after it."""

import sys

from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave

fmu = sys.argv[1] if len(sys.argv) > 1 else "dist/CervicalSpine.fmu"
description = read_model_description(fmu)
vr = {variable.name: variable.valueReference for variable in description.modelVariables}
spine = FMU3Slave(guid=description.guid, unzipDirectory=extract(fmu), modelIdentifier="CervicalSpine")
spine.instantiate()
spine.enterInitializationMode()
spine.exitInitializationMode()
for k in range(300):
    time, step = k * 1e-3, 1e-3
    pulse = 83.385 * max(0, 1 - abs((time + step / 2) / 0.0525 - 1))  # m/s2: triangle of 8.5 g, 105 ms
    spine.setFloat64([vr["sled_acceleration_x"]], [pulse])
    spine.doStep(time, step)
    angle, force, nic = spine.getFloat64([vr["head_angle"], vr["C4C5_ALL_force"], vr["NIC_max"]])
    if k % 20 == 19:
        print(f"{1e3 * (time + step):3.0f} ms  head {angle:7.4f} rad  C4-C5 ligament {force:6.2f} N  NIC {nic:5.2f} m2/s2")
spine.terminate()
spine.freeInstance()
