"""Puts the FMUs of dist/ into the wheel. An editable installation finds them in dist/ by itself."""

from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class FmusAsPackageData(BuildHookInterface):
    def initialize(self, version, build_data):
        if version == "editable":
            return
        fmus = sorted((Path(self.root).parent / "dist").glob("*.fmu"))
        if not fmus:
            raise FileNotFoundError("no FMU in dist/: build them first, cmake --build --preset release --target fmus")
        build_data["force_include"].update({str(fmu): f"spondyl/fmus/{fmu.name}" for fmu in fmus})
