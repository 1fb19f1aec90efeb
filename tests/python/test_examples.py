"""The examples run and show what they promise."""

import importlib.util
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def strong_coupling():
    specification = importlib.util.spec_from_file_location("strong_coupling", EXAMPLES / "strong_coupling" / "main.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_strong_coupling_prints_its_table(strong_coupling, fmu_path, capfd):
    strong_coupling.main(fmu_path)
    lines = capfd.readouterr().out.splitlines()
    assert "iterations" in lines[0] and "residual" in lines[0]
    assert len(lines) == 11


def test_strong_coupling_converges(strong_coupling, fmu_path):
    finest, _, _ = strong_coupling.simulate(fmu_path, 1e-4, strong=True)
    for step in (4e-3, 2e-3, 1e-3):
        force, iterations, residual = strong_coupling.simulate(fmu_path, step, strong=True)
        assert residual < strong_coupling.AGREED
        assert max(iterations) <= 15
        assert abs(force / finest - 1) < 75 * step


def test_weak_coupling_needs_small_steps(strong_coupling, fmu_path):
    strong, _, _ = strong_coupling.simulate(fmu_path, 1e-4, strong=True)
    weak, _, _ = strong_coupling.simulate(fmu_path, 1e-4, strong=False)
    assert weak == pytest.approx(strong, rel=0.01)
    too_coarse, _, _ = strong_coupling.simulate(fmu_path, 2e-3, strong=False)
    assert too_coarse > 3 * strong


def test_segment_loads_writes_table_and_figures(tmp_path, fmu_path, capfd):
    specification = importlib.util.spec_from_file_location("segment_loads", EXAMPLES / "segment_loads" / "main.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    module.main(fmu_path.with_name("CervicalSegment.fmu"), tmp_path)
    rows = [line for line in capfd.readouterr().out.splitlines() if line.startswith("| ")]
    assert len(rows) == 10
    assert (tmp_path / "cases.png").stat().st_size > 5000 and (tmp_path / "load_curves.png").stat().st_size > 5000
    # what the documentation shows is what comes out
    assert (tmp_path / "table.md").read_text() in (EXAMPLES.parent / "docs" / "cervical_segment_loads.md").read_text()
