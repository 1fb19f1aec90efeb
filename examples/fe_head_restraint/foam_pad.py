"""A foam pad in plane strain that a round, smooth, rigid head is pushed into: finite elements of scikit-fem.

Compressible neo-Hookean solid with viscosity, large strains. Contact by a pressure proportional to the penetration.
Time by the generalised-alpha method of Chung and Hulbert (1993) with spectral radius 0: second order, and what is too
fast for the step is damped at once.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from skfem import Basis, BilinearForm, ElementQuad1, ElementVector, FacetBasis, MeshQuad, condense, solve
from skfem.helpers import dot

# dimensions and foam of a head restraint, estimated
THICKNESS, HEIGHT, DEPTH, ROUNDING = 0.08, 0.18, 0.15, 0.016  # m
STIFFNESS, POISSON, RELAXATION, DENSITY = 120e3, 0.1, 3e-3, 60.0  # Pa, 1, s, kg/m3
CONTACT = 250.0  # 1/m: pressure over penetration over stiffness
ALPHA_M, GAMMA, BETA = -1.0, 1.5, 1.0  # of Chung and Hulbert with spectral radius 0; their alpha_f is 0


@dataclass
class State:
    displacement: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray


@dataclass
class Foam:
    stiffness: float = STIFFNESS

    def stress(self, f, rate, rate_slope):
        """First Piola stress P(F, dF/dt) at all points, and dP/dF where dF/dt moves with F by rate_slope."""
        mu = self.stiffness / (2 * (1 + POISSON))
        bulk = self.stiffness * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))  # Lame's first constant
        viscosity = self.stiffness * RELAXATION
        one = np.eye(2)
        jacobian = determinant(f)
        inverse = np.array([[f[1, 1], -f[0, 1]], [-f[1, 0], f[0, 0]]]) / jacobian  # (J, i)
        turned = inverse.swapaxes(0, 1)
        log = np.log(jacobian)
        viscous = np.einsum("iJ...,iK...->JK...", f, rate)
        viscous = viscosity * (viscous + viscous.swapaxes(0, 1)) / 2  # second Piola stress: rate of Green's strain
        p = mu * (f - turned) + bulk * log * turned + np.einsum("iK...,KJ...->iJ...", f, viscous)
        # d(F^-T) = -F^-T dF^T F^-T, d(ln J) = F^-T : dF
        slope = mu * np.einsum("ik,JL->iJkL", one, one)[..., None, None]
        slope = slope + (mu - bulk * log) * np.einsum("Jk...,Li...->iJkL...", inverse, inverse)
        slope = slope + bulk * np.einsum("iJ...,kL...->iJkL...", turned, turned)
        # the viscous stress turns with F; d(F^T dF/dt) = dF^T dF/dt + F^T rate_slope dF, its symmetric part
        slope = slope + np.einsum("ik,LJ...->iJkL...", one, viscous)
        g = rate + rate_slope * f
        slope = slope + viscosity / 2 * np.einsum("iL...,kJ...->iJkL...", f, g)
        slope = slope + viscosity / 2 * np.einsum("iK...,kK...,JL->iJkL...", f, g, one)
        return p, slope


@BilinearForm
def inertia(u, v, w):
    return DENSITY * dot(u, v)


class Integrals:
    """Integrals over a basis of values at its points times shape functions, or times their gradients. Forms of scikit-fem
    do the same pair by pair of shape functions, which for so few elements takes several times as long."""

    def __init__(self, basis, shapes):
        self.shapes = np.array(shapes).reshape(basis.Nbfun, -1, *basis.dx.shape)
        self.weights, self.dofs, self.size = basis.dx, basis.element_dofs, basis.N

    def at_points(self, field):
        """Values or gradients of a field, the first index those of its components."""
        return np.einsum("aieq,ae->ieq", self.shapes, field[self.dofs])

    def vector(self, values):
        parts = np.einsum("aieq,ieq->ae", self.shapes, values.reshape(-1, *self.weights.shape) * self.weights)
        return np.bincount(self.dofs.ravel(), parts.ravel(), self.size)

    def matrix(self, slopes):
        size = self.shapes.shape[1]
        right = np.einsum("ijeq,bjeq->bieq", slopes.reshape(size, size, *self.weights.shape) * self.weights, self.shapes)
        parts = np.einsum("aieq,bieq->abe", self.shapes, right)
        rows, columns = np.broadcast_arrays(self.dofs[:, None], self.dofs[None, :])
        return csr_matrix((parts.ravel(), (rows.ravel(), columns.ravel())), (self.size, self.size))


def determinant(f):
    return f[0, 0] * f[1, 1] - f[0, 1] * f[1, 0]


class FoamPad:
    """Fixed at its back; its front stands at `front` in the middle of its height, `middle`."""

    def __init__(self, front, middle, foam=Foam(), elements=(8, 18)):
        self.foam = foam
        mesh = MeshQuad.init_tensor(np.linspace(-THICKNESS, 0, elements[0] + 1), np.linspace(-1, 1, elements[1] + 1))
        ahead = mesh.facets_satisfying(lambda x: np.isclose(x[0], 0))
        behind = mesh.nodes_satisfying(lambda x: np.isclose(x[0], -THICKNESS))
        depth, side = mesh.p
        self.mesh = MeshQuad(np.array([front + depth - ROUNDING * side**2 * (1 + depth / THICKNESS), middle + HEIGHT / 2 * side]), mesh.t)
        element = ElementVector(ElementQuad1())
        self.basis = Basis(self.mesh, element, intorder=2)
        self.front = FacetBasis(self.mesh, element, facets=ahead, intorder=4)
        self.inside = Integrals(self.basis, [shape.grad for (shape,) in self.basis.basis])
        self.on_front = Integrals(self.front, [np.asarray(shape) for (shape,) in self.front.basis])
        self.at_front = np.array(self.front.global_coordinates())
        self.fixed = self.basis.nodal_dofs[:, behind].ravel()
        self.mass = inertia.assemble(self.basis)
        self.forward = self.mass @ self.basis.project(lambda x: np.array([np.ones_like(x[0]), np.zeros_like(x[0])]))
        still = np.zeros(self.basis.N)
        self.start = State(still, still, still)

    def gradient(self, field):
        return self.inside.at_points(field).reshape(2, 2, *self.basis.dx.shape)

    def deformation(self, displacement):
        """dx/dX."""
        return self.gradient(displacement) + np.eye(2)[..., None, None]

    def contact(self, displacement, centre, radius):
        """Traction on the front and its derivative with respect to the displacement."""
        away = self.at_front + self.on_front.at_points(displacement) - np.asarray(centre)[:, None, None]
        distance = np.sqrt((away**2).sum(axis=0))
        normal = away / distance
        deep = np.maximum(0, radius - distance)
        along = np.einsum("i...,j...->ij...", normal, normal)
        across = np.eye(2)[..., None, None] - along
        law = CONTACT * self.foam.stiffness
        return law * deep * normal, law * (deep / distance * across - (deep > 0) * along)

    def force_on_head(self, displacement, centre, radius):
        traction, _ = self.contact(displacement, centre, radius)
        return -DEPTH * (traction * self.front.dx).sum(axis=(1, 2))

    def advance(self, state, step, centre, radius, base_acceleration, near=None):
        """The state after the step, with the head's centre where it is then, and the force on the head. Newton's method
        begins at the displacement `near`."""
        to_acceleration, to_velocity = 1 / (BETA * step**2), GAMMA / (BETA * step)
        coast = state.displacement + step * state.velocity + step**2 * (0.5 - BETA) * state.acceleration

        def moved(u):
            acceleration = to_acceleration * (u - coast)
            return State(u, state.velocity + step * ((1 - GAMMA) * state.acceleration + GAMMA * acceleration), acceleration)

        to = moved(state.displacement if near is None else near)
        for _ in range(30):
            p, slope = self.foam.stress(self.deformation(to.displacement), self.gradient(to.velocity), to_velocity)
            traction, traction_slope = self.contact(to.displacement, centre, radius)
            inertial = (1 - ALPHA_M) * to.acceleration + ALPHA_M * state.acceleration
            residual = (self.mass @ inertial + base_acceleration * self.forward + self.inside.vector(p)
                        - self.on_front.vector(traction))  # fmt: skip
            matrix = ((1 - ALPHA_M) * to_acceleration * self.mass + self.inside.matrix(slope)
                      - self.on_front.matrix(traction_slope))  # fmt: skip
            change = solve(*condense(matrix, -residual, D=self.fixed))
            while (determinant(self.deformation(to.displacement + change)) <= 0).any():
                change /= 2  # an element would turn inside out
            to = moved(to.displacement + change)
            if np.abs(change).max() < 1e-10:
                return to, self.force_on_head(to.displacement, centre, radius)
        raise RuntimeError("the pad finds no equilibrium in this step")
