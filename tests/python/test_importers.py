"""The same whiplash through other importers gives the same numbers as through FMPy."""

import importers
import pytest


@pytest.fixture(scope="module")
def expected(fmu_path):
    return importers.run("FMPy", fmu_path)


@pytest.mark.parametrize("name", [name for name in importers.IMPORTERS if name != "FMPy"])
def test_same_numbers(name, expected, fmu_path):
    if not importers.version_of(name):
        pytest.skip(f"the command {name} is not installed")
    results = importers.run(name, fmu_path)
    assert results["input"] == pytest.approx(expected["input"], rel=1e-6)
    if "built in" in results:
        assert results["built in"] == pytest.approx(expected["built in"], rel=1e-6)
