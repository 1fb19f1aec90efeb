"""A rear impact with a head restraint outside the FMU: a mass on a spring and a damper, pushed by the head.

Strong coupling repeats each communication step, from a saved FMU state, until both sides agree on the contact
force. Weak coupling makes each step once, with the force of the step before.
"""

import sys
from pathlib import Path

from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave

FMU = Path(__file__).resolve().parents[2] / "dist" / "CervicalSpine.fmu"
MASS, STIFFNESS, DAMPING, REST = 0.05, 5e3, 20.0, -0.10  # kg, N/m, N s/m, m: a light pad
STOP, AGREED = 0.2, 1e-4  # s, N


def restraint_after(state, force, step):
    """Implicit Euler; the head pushes with -force."""
    x, v = state
    v = (MASS * v - step * (force + STIFFNESS * (x - REST))) / (MASS + step * (DAMPING + step * STIFFNESS))
    return x + step * v, v


def simulate(fmu_path, step, strong):
    """Returns the largest force, the iterations of each step, and the largest disagreement on the force."""
    description = read_model_description(str(fmu_path))
    reference = {v.name: v.valueReference for v in description.modelVariables}
    fmu = FMU3Slave(instanceName="neck", guid=description.guid, unzipDirectory=extract(str(fmu_path)),
                    modelIdentifier="CervicalSpine")
    fmu.instantiate()
    fmu.setInt64([reference["pulse_shape"]], [2])  # triangle of 8.5 g and 105 ms
    fmu.setBoolean([reference["plane1_active"]], [True])
    fmu.setFloat64([reference["plane1_x"]], [REST])
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()

    def force_after(time, restraint):
        fmu.setFloat64([reference["plane1_x"], reference["plane1_vx"]], restraint)
        fmu.doStep(time, step, noSetFMUStatePriorToCurrentPoint=not strong)
        return fmu.getFloat64([reference["plane1_force_x"]])[0]

    restraint, force = (REST, 0.0), 0.0
    largest_force = largest_residual = 0.0
    iterations, saved = [], None
    for k in range(round(STOP / step)):
        if strong:
            saved = fmu.getFMUState()
        guess, before = force, None
        iterations.append(0)
        while True:
            moved = restraint_after(restraint, guess, step)
            residual = force_after(k * step, moved) - guess
            iterations[-1] += 1
            if not strong or abs(residual) < AGREED or iterations[-1] == 50:
                break
            slope = (residual - before[1]) / (guess - before[0]) if before and guess != before[0] else -1.0
            before = guess, residual
            guess -= residual / min(slope, -1.0)  # secant method; pushed harder, the pad gives way: slope <= -1
            fmu.setFMUState(saved)
        if strong:
            fmu.freeFMUState(saved)
        restraint, force = moved, guess + residual
        largest_force, largest_residual = max(largest_force, force), max(largest_residual, abs(residual))
    fmu.terminate()
    fmu.freeInstance()
    return largest_force, iterations, largest_residual


def main(fmu_path=FMU):
    print("coupling  step in ms  largest force in N  iterations mean  largest  residual in N")
    for step in (4e-3, 2e-3, 1e-3, 0.5e-3, 0.1e-3):
        for name in ("strong", "weak"):
            force, iterations, residual = simulate(fmu_path, step, name == "strong")
            mean = sum(iterations) / len(iterations)
            print(f"{name:8}  {step * 1e3:10.1f}  {force:18.2f}  {mean:15.2f}  {max(iterations):7d}  {residual:13.2e}")


if __name__ == "__main__":
    main(*sys.argv[1:])
