"""The pictures of both humans: they are made, and the outlines are those of the bodies."""

import re

import numpy as np
import pytest
from example import load

MODELS = ["Human12"]


@pytest.fixture(scope="module")
def person():
    return load("person")


def test_a_scene_of_each_human_is_drawn(person, fmu_path, tmp_path, monkeypatch):
    monkeypatch.setattr(person, "SCENES", person.SCENES[1::2])
    person.main(fmu_path.parent, tmp_path)
    assert [scene.model for scene in person.SCENES] == ["Human17", "Human12"]
    for scene in person.SCENES:
        assert (tmp_path / scene.file).stat().st_size > 20000


def test_every_body_has_an_outline(person, description):
    bodies = {m[1] for v in description.modelVariables if (m := re.match(r"(.*)_orientation_w$", v.name))}
    assert set(person.limbs()) == bodies
    assert len(person.ellipsoids()) == 17


def test_outline_of_an_ellipsoid_is_its_shadow(person):
    angle, semi = 0.7, np.array([0.3, 0.2, 0.1])
    turn = person.rotation(np.cos(angle / 2), 0, np.sin(angle / 2), 0)
    x, z = person.outline([(np.array([0.05, 0, -0.02]), semi)], np.array([1.0, 2.0, 3.0]), turn)
    local = turn.T @ (np.array([x, np.full_like(x, 2.0), z]) - np.array([[1.0], [2.0], [3.0]])) - np.array([[0.05], [0], [-0.02]])
    # a rotation about the line of sight: the shadow is the section through the middle
    assert np.sum((local / semi[:, None]) ** 2, axis=0) == pytest.approx(1)


def test_outline_of_a_limb_tapers_from_ball_to_ball(person):
    balls = [(np.zeros(3), np.full(3, 0.2)), (np.array([0.0, 0, -1]), np.full(3, 0.1))]
    x, z = person.outline(balls, np.zeros(3), np.eye(3))
    assert z.max() == pytest.approx(0.2, abs=1e-3) and z.min() == pytest.approx(-1.1, abs=1e-3)
    distance = np.minimum(abs(np.hypot(x, z) - 0.2), abs(np.hypot(x, z + 1) - 0.1))
    assert distance.max() < 1e-12  # on one of the circles, the lines between them are straight


def test_the_tackled_athlete_lies_on_the_ground_at_the_end(person, fmu_path):
    scene = next(s for s in person.SCENES if s.file == "tackle.png")
    first, *_, last = person.simulate(fmu_path, scene)
    for state, low, high in ((first, 1.7, 1.8), (last, 0.2, 0.4)):
        tops = [person.outline(piece, *person.place(state, body))[1].max()
                for body, pieces in scene.pieces.items() for piece in pieces]  # fmt: skip
        assert low < max(tops) < high
