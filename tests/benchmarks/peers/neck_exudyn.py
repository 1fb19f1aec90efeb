"""The whiplash in exudyn: a kinematic tree (minimal coordinates), all laws and the pulse in one user function in Python,
called once an evaluation."""

import sys

import exudyn as exu
import numpy as np
from exudyn.itemInterface import NodeGenericODE2, ObjectKinematicTree

from neck_case import NeckCase, measure


def build(case):
    container = exu.SystemContainer()
    system = container.AddSystem()
    n = len(case.mass)
    node = system.AddNode(NodeGenericODE2(referenceCoordinates=[0] * n, initialCoordinates=list(case.start),
                                          initialCoordinates_t=[0] * n, numberOfODE2Coordinates=n))

    def moments(mbs, t, item, q, q_t):
        angle, rate = np.array(q), np.array(q_t)
        return (case.spring_moments(angle) + case.ligament_moments(angle, rate) + case.pulse_moments(t, angle) -
                case.joint_damping * rate)

    offsets = np.vstack([[0, 0], case.pivot[:-1]])
    system.AddObject(ObjectKinematicTree(
        nodeNumber=node, jointTypes=[exu.JointType.RevoluteY] * n, linkParents=list(np.arange(n) - 1),
        jointTransformations=exu.Matrix3DList([np.eye(3)] * n),
        jointOffsets=exu.Vector3DList([[x, 0, z] for x, z in offsets]),
        linkInertiasCOM=exu.Matrix3DList([i * np.eye(3) for i in case.inertia]),
        linkCOMs=exu.Vector3DList([[x, 0, z] for x, z in case.centre]), linkMasses=list(case.mass),
        baseOffset=[0, 0, 0], gravity=[0, 0, -case.gravity], forceUserFunction=moments))
    system.Assemble()
    return container, system


def main():
    case, rounds = NeckCase(sys.argv[1]), int(sys.argv[2])
    container, system = build(case)

    def run(method, step, note=None):
        settings = exu.SimulationSettings()
        settings.timeIntegration.endTime = case.end
        settings.timeIntegration.numberOfSteps = round(case.end / step)
        settings.timeIntegration.automaticStepSize = False
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.timeIntegration.newton.relativeTolerance = 1e-10
        settings.timeIntegration.newton.absoluteTolerance = 1e-10
        settings.solution.file.write = False
        settings.show.computationTime = settings.show.statistics = False
        system.SetPostStepUserFunction(note if note else 0)
        system.SolveDynamic(settings, solverType=method)
        return round(case.end / step)

    def error(method, step):
        times, angles, rates = [0.0], [sum(case.start)], [0.0]

        def note(mbs, t):
            times.append(t)
            angles.append(sum(mbs.systemData.GetODE2Coordinates()))
            rates.append(sum(mbs.systemData.GetODE2Coordinates_t()))
            return True

        run(method, step, note)
        return case.error(times, angles, rates)

    solver = exu.DynamicSolverType
    for name, method, steps in (("RK44", solver.RK44, (0.15e-3, 0.1e-3)),
                                ("generalised alpha", solver.GeneralizedAlpha, (1.5e-3, 0.5e-3, 0.1e-3)),
                                ("trapezoidal", solver.TrapezoidalIndex2, (1.5e-3, 0.5e-3, 0.1e-3))):
        for step in steps:
            measure(f"exudyn {name}", f"{1e3 * step:g} ms", rounds, lambda: run(method, step), lambda: error(method, step))


main()
