#!/bin/sh
# Writes requirements/*.txt from pyproject.toml and requirements/*.in: every file of every
# supported platform and Python pinned by hash, and no index named. Old pins are kept where
# they still fit; `tools/lock.sh --upgrade` takes the newest, `--upgrade-package NAME` one.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-$(sh tools/find_python.sh)}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" -m venv "$scratch/uv"
"$scratch/uv/bin/python" -m pip install --quiet uv

compile() {
    output=$1
    shift
    "$scratch/uv/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
        --output-file "$output" "$@"
}

compile requirements/serve.txt pyproject.toml requirements/serve.in --extra server --extra search "$@"
compile requirements/dev.txt pyproject.toml requirements/dev.in --extra server --extra search --extra semantic --extra postgres --extra pydantic --extra cedar "$@"

if grep -n '://' requirements/*.txt; then
    echo "lock: an address found its way into the files above" >&2
    exit 1
fi
