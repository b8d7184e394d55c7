# The commands that developers type; CI runs the same ones.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest --dist worksteal
# Tests wait for processes that they start, the slow ones often: three of the fast at once for two cores, or five slow.
SOME := $(shell $(PYTHON) -c 'import os; print(os.cpu_count() * 3 // 2)')
MANY := $(shell $(PYTHON) -c 'import os; print(os.cpu_count() * 5 // 2)')
# The tests start hundreds of processes, which would each compile the package again.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

COGGED := README.md docs/reference.md extension/native/native.h extension/native/askwhere.c
NATIVE := setup.py $(wildcard extension/native/*.[ch])

.PHONY: help demo test test-all check types format docs screenshots chromium serving node odbc servers datasette smollm2 bench evaluation clean

help:  ## list these commands
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/; s/[$$]{2}/$$/g' | expand -t 12

demo: $(VENV)/.runtime  ## build the sample database in both engines and ask it five questions
	@$(BIN)/askwhere demo

test: $(VENV)/.dev  ## the fast tests
	$(PYTEST) -n $(SOME) -m "not slow"

test-all: test  ## every test, with the checks; compiles llama.cpp and installs Chromium when they are not yet there
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target chromium serving node odbc servers datasette smollm2 check
	$(PYTEST) -n $(MANY) -m slow

check: types  ## lint, format, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	MYPYPATH=build/types $(BIN)/mypy --strict -p askwhere
	$(BIN)/cog -I docs --check $(COGGED)
	$(BIN)/python -m pytest -q tests/test_layout.py

types: $(VENV)/.all  ## the link tree that the type checker reads as one package
	@rm -rf build/types && mkdir -p build/types/askwhere
	@ln -s $(CURDIR)/extension/* build/types/askwhere/
	@ln -s $(CURDIR)/udfs $(CURDIR)/indexer $(CURDIR)/bindings build/types/askwhere/

format: $(VENV)/.dev  ## format the code
	$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

docs: $(VENV)/.dev  ## write the tables of the documentation and of the C extension again
	$(BIN)/cog -I docs -r $(COGGED)

screenshots: $(VENV)/.all chromium datasette  ## take the screenshots of the documentation again
	$(BIN)/python tests/screenshots.py

node:  # unoptimized: compiled in a tenth of the time
	@[ -d build/node/node_modules/better-sqlite3 ] || CFLAGS=-O0 CXXFLAGS=-O0 npm install --prefix build/node --no-audit --no-fund --silent better-sqlite3 || echo "better-sqlite3 cannot be installed: the tests in Node are skipped"

smollm2: $(VENV)/.all
	@$(BIN)/python tests/real_model.py

odbc: $(VENV)/.all | chromium  # both may install system packages
	@$(BIN)/python tests/odbc.py

servers: $(VENV)/.all | odbc  # both may install system packages
	@$(BIN)/python tests/servers.py

datasette: $(VENV)/.all
	@$(BIN)/python tests/datasette_host.py

chromium: $(VENV)/.browser
	@$(BIN)/python tests/browser.py

serving: build/serving/.done  ## install the DuckDB that askwhere serve is tested with into an environment of its own

bench: $(VENV)/.dev  ## the benchmarks, by hand (minutes); they need the data at $$ASKWHERE_DATA
	$(BIN)/python tests/benchmarks/harness.py
	$(BIN)/python tests/benchmarks/overhead.py
	$(BIN)/python tests/benchmarks/hosts_speed.py

evaluation: $(VENV)/.dev  ## measure the reader on Spider's sets and our own, and write the table of docs/evaluation.md (minutes)
	$(BIN)/python tests/benchmarks/evaluation.py

clean:  ## remove what was built
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache world.db world.duckdb $(VENV)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "askwhere needs Python 3.11 or newer, this is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: $(VENV)/bin/python pyproject.toml $(NATIVE)
	$(PIP) -e .
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml $(NATIVE)
	$(PIP) -e '.[dev]'
	@touch $@ $(VENV)/.runtime

# One pip at a time in an environment: where both are wanted, this comes first.
$(VENV)/.browser: $(VENV)/bin/python pyproject.toml $(NATIVE)
	$(PIP) -e '.[browser]'
	@touch $@ $(VENV)/.runtime

$(VENV)/.all: $(VENV)/bin/python pyproject.toml $(NATIVE) | $(VENV)/.browser
	CMAKE_ARGS="-DLLAVA_BUILD=OFF $(CMAKE_ARGS)" $(PIP) -e '.[all]'  # without models of images: a quarter less to compile
	@touch $@ $(VENV)/.dev $(VENV)/.runtime

build/serving/.done: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m venv build/serving
	build/serving/bin/python -m pip --disable-pip-version-check install --quiet -e '.[serve,openai]' duckdb-cli==1.5.5 'moto[server]' duckdb-extension-delta==1.5.5 duckdb-extension-iceberg==1.5.5 duckdb-extension-avro==1.5.5 'pyiceberg[pyarrow,sql-sqlite]'
	@touch $@
