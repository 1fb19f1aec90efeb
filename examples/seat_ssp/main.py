"""Head and neck on a car seat with a head restraint: an SSP package of two FMUs, run by tools that read SSP and by hand.

    python examples/seat_ssp/main.py [CervicalSpine.fmu] [output directory]
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import fmpy
import numpy as np
from ecospy import EcosSimulation
from fmpy.fmi3 import FMU3Slave
from fmpy.ssp.ssd import get_connections, read_ssd
from seat_package import build_package

ROOT = Path(__file__).resolve().parents[2]
STOP = 0.2  # s
# what the system shows to the outside, and where it comes from
RESULTS = {"head_angle": "spine.head_angle", "head_contact_force": "spine.plane1_force_x", "NIC_max": "spine.NIC_max",
           "restraint_position": "seat.restraint_position"}  # fmt: skip


class Component:
    def __init__(self, fmu):
        description = fmpy.read_model_description(str(fmu))
        self.variables = {v.name: v for v in description.modelVariables}
        self.unzipped = fmpy.extract(str(fmu))
        self.fmu = FMU3Slave(guid=description.guid, unzipDirectory=self.unzipped,
                             modelIdentifier=description.coSimulation.modelIdentifier)
        self.fmu.instantiate()

    def get(self, name):
        variable = self.variables[name]
        read = self.fmu.getBoolean if variable.type == "Boolean" else self.fmu.getFloat64
        return read([variable.valueReference])[0]

    def set(self, name, value):
        variable = self.variables[name]
        write = self.fmu.setBoolean if variable.type == "Boolean" else self.fmu.setFloat64
        write([variable.valueReference], [value])

    def close(self):
        self.fmu.freeInstance()
        shutil.rmtree(self.unzipped, ignore_errors=True)


def by_hand(package, step):
    """Both FMUs step side by side with the outputs of the step before; one row of results for each communication point."""
    with tempfile.TemporaryDirectory() as directory:
        fmpy.extract(str(package), directory)
        system = read_ssd(str(package)).system
        components = {c.name: Component(Path(directory, c.source)) for c in system.elements}
    connections = [(a, b) for a, b in get_connections(system) if b.parent is not system]

    def transfer():
        values = [components[a.parent.name].get(a.name) for a, _ in connections]
        for (_, b), value in zip(connections, values):
            components[b.parent.name].set(b.name, value)

    def results():
        return [components[name].get(variable) for name, variable in (path.split(".") for path in RESULTS.values())]

    for component in components.values():
        component.fmu.enterInitializationMode()
    transfer()
    for component in components.values():
        component.fmu.exitInitializationMode()
    transfer()
    rows = [results()]
    for k in range(round(STOP / step)):
        for component in components.values():
            component.fmu.doStep(k * step, step)
        transfer()
        rows.append(results())
    for component in components.values():
        component.fmu.terminate()
        component.close()
    return np.array(rows)


def with_ecos(package, step):
    with EcosSimulation(ssp_path=str(package), step_size=step) as simulation:
        simulation.init()
        rows = []
        for k in range(round(STOP / step) + 1):
            if k:
                simulation.step()
            rows.append([simulation.get_real(path.replace(".", "::")) for path in RESULTS.values()])
    return np.array(rows)


def with_fmu_container(package, step, fmi_version=3):
    """Makes one FMU of the package, beside it; FMPy runs that."""
    command = [Path(sys.executable).with_name("fmucontainer"), "-fmi", str(fmi_version), "-container", f"{package.name}:{step}"]
    subprocess.run(command, cwd=package.parent, check=True, capture_output=True)
    run = fmpy.simulate_fmu(str(package.with_suffix(".fmu")), stop_time=STOP, step_size=step, output_interval=step,
                            output=list(RESULTS))  # fmt: skip
    return np.column_stack([run[name] for name in RESULTS])


def main():
    spine = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist/CervicalSpine.fmu"
    if not spine.is_file():
        sys.exit(f"there is no {spine}: scripts/demo builds it")
    out = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "build/seat_ssp"
    package, for_ecos = build_package(out, spine), build_package(out, spine, outside=False)
    print(package)
    print("\nby hand   step in ms  largest contact force in N   NIC_max   head restraint at the end in m")
    for step in (1e-3, 0.5e-3, 0.1e-3):
        _, force, nic, position = by_hand(package, step).T
        print(f"{1e3 * step:20.1f}  {force.max():26.1f}  {nic[-1]:8.3f}  {position[-1]:28.4f}")
    right = by_hand(package, 1e-3)
    print("\nlargest difference from by hand, 1 ms steps, relative to the largest value of each result")
    for name, rows in (("Ecos", with_ecos(for_ecos, 1e-3)), ("FMU container", with_fmu_container(package, 1e-3))):
        differences = np.abs(rows - right).max(axis=0) / np.abs(right).max(axis=0)
        print(f"{name:14}" + "  ".join(f"{result} {difference:.1e}" for result, difference in zip(RESULTS, differences)))


if __name__ == "__main__":
    main()
