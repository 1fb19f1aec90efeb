"""The same whiplash through other importers gives the same numbers as through FMPy."""

import importers
import pytest


@pytest.fixture(scope="module")
def expected(fmu_path):
    return importers.run("FMPy", fmu_path)


@pytest.mark.parametrize("name", [name for name in importers.IMPORTERS if name != "FMPy"])
def test_same_numbers(name, expected, fmu_path):
    if name == "FMI Library" and not importers.version_of(name):
        pytest.skip("examples/fmilib is not built: no registry has FMI Library 3, name one in FMILIB_ROOT")
    results = importers.run(name, fmu_path)
    for kind, values in results.items():
        assert values == pytest.approx(expected[kind], rel=importers.TOLERANCE), kind
