# Podestà's commands. A fresh machine needs Python 3.11 or newer with pip and venv; everything else is fetched.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# Everything is installed as requirements*.lock says, what builds the package included.
PIP    := $(BIN)/python -m pip --disable-pip-version-check install --quiet --quiet
ARGS   ?=

.PHONY: help run test bench lint format check-migrations build lock clean

help:
	@echo 'make run     serve on the embedded default (ARGS="--port 8001" goes to podesta serve)'
	@echo 'make test    run every test against real servers (ARGS="-k bell" goes to pytest)'
	@echo 'make lint    ruff, mypy, import-linter'
	@echo 'make bench   measure, as ratios from one run'
	@echo 'make check-migrations, make build, make format, make lock, make clean'

run: $(VENV)/.run
	$(BIN)/podesta serve $(ARGS)

test: $(VENV)/.dev
	$(BIN)/python -m pytest $(ARGS)

bench: $(VENV)/.dev
	$(BIN)/python -m bench $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

check-migrations: $(VENV)/.dev
	$(BIN)/python -m tests.support.check_migrations

build: $(VENV)/.dev
	$(BIN)/python -m build --no-isolation --outdir dist .

# The newest versions that fit pyproject.toml, for every platform. Needs uv; see CONTRIBUTING.md.
lock:
	uv pip compile pyproject.toml -o requirements.lock $(LOCK)
	uv pip compile pyproject.toml --group dev -c requirements.lock -o requirements-dev.lock $(LOCK)
LOCK := --upgrade --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url --no-emit-find-links --quiet

clean:
	rm -rf $(VENV) dist build

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Podestà needs Python 3.11 or newer; name it: make PYTHON=python3.12 …'; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo 'No virtual environment could be made (on Debian: apt-get install python3-venv).'; exit 1; }

$(VENV)/.run: requirements.lock pyproject.toml | $(BIN)/python
	$(PIP) -r requirements.lock
	PIP_CONSTRAINT=requirements-dev.lock $(PIP) --no-deps --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	$(PIP) -r requirements-dev.lock
	@touch $@
