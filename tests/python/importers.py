"""The same whiplash through several importers, each in a process of its own.

    python importers.py NAME FMU    runs one and prints its results as JSON on the last line

Pulse as input: the 8.5 g triangle set before each step of 1 ms, which every importer can do.
Pulse built in: the parameter pulse_shape, an enumeration, set to triangle.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

STEP, COUNT = 1e-3, 300
STOP = STEP * COUNT
PEAK, DURATION = 83.385, 0.105  # m/s2, s
OUTPUTS = ["head_angle", "head_position_x", "sled_velocity_x", "C4C5_angle", "HIC15", "NIC_max"]
TRIANGLE = 2


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
            command = [Path(sys.executable).parent / "fmucontainer", "-fmi", fmi_version, "-container", "plan.json"]
            subprocess.run(command, cwd=directory, check=True, capture_output=True)
            return fmpy_run(f"{directory}/container.fmu", **options)

    return {
        "input": run_container([], input=pulse_table()),
        "built in": run_container([[name, "pulse_shape", str(TRIANGLE)]]),
    }


def fmi_sim(fmu):
    with tempfile.TemporaryDirectory() as directory:
        rows = [f"{k * STEP!r},{triangle(k * STEP)!r}" for k in range(COUNT + 1)]
        Path(directory, "pulse.csv").write_text("\n".join(["time,sled_acceleration_x", *rows]) + "\n")
        general = ["--model", fmu, "--output-file"]
        interval = ["co-simulation", "--stop-time", str(STOP), "--output-interval", str(STEP)]
        results = {}
        for kind, special in {"input": ["-c", "pulse.csv"], "built in": ["-v", f"pulse_shape={TRIANGLE}"]}.items():
            command = ["fmi-sim", *general, "result.csv", *interval, *special]
            subprocess.run(command, cwd=directory, check=True, capture_output=True)
            head, *_, last = Path(directory, "result.csv").read_text().splitlines()
            values = dict(zip(head.split(","), last.split(",")))
            results[kind] = [float(values[name]) for name in OUTPUTS]
        return results


IMPORTERS = {
    "FMPy": (fmpy, "FMPy"),
    "Ecos": (ecos, "ecospy"),
    "FMU container, FMI 3": (lambda fmu: fmu_container(fmu, "3"), "fmu-manipulation-toolbox"),
    "FMU container, FMI 2": (lambda fmu: fmu_container(fmu, "2"), "fmu-manipulation-toolbox"),
    "fmi-sim": (fmi_sim, None),
}


def version_of(name):
    """None if the importer is not installed."""
    package = IMPORTERS[name][1]
    if package:
        return version(package)
    command = shutil.which(name)
    return command and subprocess.run([command, "--version"], capture_output=True, text=True).stdout.split()[-1]


def run(name, fmu):
    """Runs the importer in a new process; returns its results, or raises with what it said."""
    finished = subprocess.run([sys.executable, __file__, name, str(fmu)], capture_output=True, text=True, timeout=60)
    if finished.returncode:
        raise RuntimeError(f"{name} ended with {finished.returncode}:\n{finished.stdout}{finished.stderr}")
    return json.loads(finished.stdout.splitlines()[-1])


if __name__ == "__main__":
    results = IMPORTERS[sys.argv[1]][0](sys.argv[2])
    print("\n" + json.dumps(results), flush=True)
