"""Puts the FMUs of dist/ into the wheel and sees to it that the report's page is built. An editable installation needs
neither."""

from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PackageData(BuildHookInterface):
    def initialize(self, version, build_data):
        if version == "editable":
            return
        root = Path(self.root)
        fmus = sorted((root.parent / "dist").glob("*.fmu"))
        if not fmus:
            raise FileNotFoundError("no FMU in dist/: build them first, cmake --build --preset release --target fmus")
        if not (root / "spondyl/report/page.html").is_file():
            raise FileNotFoundError("no spondyl/report/page.html: build it first, scripts/setup")
        build_data["tag"] = "py3-none-linux_x86_64"  # of the binaries in the FMUs
        build_data["force_include"].update({str(fmu): f"spondyl/fmus/{fmu.name}" for fmu in fmus})
