"""Where the packed FMUs are: in dist/, or in the directory SPONDYL_DIST."""

import os
from pathlib import Path

import fmpy
import pytest

ROOT = Path(__file__).resolve().parents[2]


def pytest_generate_tests(metafunc):
    """A test module names the FMUs that it tests in MODELS; without it, it tests CervicalSpine."""
    if "model" in metafunc.fixturenames:
        metafunc.parametrize("model", getattr(metafunc.module, "MODELS", ["CervicalSpine"]), scope="module")


@pytest.fixture(scope="module")
def fmu_path(model):
    path = Path(os.environ.get("SPONDYL_DIST", ROOT / "dist")).resolve() / f"{model}.fmu"
    if not path.is_file():
        pytest.fail(f"{path} is missing: build the FMU first, or name its directory in SPONDYL_DIST", pytrace=False)
    return path


@pytest.fixture(scope="module")
def description(fmu_path):
    return fmpy.read_model_description(str(fmu_path), validate=False)


@pytest.fixture(scope="module")
def unzipped(fmu_path, tmp_path_factory):
    directory = tmp_path_factory.mktemp(fmu_path.stem)
    fmpy.extract(str(fmu_path), str(directory))
    return directory


@pytest.fixture
def spine(unzipped, description):
    """A function that makes instances; they are freed when the test is over."""
    from spine import Spine

    made = []

    def make(**options):
        made.append(Spine(unzipped, description, **options))
        return made[-1]

    yield make
    for instance in made:
        instance.close()
