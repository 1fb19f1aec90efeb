"""Runs the cases of a folder through their FMUs and compares with stored results.

    python check.py FMU_DIRECTORY CASES_DIRECTORY            ends with 1 if a result is off
    python check.py FMU_DIRECTORY CASES_DIRECTORY --store    stores what comes out

A case is a TOML file: fmu, stop_time, step, [start_values], and under [tolerance] each output with the largest
difference allowed, relative to the largest stored value. Its results stand beside it as CSV.
"""

import argparse
import sys
import tomllib
from pathlib import Path

import fmpy
import numpy as np


def simulate(case, fmu):
    return fmpy.simulate_fmu(str(fmu), start_values=case.get("start_values", {}), output=list(case["tolerance"]),
                             stop_time=case["stop_time"], step_size=case["step"], output_interval=case["step"])  # fmt: skip


def store(run, path):
    np.savetxt(path, np.array(run.tolist()), delimiter=",", header=",".join(run.dtype.names), comments="", fmt="%.9g")


def compare(run, path, tolerance):
    """Prints a line for each output; returns the number of those that are off."""
    stored = np.genfromtxt(path, delimiter=",", names=True)
    absent = set(tolerance) - set(stored.dtype.names)
    if absent:
        print(f"  not stored: {', '.join(sorted(absent))}")
        return len(absent)
    if stored.shape != run.shape or not np.allclose(stored["time"], run["time"], rtol=0, atol=1e-9):
        print(f"  the stored results have other times: {len(stored)} rows, now {len(run)}")
        return 1
    off = 0
    for name, allowed in tolerance.items():
        difference = np.abs(run[name] - stored[name]).max() / max(np.abs(stored[name]).max(), 1e-30)
        passed = difference <= allowed  # NaN does not pass
        off += not passed
        print(f"  {'ok ' if passed else 'OFF'} {name}: largest difference {difference:.1e}, allowed {allowed:.1e}")
    return off


def main():
    parser = argparse.ArgumentParser(description="Runs cases through FMUs and compares with stored results.")
    parser.add_argument("fmus", type=Path, help="directory of the FMUs")
    parser.add_argument("cases", type=Path, help="directory of the cases")
    parser.add_argument("--store", action="store_true", help="store the results instead of comparing")
    arguments = parser.parse_args()
    files = sorted(arguments.cases.glob("*.toml"))
    if not files:
        sys.exit(f"no case (*.toml) in {arguments.cases}")
    off = 0
    for file in files:
        try:
            case = tomllib.loads(file.read_text())
        except tomllib.TOMLDecodeError as error:
            sys.exit(f"{file}: {error}")
        absent = {"fmu", "stop_time", "step", "tolerance"} - set(case)
        if absent:
            sys.exit(f"{file}: {', '.join(sorted(absent))} is missing")
        fmu, results = arguments.fmus / f"{case['fmu']}.fmu", file.with_suffix(".csv")
        if not fmu.is_file():
            sys.exit(f"{file}: there is no {fmu}")
        print(f"{file.stem}: {fmu.name}, {case['stop_time']} s")
        known = {v.name for v in fmpy.read_model_description(str(fmu), validate=False).modelVariables}
        unknown = (set(case["tolerance"]) | set(case.get("start_values", {}))) - known
        if unknown:
            sys.exit(f"{file}: {fmu.name} has no variable {', '.join(sorted(unknown))}")
        run = simulate(case, fmu)
        if arguments.store:
            store(run, results)
        elif not results.is_file():
            sys.exit(f"{file}: nothing is stored in {results}; run with --store, look at it and commit it")
        else:
            off += compare(run, results, case["tolerance"])
    if off:
        sys.exit(f"{off} outputs differ from what is stored")


if __name__ == "__main__":
    main()
