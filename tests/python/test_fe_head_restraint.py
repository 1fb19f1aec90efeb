"""The finite-element head restraint of examples/fe_head_restraint, and its coupling with the head."""

import numpy as np
import pytest
from example import load

COARSE = (4, 8)  # elements
FOAM, HARD = "foam, 120 kPa", "hard, 2.4 MPa"
UNIT_STRAINS = [np.eye(4)[k].reshape(2, 2, 1, 1) for k in range(4)]


@pytest.fixture(scope="module")
def example():
    return load("fe_head_restraint")


@pytest.fixture(scope="module")
def foam_pad(example):
    import foam_pad

    return foam_pad


@pytest.fixture
def pad(example):
    return example.FoamPad(front=-0.1, middle=0.2, elements=COARSE)


@pytest.fixture
def strain():
    """A lopsided dx/dX and its rate at five points."""
    random = np.random.default_rng(7)
    return np.eye(2)[..., None, None] + 0.2 * random.standard_normal((2, 2, 5, 1)), 5 * random.standard_normal((2, 2, 5, 1))


@pytest.fixture(scope="module")
def run(example, fmu_path):
    """Rows and the energy made, by coupling, step and pad; each is simulated once."""
    done = {}

    def run(coupling, step, foam=FOAM):
        key = coupling, step, foam
        if key not in done:
            how = {"strong": {}, "plain": {"accelerate": False}, "weak": {"strong": False}}[coupling]
            _, rows, _, energy, _ = example.simulate(fmu_path, step, example.PADS[foam], COARSE, **how)
            done[key] = rows, energy
        return done[key]

    return run


def test_elastic_stress_is_the_derivative_of_the_energy(example, foam_pad, strain):
    f, _ = strain
    stiffness = 50e3
    mu = stiffness / (2 * (1 + foam_pad.POISSON))
    bulk = stiffness * foam_pad.POISSON / ((1 + foam_pad.POISSON) * (1 - 2 * foam_pad.POISSON))

    def energy(f):
        log = np.log(np.linalg.det(f.T))
        return mu / 2 * ((f**2).sum(axis=(0, 1)).T - 2 - 2 * log) + bulk / 2 * log**2

    stress, _ = example.Foam(stiffness).stress(f, np.zeros_like(f), 0.0)
    h = 1e-6
    right = [(energy(f + h * d) - energy(f - h * d)) / (2 * h) for d in UNIT_STRAINS]
    assert stress.reshape(4, 5) == pytest.approx(np.reshape(right, (4, 5)), rel=1e-6, abs=1e-3)


def test_the_slope_is_the_derivative_of_the_stress(example, strain):
    f, rate = strain
    foam, rate_slope, h = example.Foam(), 300.0, 1e-6
    _, slope = foam.stress(f, rate, rate_slope)
    for k, d in enumerate(UNIT_STRAINS):
        ahead, behind = (foam.stress(f + s * d, rate + rate_slope * s * d, rate_slope)[0] for s in (h, -h))
        assert slope[:, :, k // 2, k % 2] == pytest.approx((ahead - behind) / (2 * h), abs=1e-8 * np.abs(slope).max())


def test_turning_the_pad_turns_the_stress(example, strain):
    f, rate = strain
    c, s, spin = np.cos(0.7), np.sin(0.7), 40.0
    turn, turning = np.array([[c, -s], [s, c]]), spin * np.array([[-s, -c], [c, -s]])

    def turned(matrix, by):
        return np.einsum("ij,jK...->iK...", by, matrix)

    foam = example.Foam()
    stress, _ = foam.stress(f, rate, 0.0)
    assert foam.stress(turned(f, turn), turned(rate, turn) + turned(f, turning), 0.0)[0] == pytest.approx(turned(stress, turn), abs=1e-6)


def test_viscosity_only_takes_energy(example, strain):
    f, rate = strain
    foam = example.Foam()
    viscous = foam.stress(f, rate, 0.0)[0] - foam.stress(f, 0 * rate, 0.0)[0]
    assert ((viscous * rate).sum(axis=(0, 1)) > 0).all()


def test_the_support_bears_what_pushes_the_pad(foam_pad, pad):
    state = pad.start
    for _ in range(30):
        state, force = pad.advance(state, 0.02, (-0.026, 0.21), 0.095, 0.0)
    f = pad.deformation(state.displacement)
    inner = pad.inside.vector(pad.foam.stress(f, 0 * f, 0.0)[0])
    reaction = foam_pad.DEPTH * np.array([inner[np.intersect1d(pad.fixed, pad.basis.nodal_dofs[k])].sum() for k in range(2)])
    assert force[0] > 300 and force[1] > 5  # the head pushes high, the pad pushes it up
    assert reaction == pytest.approx(force, rel=1e-6)


def test_the_pad_falls_behind_when_its_base_is_accelerated(foam_pad, pad):
    state = pad.start
    for _ in range(40):
        state, force = pad.advance(state, 0.02, (5.0, 0.2), 0.095, 80.0)
    f = pad.deformation(state.displacement)
    inner = pad.inside.vector(pad.foam.stress(f, 0 * f, 0.0)[0])
    forward = np.intersect1d(pad.fixed, pad.basis.nodal_dofs[0])
    area = np.ones(1) @ [pad.basis.dx.sum()]
    # inertia of what is not fixed; the rows of the fixed nodes carry their own share
    assert inner[forward].sum() == pytest.approx(foam_pad.DENSITY * area * 80.0 - 80.0 * pad.forward[forward].sum(), rel=1e-6)
    assert force == pytest.approx([0, 0], abs=0)


def test_the_pad_is_of_second_order_in_time(pad):
    def shape_after(step, time=0.032):
        state = pad.start
        for k in range(round(time / step)):
            push = 4000 * np.sin(np.pi * (k + 1) * step / time) ** 2
            state, _ = pad.advance(state, step, (5.0, 0.2), 0.095, push)
        return state.displacement

    coarse, middle, fine = (shape_after(step) for step in (2e-3, 1e-3, 0.5e-3))
    assert np.linalg.norm(coarse - middle) / np.linalg.norm(middle - fine) == pytest.approx(4, abs=0.8)


def test_the_skull_is_where_the_fmu_has_it(example, fmu_path):
    """The FMU's own contact law with a plane 1 mm inside the back of the skull."""
    head = example.Head(fmu_path)
    (x, _), _ = head.skull()
    head.fmu.setFloat64(head.references("plane1_x"), [x - head.radius + 1e-3])
    head.fmu.setBoolean(head.references("plane1_active"), [True])
    head.fmu.doStep(0, 1e-7)
    assert head.get("plane1_force_x") == pytest.approx(250e3 * 1e-3**1.5, rel=1e-4)  # contact_stiffness of head.csv
    head.close()


def test_strong_coupling_agrees_with_itself_at_other_steps(run):
    force = {step: run("strong", step)[0][:, 4].max() for step in (4e-3, 2e-3)}
    angle = {step: run("strong", step)[0][-1, 3] for step in (4e-3, 2e-3)}
    assert force[4e-3] == pytest.approx(force[2e-3], rel=0.01)
    assert angle[4e-3] == pytest.approx(angle[2e-3], abs=0.005)


def test_strong_coupling_makes_no_energy(run):
    for coupling, step, foam in (("strong", 4e-3, FOAM), ("strong", 2e-3, FOAM), ("strong", 4e-3, HARD)):
        assert abs(run(coupling, step, foam)[1]) < 1e-4


def test_weak_coupling_makes_energy_in_proportion_to_the_step(run):
    coarse, fine = run("weak", 4e-3)[1], run("weak", 2e-3)[1]
    assert fine > 1.5  # J
    assert coarse == pytest.approx(2 * fine, rel=0.3)
    right = run("strong", 2e-3)[0][:, 4].max()
    assert run("weak", 4e-3)[0][:, 4].max() > 1.1 * right
    assert run("weak", 4e-3, HARD)[0][:, 4].max() > 1.3 * run("strong", 4e-3, HARD)[0][:, 4].max()


def test_quasi_newton_needs_fewer_repetitions_for_the_same_motion(run):
    fast, plain = run("strong", 4e-3, HARD)[0], run("plain", 4e-3, HARD)[0]
    assert fast[:, :6] == pytest.approx(plain[:, :6], rel=1e-4, abs=1e-4)
    assert fast[:, 6].sum() < 0.8 * plain[:, 6].sum()
    assert fast[:, 6].max() <= 10


def test_the_picture(example, fmu_path, tmp_path):
    example.draw(fmu_path, tmp_path / "pad.png", step=5e-3, elements=COARSE)
    assert (tmp_path / "pad.png").stat().st_size > 10000
