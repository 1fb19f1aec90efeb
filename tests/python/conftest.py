"""Where the packed FMU is: dist/CervicalSpine.fmu, or the same file in the directory SPONDYL_DIST."""

import os
from pathlib import Path

import fmpy
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def fmu_path():
    path = Path(os.environ.get("SPONDYL_DIST", ROOT / "dist")).resolve() / "CervicalSpine.fmu"
    if not path.is_file():
        pytest.fail(f"{path} is missing: build the FMU first, or name its directory in SPONDYL_DIST", pytrace=False)
    return path


@pytest.fixture(scope="session")
def description(fmu_path):
    return fmpy.read_model_description(str(fmu_path), validate=False)


@pytest.fixture(scope="session")
def unzipped(fmu_path, tmp_path_factory):
    directory = tmp_path_factory.mktemp("CervicalSpine")
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
