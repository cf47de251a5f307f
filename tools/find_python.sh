#!/bin/sh
# Prints a Python that Prowess runs on: the one asked for, or the first that fits. Each is really
# started, because a version manager may put a command on the path that only says it is not there.
#   tools/find_python.sh [PYTHON]
set -u

fits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1
}

for candidate in ${1:-python3.11 python3.12 python3.13 python3 python}; do
    if fits "$candidate"; then
        command -v "$candidate"
        exit 0
    fi
done
echo "Prowess needs Python 3.11, 3.12 or 3.13. Not found, or not one of them: ${1:-python3}" >&2
echo "Install one, or say where it is: make PYTHON=/path/to/python3.11 ..." >&2
exit 1
