#!/bin/sh
# check.sh FMU_DIRECTORY CASES_DIRECTORY [--store]
# Installs FMPy into a virtual environment unless it is there, then runs the cases and compares with stored results.
# ENVIRONMENT names the virtual environment, PYTHON the interpreter that makes it (3.11 or later).
set -eu
here=$(dirname "$0")
environment=${ENVIRONMENT:-.venv-check}
if ! [ -x "$environment/bin/python" ]; then
  "${PYTHON:-python3}" -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check fmpy==0.3.32
fi
exec "$environment/bin/python" "$here/check.py" "$@"
