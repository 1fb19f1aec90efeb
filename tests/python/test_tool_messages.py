"""What is wrong is said in one line, with the nearest right name; exit code 2 where the user can mend it."""

import pytest
from tool import spondyl

SPINE = ("run", "CervicalSpine")


@pytest.mark.parametrize(("arguments", "said"), [
    (("rum",), "did you mean run?"),
    (("run",), "Missing argument"),
    ((*SPINE, "--utnil", "1s"), "--until"),
    (("run", "CervicalSpin"), "did you mean CervicalSpine?"),
    (("run", "./missing.fmu"), "no file missing.fmu"),
    (("run", "missing.toml"), "no file missing.toml"),
    ((*SPINE, "--case", "wiplash-8.5g"), "did you mean whiplash-8.5g?"),
    ((*SPINE, "--set", "pulse_peek=3g"), "did you mean pulse_peak?"),
    ((*SPINE, "--set", "pulse_peak"), "name=value"),
    ((*SPINE, "--set", "pulse_peak=3g", "--set", "pulse_peak=4g"), "set twice"),
    ((*SPINE, "--set", "pulse_peak=3s"), "pulse_peak: '3s' has the wrong unit; did you mean"),
    ((*SPINE, "--set", "pulse_peak=nan"), "pulse_peak: 'nan' is no number"),
    ((*SPINE, "--set", "gravity=-1g"), "gravity: -1g is outside of 0 m/s2 to 1000 m/s2"),
    ((*SPINE, "--set", "pulse_shape=trangle"), "did you mean triangle?"),
    ((*SPINE, "--set", "pulse_shape=7"), "there are none, triangle, half_sine, trapezoid"),
    ((*SPINE, "--set", "start_in_equilibrium=perhaps"), "neither true nor false"),
    ((*SPINE, "--set", "head_angle=3"), "is an output"),
    ((*SPINE, "--output", "haed_angle"), "did you mean head_angle?"),
    ((*SPINE, "--step", "0"), "--step: 0 is not above 0 s"),
    ((*SPINE, "--step", "1 kg"), "--step: '1 kg' has the wrong unit"),
    ((*SPINE, "--step", "1e-300 s"), "too short"),
    ((*SPINE, "--step", "1s"), "longer than the run"),
    ((*SPINE, "--step", "1e-7 s", "--until", "10s"), "GB"),
    ((*SPINE, "--hold"), "--input"),
    ((*SPINE, "--input", "missing.csv"), "no file missing.csv"),
    (("describe", "CervicalSpine", "colour"), "no variable"),
    (("cases", "Human12", "takle"), "did you mean tackle?"),
    (("compare", "a", "b"), "no folder a"),
    (("report", "a"), "no folder a"),
    (("report", "a", "b", "c"), "not 3"),
    (("validate", "missing.fmu"), "no file missing.fmu"),
    (("sweep", "CervicalSpine", "--over", "pulse_peak=1g:2g"), "first:last:number"),
    (("sweep", "CervicalSpine", "--over", "pulse_peak=1g:20000g:3"), "outside"),
    (("sweep", "CervicalSpine", "--over", "gravity=1,2", "--over", "gravity=1,2"), "swept twice"),
    (("sweep", "CervicalSpine", "--over", "gravity=1:2:1000000000"), "1000000000 runs are more than the 10000000"),
    (("sweep", "CervicalSpine", "--over", "gravity=1:2:5000", "--over", "pulse_peak=1:2:5000"), "25000000 runs are more than"),
    (("sweep", "CervicalSpine", "--over", "gravity=1,2", "--step", "1e-7 s", "--until", "10s"), "GB"),
])  # fmt: skip
def test_one_line_and_exit_code_2(capfd, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    outcome = spondyl(capfd, *arguments)
    assert outcome.code == 2
    assert outcome.error.count("\n") == 1 and outcome.error.startswith("spondyl: ")
    assert said in outcome.error
    assert not list(tmp_path.iterdir())


CSV = "# a pulse\ntime [ms],sled_acceleration_x [g]\n0,0\n50,8.5\n"


@pytest.mark.parametrize(("text", "said"), [
    (CSV.replace("time", "t"), "line 2: the first column is time, not 't'"),
    (CSV.replace("sled_acceleration_x", "sled_accelaration_x"), "line 2: there is no input of CervicalSpine 'sled_accelaration_x'; did you mean"),
    (CSV.replace("sled_acceleration_x", "head_angle"), "line 2: there is no input"),
    (CSV.replace("[g]", "[kg]"), "line 2: '1 kg' has the wrong unit; did you mean g?"),
    (CSV.replace("8.5", "8,5"), "line 4 has 3 columns, the heads are 2"),
    (CSV.replace("8.5", "8.5.5"), "line 4, column 2: sled_acceleration_x: "),
    (CSV.replace("8.5", ""), "line 4, column 2: sled_acceleration_x: "),
    (CSV.replace("8.5", "inf"), "line 4, column 2: sled_acceleration_x: "),
    (CSV + "soon,1\n", "line 5, column 1: time: 'soon ms' is no number"),
    (CSV + "40,1\n", "line 5: time does not ascend, 0.04 s comes after 0.05 s"),
    (CSV + "50,1\n", "line 5: time does not ascend"),
    ("time,sled_acceleration_x,sled_acceleration_x\n0,1,2\n", "two columns sled_acceleration_x"),
    ("time,sled_acceleration_x\n", "no rows"),
    ("", "no rows"),
    ("time\n0\n1\n", "no column beside time"),
    ("time,plane1_active\n0,maybe\n", "line 2, column 2: plane1_active: 'maybe' is neither true nor false"),
    ("time,sled_acceleration_x\n0,\xff\n".encode("latin-1"), "no CSV"),
])  # fmt: skip
def test_broken_csv(capfd, tmp_path, monkeypatch, text, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pulse.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    outcome = spondyl(capfd, *SPINE, "--input", "pulse.csv")
    assert outcome.code == 2
    assert outcome.error.count("\n") == 1 and "pulse.csv" in outcome.error or said == "no column beside time"
    assert said in outcome.error


def test_an_input_is_not_set_too(capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pulse.csv").write_text(CSV)
    assert "both set and a column" in spondyl(capfd, *SPINE, "--input", "pulse.csv", "--set", "sled_acceleration_x=1").error
    assert (
        "both swept and a column"
        in spondyl(capfd, "sweep", "CervicalSpine", "--input", "pulse.csv", "--over", "sled_acceleration_x=1,2").error
    )


SCENARIO = 'model = "CervicalSpine"\nuntil = 1\nstep = "1 ms"\n'


@pytest.mark.parametrize(("text", "said"), [
    ("model = ", "no TOML"),
    ('model = "CervicalSpine"\nuntil = 1\n', "step is missing"),
    (SCENARIO + 'setings = 3\n', "did you mean settings?"),
    ('model = "CervicalSpine"\nuntil = 1\nstep = 1\nsettings = 3\n', "settings = 3 is of the wrong kind"),
    ('model = "CervicalSpine"\nuntil = "1 kg"\nstep = "1 ms"\n', "until: '1 kg' has the wrong unit"),
    (SCENARIO + '[settings]\ngravity = true\n', "gravity: True is no number"),
    (SCENARIO + '[input]\ntime = [0, 1]\nsled_acceleration_x = [1]\n', "equal length"),
    (SCENARIO + '[input]\nbetween = "held"\ntime = [0]\nsled_acceleration_x = [1]\n', "did you mean hold?"),
    (SCENARIO + "[input]\nbetween = 5\ntime = [0]\nsled_acceleration_x = [1]\n", "way between rows '5'"),
    (SCENARIO + "[input]\ntime = [[0]]\nsled_acceleration_x = [1]\n", "row 1, column 1: time: [0] is no time"),
    (SCENARIO + "[input]\ntime = [0, nan]\nsled_acceleration_x = [1, 2]\n", "row 2, column 1: time: nan is no time"),
    (SCENARIO + '[input]\nfile = "a.csv"\nsled_acceleration_x = [1]\n', "a file and columns"),
])  # fmt: skip
def test_broken_scenario(capfd, tmp_path, monkeypatch, text, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenario.toml").write_text(text)
    outcome = spondyl(capfd, "run", "scenario.toml")
    assert outcome.code == 2 and outcome.error.count("\n") == 1
    assert said in outcome.error


def test_what_the_fmu_refuses_is_said_in_its_words(capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = spondyl(capfd, "run", "Human17", "--set", "plane1_bodies=tail")
    assert outcome.code == 1 and outcome.error.count("\n") == 1
    assert "there is no 'tail'" in outcome.error
    assert not list(tmp_path.iterdir())


def test_no_fmus(capfd, tmp_path, monkeypatch):
    monkeypatch.setenv("SPONDYL_DIST", str(tmp_path))
    for command in (["list"], ["run", "CervicalSpine"]):
        outcome = spondyl(capfd, *command)
        assert outcome.code == 2 and "SPONDYL_DIST" in outcome.error


def test_help_and_version(capfd):
    assert spondyl(capfd, "--version").out.startswith("spondyl 0.")
    for command in ("list", "cases", "describe", "run", "report", "compare", "sweep", "validate"):
        assert command in spondyl(capfd, "--help").out
        assert spondyl(capfd, command, "--help").code == 0


def test_tables_are_plain_when_piped(capfd):
    lines = spondyl(capfd, "describe", "CervicalSpine", "pulse_").out.splitlines()
    assert lines[2].split()[:2] == ["name", "unit"]
    assert [line.split()[0] for line in lines[3:]] == [
        "pulse_shape",
        "pulse_peak",
        "pulse_start",
        "pulse_duration",
        "pulse_direction",
    ]
    assert "8.5 g" in lines[4] and "\x1b" not in "".join(lines)
    assert all(name in spondyl(capfd, "list").out for name in ("Human12", "tackle", "LumbarSpine"))
    assert "Fritzkowski" in spondyl(capfd, "cases", "CervicalSpine", "whiplash-8.5g").out
