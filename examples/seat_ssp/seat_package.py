"""Builds Seat.fmu from C with the FMI headers that come with FMPy, and packs it with the spine into an SSP package."""

import os
import platform
import re
import subprocess
import zipfile
from pathlib import Path

import fmpy

HERE = Path(__file__).resolve().parent
HEADERS = Path(fmpy.__file__).parent / "c-code"


def variables_header():
    """Names, start values and token for C: they are written once, in modelDescription.xml."""
    seat = fmpy.read_model_description(str(HERE))
    references = ", ".join(f"{'TIME' if v.name == 'time' else v.name} = {v.valueReference}" for v in seat.modelVariables)
    starts = ", ".join(f"[{v.name}] = {v.start}" for v in seat.modelVariables if v.start is not None)
    return f'#define TOKEN "{seat.guid}"\n#define START_VALUES {starts}\nenum {{ {references}, variable_count }};\n'


def build_seat(directory):
    """Returns the path of Seat.fmu."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "variables.h").write_text(variables_header())
    binary = directory / "Seat.so"
    command = [os.environ.get("CC", "cc"), "-std=c11", "-O2", "-Wall", "-Wextra", "-fPIC", "-fvisibility=hidden", "-shared",
               f"-I{HEADERS}", f"-I{directory}", HERE / "seat.c", HERE / "fmi.c", "-o", binary, "-lm"]  # fmt: skip
    subprocess.run(command, check=True)
    fmu = directory / "Seat.fmu"
    with zipfile.ZipFile(fmu, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(HERE / "modelDescription.xml", "modelDescription.xml")
        archive.write(binary, f"binaries/{platform.machine()}-linux/Seat.so")
    return fmu


def build_package(directory, spine, outside=True):
    """Returns the path of the package. Ecos cannot read connections to the outside of the system: outside=False leaves
    them out."""
    seat = build_seat(directory)
    structure = (HERE / "SystemStructure.ssd").read_text()
    if not outside:
        structure = re.sub(r'\n *<ssd:Connection startElement="\w+" startConnector="\w+" endConnector="\w+"/>', "", structure)
    package = seat.with_name("SeatAndSpine.ssp" if outside else "SeatAndSpine_Ecos.ssp")
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("SystemStructure.ssd", structure)
        archive.write(seat, "resources/Seat.fmu")
        archive.write(spine, "resources/CervicalSpine.fmu")
    return package
