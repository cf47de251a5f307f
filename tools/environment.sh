#!/bin/sh
# Brings an environment up to date: tools/environment.sh FOLDER REQUIREMENTS [PYTHON]
set -eu
python=$(sh tools/find_python.sh "${3:-}")
exec "$python" tools/environment.py "$1" "$2"
