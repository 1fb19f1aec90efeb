"""Run, compare, sweep and report the spondyl FMUs."""

from importlib.metadata import version

__version__ = version("spondyl")
