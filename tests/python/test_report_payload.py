"""What the report's page is given: complete, and drawn where the FMU says that things are."""

import base64
import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from spondyl import cases, models, report, run, scenario
from spondyl.errors import UserError
from spondyl.report import payload as payloads
from spondyl.report.criteria import CRITERIA, G
from spondyl.report.scenes import channels_of, scene_of
from spondyl.report.subject import Subject
from spondyl.scenario import Scenario

MAIN = {
    "CervicalSpine": "whiplash-8.5g",
    "LumbarSpine": "release-flexion-10Nm",
    "CervicalSegment": "extension",
    "Human17": "seated-pulse",
    "Human12": "tackle",
}
MODELS = list(MAIN)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A function that runs a case, with other settings if asked to; the same one only once."""
    known = {}

    def make(model, case=None, until=None, outputs=("*",), **settings):
        key = (model, case, until, outputs, *sorted(settings.items()))
        if key not in known:
            found = models.find(model)
            base = cases.find(model, case).scenario if case else Scenario(model, found.until, 1e-3)
            asked = replace(base, until=until or base.until, outputs=outputs, settings=base.settings | settings)
            known[key] = run.run(scenario.checked(asked, found), found, tmp_path_factory.mktemp(case or "run"))
        return known[key]

    return make


# -- the contract of python/report/README.md, read once more


def samples(text, kind):
    return np.frombuffer(base64.b64decode(text), kind)


def pose(subject, body):
    """Position (times x 3) and rotation (times x 3 x 3) of a body of the scene."""
    count = len(subject.run.time)

    def over_time(quantity):
        return subject.channel(quantity) if isinstance(quantity, str) else np.full(count, float(quantity))

    position = np.column_stack([over_time(q) for q in body["position"]])
    if "orientation" in body:
        w, *v = (over_time(q) for q in body["orientation"])
        v = np.column_stack(v)
    else:
        half = (over_time(body["angle"]) - body["angle_zero"]) / 2
        w, v = np.cos(half), np.column_stack([0 * half, np.sin(half), 0 * half])
    turned = [e + 2 * np.cross(v, np.cross(v, e) + w[:, None] * e) for e in np.eye(3)]
    return position, np.stack(turned, axis=-1)


class Drawn:
    """Where points of the scene are over the run."""

    def __init__(self, done):
        self.subject = Subject.of(done)
        self.scene = scene_of(self.subject)
        self.poses = {body["name"]: pose(self.subject, body) for body in self.scene["bodies"]}

    def at(self, body, point):
        if body is None:
            return np.array(point, float)
        position, rotation = self.poses[body]
        return position + rotation @ np.array(point, float)

    def lengths(self):
        """Label and length of every link over time."""
        for link in self.scene["links"]:
            start, end = (self.at(link[side]["body"], link[side]["point"]) for side in ("from", "to"))
            yield link["label"], np.linalg.norm(end - start, axis=1)

    def height(self, body, shape):
        """Of the lowest point of an ellipsoid."""
        _, rotation = self.poses[body]
        below = np.linalg.norm(rotation[:, 2, :] * np.array(shape["semi_axes"]), axis=1)
        return self.at(body, shape["centre"])[:, 2] - below


def test_payload_is_complete(model, done):
    data = payloads.payload([done(model, MAIN[model])])
    (one,) = json.loads(payloads.embedded(data))["runs"]
    assert model in data["title"] and MAIN[model] in data["title"]
    assert one["status"] == "complete" and one["case"]["text"]
    time = samples(one["time"], "<f8")
    assert time[0] == 0 and time[-1] == one["reached"]
    channels = {channel["name"]: samples(channel["values"], "<f4") for channel in one["channels"]}
    assert all(len(values) == len(time) and np.isfinite(values).all() for values in channels.values())
    parts = [part for kind in ("bodies", "links", "marks", "planes") for part in one["scene"][kind]]
    named = {name for part in parts for name in channels_of(part)}
    plotted = {name for group in one["plots"] for name in group["channels"]}
    assert named and plotted
    assert named | plotted <= set(channels)
    bodies = {body["name"] for body in one["scene"]["bodies"]}
    assert all(part[end]["body"] in bodies | {None} for part in one["scene"]["links"] for end in ("from", "to"))
    assert all(mark["body"] in bodies for mark in one["scene"]["marks"])
    for row in one["criteria"]:
        assert row["meaning"] and row["source"]
        assert row["share"] is None or row["share"] == pytest.approx(max(0, row["value"] / row["limit"]))
    assert dict(one["provenance"])["FMU, SHA-256"] == models.find(model).sha256


def test_every_output_that_is_a_criterion_is_listed(model, done):
    listed = {row["name"] for row in payloads.payload([done(model, MAIN[model])])["runs"][0]["criteria"]}
    assert set(models.find(model).criteria()) - {"NIC"} <= listed  # NIC is the course of what NIC_max is the maximum of


def test_limits_are_those_that_the_fmu_names(model):
    named = 0
    for name in models.find(model).criteria():
        limit = re.search(r"limit ([0-9.]+)( g)?", models.find(model).variables[name].description)
        if limit and CRITERIA[name].limit is not None:
            assert CRITERIA[name].limit == float(limit[1])
            named += 1
    assert named or model in ("LumbarSpine", "CervicalSegment")


# -- geometry against the FMU


ELONGATIONS = [
    ("CervicalSpine", {"case": "whiplash-8.5g"}),
    ("LumbarSpine", {"case": "release-flexion-10Nm"}),
    ("LumbarSpine", {"case": "published-posture"}),
    ("LumbarSpine", {"until": 0.05, "trunk_mass": 30.0, "trunk_position_z": 0.3, "start_in_equilibrium": False}),
    ("CervicalSegment", {"until": 0.05, "C5_moment_x": 1.8, "C5_moment_z": 1.1, "C5_force_y": 9.0,
                         "start_in_equilibrium": False}),
]


@pytest.mark.parametrize("name, options", ELONGATIONS)
def test_ligaments_are_drawn_as_long_as_the_fmu_says(done, name, options):
    drawn = Drawn(done(name, **options))
    moved = 0
    for label, length in drawn.lengths():
        elongation = drawn.subject.channel(label.replace(" ", "_") + "_elongation")
        # the first sample need not be the posture of the data
        assert np.abs(length - length[0] - (elongation - elongation[0])).max() < 1e-9, label
        moved = max(moved, np.ptp(elongation))
    assert len(drawn.scene["links"]) == {"CervicalSpine": 16, "LumbarSpine": 30, "CervicalSegment": 6}[name]
    assert moved > 1e-4


def test_ligaments_of_the_lumbar_spine_have_the_rest_lengths_of_the_data(done):
    # at the start of this case nothing has moved, so that the drawn length is that of the posture of the data
    from spondyl.report.scenes import lumbar_spine

    drawn = Drawn(done("LumbarSpine", "release-flexion-10Nm"))
    for label, length in drawn.lengths():
        in_posture, rest = lumbar_spine.lengths(drawn.subject.tables, label.replace(" ", "_"))
        assert in_posture == rest == pytest.approx(length[0], abs=1e-12)


def test_facets_of_the_segment_face_each_other(done):
    drawn = Drawn(done("CervicalSegment", until=0.01))  # nothing moves: the posture of the data, where facets just touch
    balls = {}
    for body in drawn.scene["bodies"]:
        thick = sorted((s for s in body["shapes"] if s["kind"] == "capsule"), key=lambda s: s["radius"])[-2:]
        balls[body["name"]] = [(drawn.at(body["name"], shape["to"])[0], shape["radius"]) for shape in thick]
    for (upper, r1), (lower, r2) in zip(balls["C5"], balls["C6"]):
        assert np.linalg.norm(upper - lower) == pytest.approx(r1 + r2, abs=1e-9)
        assert upper[2] > lower[2] and upper[0] < lower[0]  # C5's facet lies behind and above that of C6


def test_pivots_of_the_neck_hold(done):
    drawn = Drawn(done("CervicalSpine", "whiplash-8.5g"))
    table = drawn.subject.tables["bodies"]
    names = list(table.rows)

    def seen_from(body, point):
        centre = table.flat(body, "centre")
        return drawn.at(body, (point[0] - centre[0], 0, point[1] - centre[1]))

    assert np.abs(seen_from(names[0], (0, 0))).max() < 1e-12  # the sled's origin
    for below, above in zip(names, names[1:]):
        gap = seen_from(below, table.flat(below, "next_pivot")) - seen_from(above, (0, 0))
        assert np.abs(gap).max() < 1e-12


JOINTS = {
    "Human12": {"upper_torso": "lower_torso", "neck": "upper_torso", "head": "neck", "upper_arm": "upper_torso",
                "forearm": "upper_arm", "thigh": "lower_torso", "leg": "thigh"},
    "Human17": {"abdomen": "pelvis", "thorax": "abdomen", "neck": "thorax", "head": "neck", "arm": "thorax", "forearm": "arm",
                "hand": "forearm", "thigh": "pelvis", "calf": "thigh", "foot": "calf"},
}  # fmt: skip
SIZES = [("Human12", {}), ("Human17", {}), ("Human17", {"height": 1.6, "mass": 62.0})]


@pytest.mark.parametrize("name, size", SIZES)
def test_joints_of_the_body_hold(done, name, size):
    drawn = Drawn(done(name, "free-flight", until=0.1, **size))
    table = drawn.subject.tables["bodies"]
    longer = size.get("height", 1.8) / 1.8
    for child in list(table.rows)[1:]:
        segment, _, side = child.partition("_") if child.endswith(("left", "right")) else (child, "", "")
        if child.startswith("upper_arm"):
            segment, side = "upper_arm", child.removeprefix("upper_arm_")
        parent = JOINTS[name][segment]
        parent = f"{parent}_{side}" if f"{parent}_{side}" in table.rows else parent
        seen_from_parent = drawn.at(parent, longer * np.array(table.vector(child, "joint_in_parent")))
        seen_from_child = drawn.at(child, longer * np.array(table.vector(child, "joint")))
        assert np.abs(seen_from_parent - seen_from_child).max() < 1e-6, child


@pytest.mark.parametrize("size", [{}, {"height": 1.6, "mass": 62.0}])
def test_ellipsoids_touch_the_ground_when_the_fmu_says_so(done, size):
    drawn = Drawn(done("Human17", "fall", until=0.5, **size))
    touched = 0
    for body in drawn.scene["bodies"]:
        name = body["name"]
        height = drawn.height(name, body["shapes"][0])
        force = np.linalg.norm([drawn.subject.channel(f"{name}_contact_force_{axis}") for axis in "xyz"], axis=0)
        assert not force[height > 1e-9].any(), name
        if (height < 0).any():
            assert force[np.argmax(height < 0)] > 0, name
            touched += 1
    assert touched > 8


def test_spheres_touch_the_ground_when_the_fmu_says_so(done):
    tilt = {"start_rotation_y": 0.4, "start_rotation_x": 0.2}
    drawn = Drawn(done("Human12", until=0.4, plane1_active=True, start_position_z=1.3, **tilt))
    spheres = [
        (body["name"], shape)
        for body in drawn.scene["bodies"]
        for shape in body["shapes"]
        if shape["kind"] == "ellipsoid" and shape["semi_axes"][0] > 0.02  # not the nose
    ]
    lowest = np.min([drawn.height(*sphere) for sphere in spheres], axis=0)
    force = drawn.subject.channel("plane1_force_z")
    assert (lowest > 0.1).any() and (lowest < 0).any()
    assert not force[lowest > 1e-9].any()
    assert force[np.argmax(lowest < 0)] > 0


def test_belts_pull_only_when_longer_than_at_the_start(done):
    drawn = Drawn(done("Human12", "belted-20kmh"))
    lengths = dict(drawn.lengths())
    assert len(lengths) == 4
    for label, length in lengths.items():
        force = drawn.subject.channel(label.replace(" ", "_") + "_force")
        # a damped belt lets go before it is back at its length
        assert not force[length < length[0]].any()
        assert force[np.argmax(length)] > 100


def test_faces_look_forward(done):
    head = next(b for b in Drawn(done("CervicalSpine", "whiplash-8.5g")).scene["bodies"] if b["name"] == "head")
    x, z = np.array(head["shapes"][0]["points"]).T
    assert z[np.argmax(x)] < z.max() / 2 and x.max() > -x.min()  # the nose
    for name in MODELS[3:]:
        nose = next(b for b in Drawn(done(name, MAIN[name])).scene["bodies"] if b["name"] == "head")["shapes"][-1]
        assert nose["centre"][0] > 0.08


# -- what papers state


def test_statements_of_the_papers_are_set_beside_the_run(done):
    rows = {row["what"]: row for row in payloads.payload([done("CervicalSpine", "whiplash-8.5g")])["runs"][0]["published"]}
    assert 50 <= float(rows["Change from S to C shape"]["here"].split()[0]) <= 75
    assert rows["Largest force of the ALL at C4-C5"]["paper"] == "about 45 N"
    assert not payloads.payload([done("CervicalSpine", "whiplash-5g")])["runs"][0]["published"]
    rows = {row["what"]: row for row in payloads.payload([done("Human12", "tackle")])["runs"][0]["published"]}
    subject = Subject.of(done("Human12", "tackle"))
    head = subject.channel("head_position_z") - 0.095  # Table 3
    assert float(rows["Head on the ground"]["here"].split()[0]) == pytest.approx(subject.run.time[np.argmax(head <= 0)])
    rows = payloads.payload([done("LumbarSpine", "extension-7.5Nm")])["runs"][0]["published"]
    assert len(rows) == 5 and rows[0]["what"] == "L1-L2, extension under 7.5 N m" and rows[0]["here"] == "3.5 deg"
    rows = payloads.payload([done("CervicalSegment", "posterior-shear")])["runs"][0]["published"]
    assert rows[0]["here"] == "-0.296 mm" and "0.387" in rows[0]["paper"]


# -- runs of every kind


def test_an_interrupted_run_says_why_and_how_far(model, done):
    whole = done(model, MAIN[model])
    count = 3
    cut = {name: replace(channel, values=channel.values[:count]) for name, channel in whole.channels.items()}
    time = whole.time[:count]
    part = replace(whole, time=time, channels=cut, status="interrupted", reached=time[-1], message="it broke")
    (one,) = payloads.payload([part])["runs"]
    assert one["status"] == "it broke" and one["reached"] == whole.time[count - 1]
    assert len(samples(one["time"], "<f8")) == count


def test_two_runs_have_names_of_their_own(done):
    data = payloads.payload([done("CervicalSpine", "whiplash-8.5g"), done("CervicalSpine", "whiplash-5g")])
    assert data["title"] == "CervicalSpine: whiplash-8.5g and whiplash-5g"
    twins = payloads.payload([done("CervicalSpine", "whiplash-5g"), done("CervicalSpine", "whiplash-5g", gravity=3.0)])
    assert len({one["label"] for one in twins["runs"]}) == 2


def test_a_case_that_was_changed_says_so(done):
    runs = done("CervicalSpine", "whiplash-5g"), done("CervicalSpine", "whiplash-5g", gravity=3.0)
    plain, changed = payloads.payload(list(runs))["runs"]
    assert "hanged" not in plain["case"]["title"] + plain["case"]["text"]
    assert changed["case"]["title"] == plain["case"]["title"] + ", changed"
    assert changed["case"]["text"].endswith("Changed in this run: gravity = 0.30581 g.")


def test_a_run_of_another_fmu_is_one_message(done):
    whole = done("CervicalSpine", "whiplash-5g")
    with pytest.raises(UserError, match="another FMU .* has no C7_position_x"):
        Subject.of(replace(whole, scenario=replace(whole.scenario, model="Human12")))


def test_the_criterion_for_rear_impacts_says_so_in_others(done):
    rows = {row["name"]: row for row in payloads.payload([done("Human12", "belted-20kmh")])["runs"][0]["criteria"]}
    assert rows["NIC_max"]["only"] == "rear impacts" and "In other impacts" in rows["NIC_max"]["meaning"]
    assert rows["HIC15"]["only"] == ""


def test_what_was_not_recorded_is_not_drawn(done):
    (one,) = payloads.payload([done("CervicalSpine", "whiplash-8.5g", outputs=("head_*", "C0C1_*"))])["runs"]
    assert {body["name"] for body in one["scene"]["bodies"]} == {"T1", "head"}
    assert not one["scene"]["links"] and one["criteria"] and one["plots"] and not one["published"]
    (one,) = payloads.payload([done("CervicalSpine", "whiplash-8.5g", outputs=("HIC15",))])["runs"]
    assert one["scene"] is None


def test_a_model_of_others_has_a_report_without_drawing(done, monkeypatch):
    model = replace(models.find("CervicalSpine"), name="Other")
    monkeypatch.setattr(models, "find", lambda _: model)
    (one,) = payloads.payload([done("CervicalSpine", "whiplash-8.5g")])["runs"]
    assert one["scene"] is None and one["criteria"] and one["case"] is None and len(one["channels"]) > 100


def test_another_fmu_than_that_of_the_run_is_told(done):
    whole = done("CervicalSpine", "whiplash-8.5g")
    older = replace(whole, scenario=replace(whole.scenario, provenance={"fmu_sha256": "0123" * 16}))
    rows = dict(payloads.payload([older])["runs"][0]["provenance"])
    assert rows["FMU, SHA-256"] == "0123" * 16 and "0123" in rows["changed since the run"]
    assert "changed since the run" not in dict(payloads.payload([whole])["runs"][0]["provenance"])


def test_an_input_over_time_is_plotted_and_moves_its_plane(done, tmp_path):
    table = {"time": [0, 0.1], "plane1_x": [-0.3, -0.2], "plane1_active": [True, True]}
    model = models.find("CervicalSpine")
    asked = scenario.checked(Scenario("CervicalSpine", 0.1, 1e-2, input=table), model)
    (one,) = payloads.payload([run.run(asked, model, tmp_path / "moved")])["runs"]
    (plane,) = one["scene"]["planes"]
    assert plane["point"] == ["plane1_x", 0, 0] and plane["normal"] == [1, 0, 0]
    assert "plane1_x" in one["plots"][-1]["channels"]


def test_head_acceleration_is_in_standard_g(done):
    whole = done("CervicalSpine", "whiplash-8.5g")
    row = next(row for row in payloads.payload([whole])["runs"][0]["criteria"] if row["name"] == "head_a3ms")
    assert row["unit"] == "g" and row["value"] * G == whole.channels["head_a3ms"].values[-1]


def test_texts_cannot_end_the_script():
    text = payloads.embedded({"text": "</script><!-- \u2028", "number": math.nan})
    assert "<" not in text and "\u2028" not in text
    assert json.loads(text) == {"text": "</script><!-- \u2028", "number": None}


def test_tables_of_the_user_are_drawn(done, tmp_path):
    heads = "sphere, centre_x [mm], centre_y [mm], centre_z [mm], human_radius [mm], dummy_radius [mm], source, note\n"
    (tmp_path / "spheres.csv").write_text(heads + 'head.only, 10, 0, 0, 123, 99, "[EST]", ""\n')
    drawn = Drawn(done("Human12", "tackle", until=0.01, data_set="custom", data_path=str(tmp_path), impactor_active=False))
    head = next(body for body in drawn.scene["bodies"] if body["name"] == "head")
    assert head["shapes"][0] == {"kind": "ellipsoid", "centre": [0.01, 0, 0], "semi_axes": [0.123] * 3}
    (one,) = payloads.payload([drawn.subject.run])["runs"]
    assert one["published"] == [] and one["criteria"]


def test_missing_tables_of_the_user_are_one_message(done, tmp_path):
    whole = done("CervicalSpine", "whiplash-8.5g")
    settings = whole.scenario.settings | {"data_set": "custom", "data_path": str(tmp_path / "gone")}
    with pytest.raises(UserError, match="gone"):
        payloads.payload([replace(whole, scenario=replace(whole.scenario, settings=settings))])


def test_report_is_one_file(done, tmp_path, monkeypatch):
    whole = done("CervicalSpine", "whiplash-8.5g")
    monkeypatch.setattr(payloads.resources, "files", lambda _: tmp_path)
    with pytest.raises(UserError, match="npm run build"):
        report.write([whole], tmp_path / "report.html")
    (tmp_path / "page.html").write_text(f"<body>{payloads.EMPTY}</body>")
    text = report.write([whole], tmp_path / "there/report.html").read_text(encoding="utf-8")
    inside = re.fullmatch(r'<body><script type="application/json" id="payload">(.*)</script></body>', text, re.DOTALL)[1]
    assert json.loads(inside)["runs"][0]["label"] == "whiplash-8.5g"
