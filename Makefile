# Every target makes the environment it needs; `make` alone lists them.
.DEFAULT_GOAL := help
.PHONY: help serve test test-long mutants checks lint types format bench lock snapshots clean env env-dev

PYTHON ?=
ARGS ?=
SERVE_ENV := .venv
TEST_ENV := .venv-dev
DEV := $(TEST_ENV)/bin/python

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' $(MAKEFILE_LIST) | sort | awk -F '	' '{ printf "make %-10s %s\n", $$1, $$2 }'
	@echo 'Options of a command go into ARGS:  make serve ARGS="--port 9000"   make test ARGS="-k registry"'

serve: env ## serve the example project on http://127.0.0.1:8765
	@exec $(SERVE_ENV)/bin/prowess serve examples/notes $(ARGS)

test: checks ## run everything CI runs
	@$(DEV) tools/test.py $(ARGS)

test-long: env-dev ## run the tests that take minutes
	@$(DEV) -m pytest -m long $(ARGS) || [ $$? -eq 5 ] # 5: there is none

mutants: env-dev ## change src/prowess/governance in small ways, and list the changes that no test notices (minutes)
	@$(DEV) -m mutmut run $(ARGS)
	@$(DEV) -m mutmut results

checks: env-dev ## format, lint, types and import contracts, without changing a file
	@$(DEV) tools/checks.py

lint: env-dev ## format, lint rules and import contracts only
	@$(DEV) tools/checks.py format lint imports

types: env-dev ## the two type checkers only
	@$(DEV) tools/checks.py mypy basedpyright

format: env-dev ## rewrite files: formatting, and lint findings that have a safe fix
	@$(DEV) -m ruff check --fix-only --quiet
	@$(DEV) -m ruff format

bench: env-dev ## measure the figures and write bench/RESULTS.md
	@$(DEV) -m bench $(ARGS)

lock: ## pin requirements/*.in again (ARGS=--upgrade for the newest releases)
	@PYTHON='$(PYTHON)' sh tools/lock.sh $(ARGS)

snapshots: env-dev ## rewrite the import contracts, the public names and the schemas of documents; lower the escape hatches
	@$(DEV) -m tools.import_contracts
	@$(DEV) -m tools.public_api
	@$(DEV) -m tools.document_schemas
	@$(DEV) -m tools.escape_hatches

clean: ## remove the environments and all that tools left behind
	rm -rf $(SERVE_ENV) $(TEST_ENV) build dist mutants .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

env:
	@sh tools/environment.sh $(SERVE_ENV) requirements/serve.txt '$(PYTHON)'

env-dev:
	@sh tools/environment.sh $(TEST_ENV) requirements/dev.txt '$(PYTHON)'
