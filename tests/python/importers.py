"""The same whiplash through several importers, each in a process of its own.

    python importers.py NAME FMU    runs one and prints its results as JSON on the last line

Pulse as input: the 8.5 g triangle set before each step of 1 ms, which every importer can do.
Pulse built in: the parameter pulse_shape, an enumeration, set to triangle.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = Path(sys.executable).parent  # commands that scripts/setup puts beside Python
FMI_SIM = INSTALLED / "fmi-sim"
FMI_LIBRARY = Path(os.environ.get("SPONDYL_BUILD", ROOT / "build" / "release")) / "examples" / "fmilib" / "fmilib_whiplash"

STEP, COUNT = 1e-3, 300
STOP = STEP * COUNT
PEAK, DURATION = 83.385, 0.105  # m/s2, s
OUTPUTS = ["head_angle", "head_position_x", "sled_velocity_x", "C4C5_angle", "HIC15", "NIC_max"]
TRIANGLE = 2
TOLERANCE = 1e-6  # relative: that of the solver; the same steps should agree far better


def triangle(time):
    return PEAK * max(0.0, 1 - abs(2 * time / DURATION - 1))


# -- what each importer does; all return {kind of pulse: [outputs at the end]}


def fmpy_run(fmu, input=None, start_values={}):
    from fmpy import simulate_fmu

    result = simulate_fmu(
        fmu,
        validate=False,
        stop_time=STOP,
        step_size=STEP,
        output_interval=STEP,
        input=input,
        start_values=start_values,
        output=OUTPUTS,
    )
    return [float(result[name][-1]) for name in OUTPUTS]


def pulse_table():
    import numpy as np

    rows = [(k * STEP, triangle(k * STEP)) for k in range(COUNT + 1)]
    return np.array(rows, dtype=[("time", float), ("sled_acceleration_x", float)])


def fmpy(fmu):
    return {
        "input": fmpy_run(fmu, input=pulse_table()),
        "built in": fmpy_run(fmu, start_values={"pulse_shape": TRIANGLE}),
    }


def ecos(fmu):
    from ecospy import EcosSimulation, EcosSimulationStructure

    with EcosSimulationStructure() as structure:
        structure.add_model("spine", fmu)
        with EcosSimulation(structure=structure, step_size=STEP) as simulation:
            simulation.init()
            for k in range(COUNT):
                simulation.set_real("spine::sled_acceleration_x", triangle(k * STEP))
                simulation.step()
            return {"input": [simulation.get_real(f"spine::{name}") for name in OUTPUTS]}


def fmu_container(fmu, fmi_version):
    """The container is an FMU itself; FMPy runs it."""
    name = Path(fmu).name

    def run_container(start, **options):
        plan = {"name": "container.fmu", "fmu": [name], "step_size": STEP, "auto_link": False, "start": start}
        with tempfile.TemporaryDirectory() as directory:
            shutil.copy(fmu, directory)
            Path(directory, "plan.json").write_text(json.dumps(plan))
            command = [INSTALLED / "fmucontainer", "-fmi", fmi_version, "-container", "plan.json"]
            subprocess.run(command, cwd=directory, check=True, capture_output=True)
            return fmpy_run(f"{directory}/container.fmu", **options)

    return {
        "input": run_container([], input=pulse_table()),
        "built in": run_container([[name, "pulse_shape", str(TRIANGLE)]]),
    }


def fmi_sim(fmu):
    """A row of input for each communication point, so that its interpolation between rows plays no part."""
    with tempfile.TemporaryDirectory() as directory:
        table = pulse_table()
        Path(directory, "pulse.csv").write_text("time,sled_acceleration_x\n" + "".join(f"{t!r},{a!r}\n" for t, a in table.tolist()))
        command = [FMI_SIM, "--model", fmu, "--input-file", "pulse.csv", "--output-file", "result.csv"]
        command += ["co-simulation", "-f", str(STOP), "--output-interval", str(STEP)]
        subprocess.run(command, cwd=directory, check=True, capture_output=True)
        with open(Path(directory, "result.csv"), newline="") as file:
            *_, last = csv.DictReader(file)
        assert abs(float(last["time"]) - STOP) < 1e-9
        return {"input": [float(last[name]) for name in OUTPUTS]}


def fmi_library(fmu):
    """The program in examples/fmilib."""

    def run_program(*arguments):
        finished = subprocess.run([FMI_LIBRARY, fmu, *arguments], check=True, capture_output=True, text=True)
        values = dict(line.split() for line in finished.stdout.splitlines())
        return [float(values[name]) for name in OUTPUTS]

    return {"input": run_program("input"), "built in": run_program()}


IMPORTERS = {
    "FMPy": fmpy,
    "fmi-sim": fmi_sim,
    "Ecos": ecos,
    "FMU container, FMI 3": lambda fmu: fmu_container(fmu, "3"),
    "FMU container, FMI 2": lambda fmu: fmu_container(fmu, "2"),
    "FMI Library": fmi_library,
}
PACKAGES = {"FMPy": "FMPy", "Ecos": "ecospy"} | dict.fromkeys(["FMU container, FMI 3", "FMU container, FMI 2"], "fmu-manipulation-toolbox")


def version_of(name):
    """None if the importer is not installed."""
    if name == "fmi-sim":
        # it tells its version as if that were an error
        said = FMI_SIM.is_file() and subprocess.run([FMI_SIM, "--version"], capture_output=True, text=True)
        return said and (said.stdout + said.stderr).split("fmi-sim ")[1].split()[0] or None
    if name == "FMI Library":
        return "3" if FMI_LIBRARY.is_file() else None
    return version(PACKAGES[name])


def largest_difference(values, right):
    return max(abs(value / other - 1) for value, other in zip(values, right))


def run(name, fmu):
    """Runs the importer in a new process; returns its results, or raises with what it said."""
    finished = subprocess.run([sys.executable, __file__, name, str(Path(fmu).resolve())], capture_output=True, text=True, timeout=60)
    if finished.returncode:
        raise RuntimeError(f"{name} ended with {finished.returncode}:\n{finished.stdout}{finished.stderr}")
    return json.loads(finished.stdout.splitlines()[-1])


if __name__ == "__main__":
    results = IMPORTERS[sys.argv[1]](sys.argv[2])
    print("\n" + json.dumps(results), flush=True)
