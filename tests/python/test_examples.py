"""The examples run and show what they promise."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import fmpy
import pytest
from example import EXAMPLES, load

ROOT = EXAMPLES.parent
FMI_HEADERS = Path(fmpy.__file__).parent / "c-code"


def test_plain_fmpy_is_short_and_prints_the_motion(fmu_path):
    program = EXAMPLES / "plain_fmpy" / "main.py"
    code = [line for line in program.read_text().splitlines() if line.strip() and not line.startswith('"""')]
    assert len(code) <= 20
    said = subprocess.run([sys.executable, program, str(fmu_path)], check=True, capture_output=True, text=True).stdout
    angle = {int(t): float(a) for t, a in re.findall(r"(\d+) ms  head +(\S+) rad", said)}
    run = fmpy.simulate_fmu(str(fmu_path), start_values={"pulse_shape": 2}, stop_time=0.3, output_interval=0.02, output=["head_angle"])
    assert angle == pytest.approx({round(1e3 * t): a for t, a in run if t > 0}, abs=2e-3)


def test_plain_c_gives_the_numbers_of_fmpy(fmu_path, tmp_path):
    """Built by the line in its README."""
    (line,) = re.findall(r"^    (cc .*)$", (EXAMPLES / "c" / "README.md").read_text(), re.MULTILINE)
    line = line.replace("<FMI headers>", str(FMI_HEADERS)).replace("build/whiplash", str(tmp_path / "whiplash"))
    subprocess.run(line.split(), cwd=ROOT, check=True)
    with zipfile.ZipFile(fmu_path) as fmu:
        fmu.extractall(tmp_path / "spine")
    said = subprocess.run([tmp_path / "whiplash", tmp_path / "spine"], check=True, capture_output=True, text=True).stdout
    values = dict(line.split() for line in said.splitlines() if " ms " not in line)
    run = fmpy.simulate_fmu(str(fmu_path), start_values={"pulse_shape": 2}, stop_time=0.3, step_size=1e-3, output_interval=1e-3, output=list(values))
    assert {name: float(value) for name, value in values.items()} == pytest.approx({name: run[name][-1] for name in values}, rel=1e-9)
    assert said.count(" ms ") == 15


def test_plain_c_says_what_is_missing(tmp_path):
    program = tmp_path / "whiplash"
    subprocess.run(["cc", "-I", FMI_HEADERS, EXAMPLES / "c" / "main.c", "-o", program, "-ldl"], check=True)
    failed = subprocess.run([program, tmp_path], capture_output=True, text=True)
    assert failed.returncode == 1 and failed.stderr == f"cannot read: {tmp_path}/modelDescription.xml\n"


def test_whiplash_draws_its_figure(tmp_path, fmu_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["main.py", str(fmu_path), str(tmp_path)])
    load("whiplash").main()
    assert (tmp_path / "whiplash.png").stat().st_size > 50000


def test_segment_loads_writes_table_and_figures(tmp_path, fmu_path, capfd):
    load("segment_loads").main(fmu_path.with_name("CervicalSegment.fmu"), tmp_path)
    rows = [line for line in capfd.readouterr().out.splitlines() if line.startswith("| ")]
    assert len(rows) == 10
    assert (tmp_path / "cases.png").stat().st_size > 5000 and (tmp_path / "load_curves.png").stat().st_size > 5000
    # what the documentation shows is what comes out
    assert (tmp_path / "table.md").read_text() in (EXAMPLES.parent / "docs" / "cervical_segment_loads.md").read_text()


def test_the_fmi2_container_of_the_openmodelica_page(fmu_path, tmp_path):
    """The commands of the page, with this Python's fmucontainer."""
    (commands,) = re.findall(r"```sh\n(mkdir -p build/fmi2.*?)```", (ROOT / "docs/openmodelica.md").read_text(), re.DOTALL)
    commands = commands.replace("../../.venv/bin/", f"{Path(sys.executable).parent}/")
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / fmu_path.name).symlink_to(fmu_path)
    subprocess.run(["sh", "-ec", commands], cwd=tmp_path, check=True, capture_output=True)
    container = tmp_path / "build/fmi2/CervicalSpine_FMI2.fmu"
    assert fmpy.read_model_description(str(container)).fmiVersion == "2.0"
    settings = {"stop_time": 0.1, "step_size": 1e-3, "output_interval": 1e-3, "output": ["head_angle", "NIC_max"]}
    run = fmpy.simulate_fmu(str(container), **settings)
    right = fmpy.simulate_fmu(str(fmu_path), start_values={"pulse_shape": 2}, **settings)
    assert run["head_angle"] == pytest.approx(right["head_angle"], rel=1e-9, abs=1e-12)
    # a sample of the criterion at the very end of a step falls on either side of it
    assert run["NIC_max"][-1] == pytest.approx(right["NIC_max"][-1], rel=1e-9)


def test_ports_on_the_simulink_page(description):
    page = (ROOT / "docs/simulink.md").read_text()
    inputs, outputs = ([v.name for v in description.modelVariables if v.causality == kind] for kind in ("input", "output"))
    assert int(re.search(r"head_angle = (\d+);", page).group(1)) == outputs.index("head_angle") + 1
    assert all(f"`{k} {name}`" in page for k, name in [(1, inputs[0]), (2, inputs[1]), (1, outputs[0])])
