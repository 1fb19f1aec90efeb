"""The program of an example as a module."""

import importlib.util
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def load(name):
    folder = EXAMPLES / name
    if str(folder) not in sys.path:
        sys.path.append(str(folder))  # it may import files beside it
    specification = importlib.util.spec_from_file_location(name, folder / "main.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
