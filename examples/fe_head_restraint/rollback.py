"""Couples the head of the CervicalSpine FMU with a model that answers motion with force, step by step.

Strong: from a saved FMU state each step is repeated until the force that the FMU used is the force that the other side
answers with. Weak: each step is made once, with the force of the step before.
"""

import csv
import shutil
from pathlib import Path

import numpy as np
from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave

TRIANGLE = 2  # item of the enumeration pulse_shape
AGREED = 1e-3  # N; for the moment times the skull's radius


def table_row(path, body):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    (row,) = (row for row in csv.DictReader(lines, skipinitialspace=True) if row["body"] == body)
    return row


class Head:
    """The FMU, with a round skull that a force can be put on."""

    def __init__(self, fmu_path):
        description = read_model_description(str(fmu_path))
        self.variables = {v.name: v for v in description.modelVariables}
        self.unzipped = extract(str(fmu_path))
        outline, body = (table_row(Path(self.unzipped, "resources", table), "head") for table in ("head.csv", "bodies.csv"))
        self.radius = 1e-3 * float(outline["skull_radius [mm]"])
        # from the centre of mass to the middle of the skull, in axes of the head
        self.arm = 1e-3 * np.array([float(outline[f"skull_{k} [mm]"]) - float(body[f"centre_{k} [mm]"]) for k in "xz"])
        self.fmu = FMU3Slave(guid=description.guid, unzipDirectory=self.unzipped, modelIdentifier="CervicalSpine")
        self.fmu.instantiate()
        self.fmu.setInt64(self.references("pulse_shape"), [TRIANGLE])
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        self.load = self.references("head_force_x", "head_force_z", "head_moment_y")

    def references(self, *names):
        return [self.variables[name].valueReference for name in names]

    def get(self, *names):
        return np.array(self.fmu.getFloat64(self.references(*names)))

    def pulse(self, time):
        """The sled's acceleration that the FMU makes itself: its start values."""
        peak, duration = (float(self.variables[f"pulse_{name}"].start) for name in ("peak", "duration"))
        return peak * max(0.0, 1 - abs(2 * time / duration - 1))

    def skull(self):
        """Middle of the skull and its place against the centre of mass."""
        *at, tilt = self.get("head_position_x", "head_position_z", "head_angle")
        arm = np.array([[np.cos(tilt), np.sin(tilt)], [-np.sin(tilt), np.cos(tilt)]]) @ self.arm
        return at + arm, arm

    def advance(self, time, step, load):
        """Forward, upward force and moment about the centre of mass, held during the step."""
        self.fmu.setFloat64(self.load, list(load))
        self.fmu.doStep(time, step, noSetFMUStatePriorToCurrentPoint=False)

    def close(self):
        self.fmu.terminate()
        self.fmu.freeInstance()
        shutil.rmtree(self.unzipped, ignore_errors=True)


def next_guess(guesses, answers):
    """Quasi-Newton by least squares over what this step has shown so far (interface QN-ILS of Degroote et al. 2009); the
    first time the answer itself."""
    residuals = np.array(answers) - np.array(guesses)
    if len(guesses) == 1:
        return answers[-1]
    across = (residuals[:-1] - residuals[-1]).T
    weights = np.linalg.lstsq(across, -residuals[-1], rcond=1e-8)[0]
    return answers[-1] + (np.array(answers[:-1]) - answers[-1]).T @ weights


def couple(head, pad, step, stop, strong=True, accelerate=True, keep=()):
    """Rows of time, skull x, z, head angle, force x, z and repetitions; pad and skull at the times in `keep`; and the work
    done on the head less that done on the pad."""
    scale = np.array([1, 1, 1 / head.radius])
    state, load = pad.start, np.zeros(3)
    before = load
    skull, _ = head.skull()
    rows, kept, made = [], {}, 0.0
    for k in range(round(stop / step)):
        time = k * step
        saved = head.fmu.getFMUState() if strong else None
        guesses, answers = [], []
        guess = 2 * load - before if strong else load
        while True:
            head.advance(time, step, (load + guess) / 2)
            centre, arm = head.skull()
            near = moved.displacement if guesses else None
            moved, force = pad.advance(state, step, centre, head.radius, head.pulse(time + step), near)
            answer = np.array([*force, arm[1] * force[0] - arm[0] * force[1]])  # its moment about +y
            guesses.append(guess * scale)
            answers.append(answer * scale)
            if not strong or np.abs(answers[-1] - guesses[-1]).max() < AGREED:
                break
            if len(guesses) == 50:
                raise RuntimeError(f"no agreement at {1e3 * time:.1f} ms")
            guess = (next_guess(guesses, answers) if accelerate else answers[-1]) / scale
            head.fmu.setFMUState(saved)
        if strong:
            head.fmu.freeFMUState(saved)
        made += ((load + guess) / 2 - (load + answer) / 2)[:2] @ (centre - skull)
        before, load, state, skull = load, answer, moved, centre
        rows.append((time + step, *centre, *head.get("head_angle"), *force, len(guesses)))
        for t in keep:
            if abs(time + step - t) < step / 2:
                kept[t] = (state, centre)
    return np.array(rows), kept, made
