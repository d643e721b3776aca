# Everything one does with cardshoe, from a fresh clone with only Python, make and git. `make` alone lists the targets.
#
#   ARGS      arguments passed on:           make demo ARGS="--rounds 5"     make test ARGS="-k journal"
#   GAME      the game of the demo:          make demo GAME=blackjack
#   JOBS      test processes:                make test JOBS=0                (0: no processes, for a debugger)
#   PYTHON    the Python to set up with:     make setup PYTHON=python3.13
#   PREFIX    below which to install:        make install PREFIX=/opt/cardshoe
#   SERVICE   make the service's user and folders elsewhere than below /usr and /usr/local too: SERVICE=yes
#   DESTDIR   another root to install into:  make install DESTDIR=/tmp/root

PYTHON ?= python3
PREFIX ?= /usr/local
DESTDIR ?=
SERVICE ?=
ARGS ?=
GAME ?=
# Four more than there are cores: some tests wait for a line's own times. On two cores without other work 8 min 41 s with
# six processes, 10 min 15 s with four (time make test JOBS=4, 2026-11-29, Debian's Python 3.11.2).
JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 4)
# Tests start hundreds of processes: where nothing compiled is kept, each compiles anew all that it imports.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
RUN := $(BIN)/python -m
# Exists when the environment was last made to agree with the lock and the project file.
STAMP := $(VENV)/.installed
# What the demo needs, where there is no .venv: a quarter of the time and an eighth of the bytes.
RUN_VENV := .cache/run-venv
RUN_STAMP := $(RUN_VENV)/.installed
DEMO_STAMP := $(if $(wildcard $(STAMP)),$(STAMP),$(RUN_STAMP))
# uv writes locks for all platforms at once, which pip cannot. It is used for that alone, in an environment of its own.
LOCK_VENV := .cache/lock-venv
LOCK_ENV := UV_CUSTOM_COMPILE_COMMAND="make lock" UV_NO_CONFIG=1
LOCK_CMD := $(LOCK_VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--extra table --extra floor --extra update --no-annotate --no-emit-index-url --no-emit-find-links --no-header \
	--override requirements/overrides.txt
LOCK_HEAD := \# Written by "make lock" from pyproject.toml: do not edit. Checked by tools/check_lock.py.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup install uninstall dist deb package-test demo quick quick-list test e2e coverage check lint types layers docs docs-check lock-check commits-check mutants-changed soak model fuzz mutants tamper powercut updatecut floor firmware nightly bench fmt lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## Create .venv from the lock (every target below but demo does so when needed)

$(STAMP): requirements/dev.lock pyproject.toml tools/bootstrap.py
	@$(PYTHON) tools/bootstrap.py $(VENV) requirements/dev.lock
	@touch $@

$(RUN_STAMP): requirements/run.lock pyproject.toml tools/bootstrap.py
	@$(PYTHON) tools/bootstrap.py --small $(RUN_VENV) requirements/run.lock
	@touch $@

install: ## Install on this table computer, from the hashed lock: make install PREFIX=/usr/local
	@$(PYTHON) -m tools.install install --prefix $(PREFIX) $(if $(SERVICE),--service) $(if $(DESTDIR),--destdir $(DESTDIR))

uninstall: ## Remove what was installed; journals, keys and settings stay
	@$(PYTHON) -m tools.install uninstall --prefix $(PREFIX) $(if $(DESTDIR),--destdir $(DESTDIR))

dist: $(STAMP) ## Make wheel, source archive, list of parts (SBOM) and sums of the last commit, in dist
	@$(RUN) tools.dist dist

deb: ## Make the Debian package, in dist, for the Debian that this is
	@$(PYTHON) -m tools.deb dist

package-test: $(STAMP) ## Install, upgrade and remove the package and `make install` on a bare Debian (root, debootstrap)
	@$(RUN) tests.package $(ARGS)

demo: $(DEMO_STAMP) ## Watch a simulated table: make demo GAME=baccarat ARGS="--rounds 5"
	@$(<D)/bin/python $(<D)/bin/cardshoe demo $(GAME) $(ARGS)

test: $(STAMP) ## Run the tests: make test ARGS="-k journal"
	@$(RUN) pytest -n $(JOBS) --dist worksteal $(ARGS)

# The work of these is computing: 58 s with four processes on two cores, 71 s with six (time make quick, 2026-11-29).
quick: JOBS = $(shell expr $$(getconf _NPROCESSORS_ONLN) + 2)
quick: $(STAMP) ## Run, at each change, the tests that start no process: make quick ARGS="-k journal"
	@$(RUN) pytest -n $(JOBS) --dist worksteal @tests/not_quick.txt $(ARGS)

quick-list: $(STAMP) ## Run all tests and, if all pass, write what `make quick` leaves out: tests/not_quick.txt
	@CARDSHOE_NO_SKIPS=1 $(RUN) pytest -n $(JOBS) --dist worksteal -p tests.quick

e2e: $(STAMP) ## Whole shoe games by touches alone in a browser, every state looked at; pictures in .e2e
	@CARDSHOE_E2E=1 $(RUN) pytest -n $(JOBS) --dist worksteal tests/e2e $(ARGS)

coverage: $(STAMP) ## Run the tests and measure what they run: every branch of the law must be taken
	@$(MAKE) --no-print-directory test ARGS='--cov --cov-report=term $(ARGS)'
	@$(RUN) coverage report --include='regulations/*' --fail-under=100

check: lint types layers docs-check docs lock-check commits-check mutants-changed ## Run every check that is not a test (make -k check: to the end)

lint: $(STAMP) ## Check style and format
	@$(RUN) ruff check
	@$(RUN) ruff format --check

types: $(STAMP) ## Check types
	@$(RUN) mypy

layers: $(STAMP) ## Check who imports whom
	@$(BIN)/lint-imports --no-logo --cache-dir .cache/import-linter

docs-check: $(STAMP) ## Check links, commands and lengths of the pages, and the English of all texts
	@$(RUN) tools.check_docs
	@$(RUN) tools.check_english

docs: $(STAMP) ## Build the documentation site, with the references of commands and events: open build/site/docs/index.html
	@$(RUN) tools.site

lock-check: $(STAMP) ## Check that pyproject.toml, the locks and .venv agree
	@$(RUN) tools.check_lock

commits-check: $(STAMP) ## Check subject and body of the branch's commits
	@$(RUN) tools.check_commits

mutants-changed: $(STAMP) ## Mutants of the files of the law that have changed, for a minute at most
	@$(RUN) tests.mutants --changed

soak: $(STAMP) ## Play and count in full what `make test` does in short: make soak ARGS="-k blackjack"
	@CARDSHOE_SOAK=1 $(RUN) pytest -n $(JOBS) --dist worksteal -m statistical -rP --timeout 7200 $(ARGS)
	@$(RUN) tests.soak
	@$(RUN) tests.soak.corrections
	@$(RUN) tests.soak.replay

model: $(STAMP) ## Search the model of TDP's link in full, and find its seeded bugs: make model ARGS="--walks 50" (needs spin, gcc)
	@$(RUN) tests.model $(ARGS)

firmware: $(STAMP) ## Build the reference shoe in C, and try all of TDP's suite on it: POSIX and Cortex-M3 (needs the tools in .ci/run)
	@$(MAKE) --no-print-directory -C reference/shoe all lint
	@CARDSHOE_SOAK=1 $(RUN) pytest -n $(JOBS) --dist worksteal tests/reference_shoe $(ARGS)

fuzz: $(STAMP) ## Search for input that a decoder cannot take: make fuzz ARGS="--seconds 60"
	@$(RUN) tests.fuzz --all $(ARGS)

mutants: $(STAMP) ## Put mistakes into the law, and see its fast tests notice: make mutants ARGS="--changed"
	@$(RUN) tests.mutants $(ARGS)

powercut: $(STAMP) ## Cut the power and kill the process everywhere: make powercut ARGS="--game baccarat --kills 0"
	@$(RUN) tests.powercut $(ARGS)

updatecut: $(STAMP) ## Cut the power and kill the host everywhere in an update night: make updatecut ARGS="--nights 500"
	@$(RUN) tests.firmware_bridge.update $(ARGS)

floor: $(STAMP) ## Let 300 tables play and deliver while database, collector and NATS are killed, and measure: make floor ARGS="--only playing --tables 50" NATS_ARGS="--tables 50"
	@$(RUN) tests.cardshoe.floor.campaign $(ARGS)
	@$(RUN) tests.cardshoe.floor.nats_campaign $(NATS_ARGS)

tamper: $(STAMP) ## Tamper with journals and see each change found: make tamper ARGS="--mutations 5000"
	@$(RUN) tests.tamper $(ARGS)

nightly: soak model fuzz mutants powercut updatecut floor firmware tamper e2e ## Run every campaign in full, one after the other (make -k nightly: to the end)

bench: $(STAMP) ## Measure: time per card, durable commits, rounds per second, commands over a line
	@$(RUN) tests.bench $(ARGS)

fmt: $(STAMP) ## Format the code and repair what can be repaired
	@$(RUN) ruff check --fix-only --exit-zero
	@$(RUN) ruff format

lock: ## Resolve the dependencies anew: make lock ARGS=--upgrade
	@$(PYTHON) -m venv $(LOCK_VENV)
	@$(LOCK_VENV)/bin/python -m pip install --quiet --disable-pip-version-check uv
	@mkdir -p .cache/lock
	@cp requirements/dev.lock .cache/lock/dev.lock 2>/dev/null || true
	@$(LOCK_ENV) $(LOCK_CMD) $(ARGS) --group dev -o .cache/lock/dev.lock pyproject.toml
	@rm -f .cache/lock/run.lock
	@$(LOCK_ENV) $(LOCK_CMD) --constraint .cache/lock/dev.lock -o .cache/lock/run.lock pyproject.toml
	@for name in dev run; do (echo '$(LOCK_HEAD)'; cat .cache/lock/$$name.lock) > requirements/$$name.lock; done
	@wc -l requirements/*.lock

clean: ## Remove .venv and every cache
	rm -rf $(VENV) .cache .coverage* .hypothesis .mypy_cache .ruff_cache .pytest_cache .import_linter_cache dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
