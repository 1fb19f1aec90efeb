"""Checks of an FMU find what is wrong with it."""

import zipfile

import pytest
from spondyl import models
from tool import spondyl


def altered(tmp_path, name, change):
    """The FMU of CervicalSegment with one file changed."""
    path = tmp_path / "CervicalSegment.fmu"
    with zipfile.ZipFile(models.paths()["CervicalSegment"]) as source, zipfile.ZipFile(path, "w") as target:
        for entry in source.infolist():
            data = source.read(entry)
            target.writestr(entry.filename, change(data) if entry.filename == name else data)
    return path


def test_ours_pass(capfd):
    outcome = spondyl(capfd, "validate", models.paths()["CervicalSegment"])
    assert outcome.code == 0
    assert [line.rstrip().split()[-1] for line in outcome.out.splitlines()[-5:]] == ["ok"] * 5


@pytest.mark.parametrize(("name", "change", "said"), [
    ("modelDescription.xml", lambda data: data.replace(b'unit="N.m"', b'unit="N.mm"', 1), "N.mm"),
    ("modelDescription.xml", lambda data: data.replace(b' description="Acceleration of gravity, along -z"', b""), "gravity"),
    ("modelDescription.xml", lambda data: data.replace(b'instantiationToken="{', b'instantiationToken="{0'), "loads"),
    ("binaries/x86_64-linux/CervicalSegment.so", lambda data: b"no library", "cannot be loaded"),
    ("binaries/x86_64-linux/CervicalSegment.so", lambda data: data[: len(data) // 2], "FAILED"),
])  # fmt: skip
def test_faults_are_found(capfd, tmp_path, name, change, said):
    outcome = spondyl(capfd, "validate", altered(tmp_path, name, change))
    assert outcome.code == 1
    assert said in "\n".join(line for line in outcome.out.splitlines() if "FAILED" in line)
    assert outcome.error.count("\n") == 1
