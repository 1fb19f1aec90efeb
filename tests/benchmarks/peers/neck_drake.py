"""The whiplash in Drake: ligaments and joint dampers are its own elements, the nonlinear joint springs and the pulse a
system in Python (the wheel has no C++ headers), called once an evaluation."""

import sys

import numpy as np
from pydrake.all import (BasicVector, DiagramBuilder, FixedOffsetFrame, LeafSystem, LinearSpringDamper, MultibodyPlant,
                         ResetIntegratorFromFlags, RevoluteJoint, RigidTransform, Simulator, SpatialInertia, UnitInertia)

from neck_case import NeckCase, measure


class Laws(LeafSystem):
    def __init__(self, case):
        LeafSystem.__init__(self)
        n = len(case.mass)
        self.DeclareVectorInputPort("state", BasicVector(2 * n))

        def moments(context, output):
            angle = self.get_input_port().Eval(context)[:n]
            output.SetFromVector(case.spring_moments(angle) + case.pulse_moments(context.get_time(), angle))

        self.DeclareVectorOutputPort("moments", BasicVector(n), moments)


def build(case):
    builder = DiagramBuilder()
    plant = builder.AddSystem(MultibodyPlant(0.0))
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -case.gravity])
    below, origin = plant.world_body(), np.zeros(3)
    for i in range(len(case.mass)):
        centre = np.array([case.centre[i, 0], 0, case.centre[i, 1]])
        gyration = case.inertia[i] / case.mass[i]
        about_centre = UnitInertia(gyration, gyration, gyration)
        body = plant.AddRigidBody(f"body{i}", SpatialInertia(
            case.mass[i], centre, about_centre.ShiftFromCenterOfMass(-centre)))
        pivot = plant.AddFrame(FixedOffsetFrame(f"pivot{i}", below.body_frame(), RigidTransform(origin)))
        plant.AddJoint(RevoluteJoint(f"level{i}", pivot, body.body_frame(), [0, 1, 0],
                                     damping=case.joint_damping[i]))
        for lx, lz, ux, uz, stiffness, damping, rest in case.ligaments[i]:
            plant.AddForceElement(LinearSpringDamper(below, origin + [lx, 0, lz], body, [ux, 0, uz], rest, stiffness,
                                                     damping))
        below, origin = body, np.array([case.pivot[i, 0], 0, case.pivot[i, 1]])
    plant.Finalize()
    laws = builder.AddSystem(Laws(case))
    builder.Connect(plant.get_state_output_port(), laws.get_input_port())
    builder.Connect(laws.get_output_port(), plant.get_applied_generalized_force_input_port())
    return builder.Build(), plant


def main():
    case, rounds = NeckCase(sys.argv[1]), int(sys.argv[2])
    n = len(case.mass)
    diagram, plant = build(case)

    def run(method, accuracy, note=None):
        simulator = Simulator(diagram)
        ResetIntegratorFromFlags(simulator, method, 0.1)
        integrator = simulator.get_mutable_integrator()
        integrator.set_target_accuracy(accuracy)
        integrator.set_fixed_step_mode(False)
        context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
        plant.SetPositions(context, case.start)
        if note:
            simulator.set_monitor(lambda root: note(root.get_time(), plant.GetPositionsAndVelocities(
                plant.GetMyContextFromRoot(root))))
        simulator.Initialize()
        for corner in (case.pulse_duration / 2, case.pulse_duration, case.end):
            simulator.AdvanceTo(corner)
        return integrator.get_num_steps_taken()

    def error(method, accuracy):
        times, angles, rates = [], [], []

        def note(t, x):
            if times and t <= times[-1]:
                return
            times.append(t), angles.append(x[:n].sum()), rates.append(x[n:].sum())

        run(method, accuracy, note)
        return case.error(times, angles, rates)

    for method, accuracies in (("runge_kutta3", (1e-2, 1e-3, 1e-5)), ("radau3", (1e-2, 1e-3, 1e-4, 1e-5))):
        for accuracy in accuracies:
            measure(f"Drake {method}", f"accuracy {accuracy:.0e}", rounds, lambda: run(method, accuracy),
                    lambda: error(method, accuracy))


main()
