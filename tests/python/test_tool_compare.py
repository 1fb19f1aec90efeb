"""Two runs side by side."""

import numpy as np
import pytest
from spondyl import compare, results
from tool import spondyl


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    from spondyl import models, scenario
    from spondyl.run import run

    root, model = tmp_path_factory.mktemp("runs"), models.find("CervicalSpine")
    for name, peak, step in (("hard", "8.5g", 1e-3), ("soft", "5 g", 1e-3), ("coarse", "8.5g", 4e-3), ("short", "8.5g", 1e-3)):
        until = 0.06 if name == "short" else 0.12
        run(scenario.checked(scenario.Scenario("CervicalSpine", until, step, {"pulse_shape": "triangle", "pulse_peak": peak}), model),
            model, root / name)  # fmt: skip
    return root


def test_differences_are_where_they_are_largest(folders):
    hard, soft = results.read(folders / "hard"), results.read(folders / "soft")
    found = {d.channel.name: d for d in compare.channels(hard, soft)}
    a, b = hard.channels["head_angle"].values, soft.channels["head_angle"].values
    k = np.abs(a - b).argmax()
    d = found["head_angle"]
    assert (d.size, d.time, d.first, d.second) == (abs(a[k] - b[k]), hard.time[k], a[k], b[k])
    assert d.share == d.size / (max(a.max(), b.max()) - min(a.min(), b.min()))
    shares = [d.share for d in found.values() if not d.channel.name.startswith(compare.NUMERICS)]
    assert shares == sorted(shares, reverse=True) and len(found) == 124
    assert compare.settings(hard, soft) == [("pulse_peak", "83.385", "49.05")]
    assert [c.name for c, _, _ in compare.criteria(hard, soft)][:2] == ["HIC15", "HIC36"]


def test_other_steps_and_ends_are_compared_where_both_are(folders):
    hard, coarse, short = (results.read(folders / name) for name in ("hard", "coarse", "short"))
    angle = next(d for d in compare.channels(coarse, hard) if d.channel.name == "head_angle")
    assert angle.size < 1e-7  # the pulse is built in: at common times the step does not matter
    assert all(d.size == 0 for d in compare.channels(hard, short) if not d.channel.name.startswith("solver_"))
    assert all(d.size == 0 for d in compare.channels(short, hard) if not d.channel.name.startswith("solver_"))


def test_printed(capfd, folders):
    outcome = spondyl(capfd, "compare", folders / "hard", folders / "soft", "--rows", "3")
    assert outcome.code == 0 and "pulse_peak" in outcome.out and "3 of " in outcome.out
    assert "deg" in spondyl(capfd, "compare", folders / "hard", folders / "soft", "--rows", "200").out
    assert "all 124 channels are equal" in spondyl(capfd, "compare", folders / "hard", folders / "hard").out


def test_nothing_in_common(capfd, folders, tmp_path):
    spondyl(capfd, "run", "CervicalSegment", "--case", "flexion", "--output", "C5_rotation_y", "--out", tmp_path / "segment")
    outcome = spondyl(capfd, "compare", folders / "hard", tmp_path / "segment")
    assert outcome.code == 2 and "no channel in common" in outcome.error
