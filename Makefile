# The two commands: `make demo` and `make test`. Each sets up what it needs in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ENGINE := $(VENV)/engine-built
# What Rust builds stays out of the way, in .venv.
export CARGO_TARGET_DIR ?= $(abspath $(VENV))/target
# The tests start many Pythons: none compiles again what another one did.
unexport PYTHONDONTWRITEBYTECODE
# Nor does cargo, under `make -j`, look for a job server that it wasn't given.
unexport MAKEFLAGS
RUST := Cargo.toml Cargo.lock $(shell find src -name '*.rs')

.PHONY: ready readings rounds corpus blackjack-rounds honest-logs card-logs random-logs demo test thorough docs phone fuzz lint lint-rust lint-python lint-types lint-texts types bench battery recipes mutants coverage wheel wheel-check release-check format hooks clean measure platforms platforms-python pythons wasm poker ports hashes

# The engine, and all that the tests need, those of Rust built.
INSTALLED := $(ENGINE) $(VENV)/ready
ready: $(INSTALLED) $(VENV)/rust-tests

demo: $(ENGINE)
	$(BIN)/python -m provably_fair demo

test: ready
	cargo test --release --quiet
	$(BIN)/python -m pytest -q -n auto --dist worksteal

# The tests that take a second and more: brute force, many simulations, all cases of tables of which `make test` has
# some. What of Python passed is kept in tests/vectors/thorough.json. FILES="tests/cards" for some of them; without, also
# those of Rust that are marked `#[ignore]`.
FILES ?=
thorough: ready
	$(if $(FILES),,cargo test --release --quiet -- --ignored)
	$(BIN)/python tests/tools/run_thorough.py $(FILES)

# The site, in build/site: open build/site/index.html. Warnings are errors; so are links that lead nowhere. The
# notebooks are shown as they were committed.
SITE := build/site
docs: $(INSTALLED) $(VENV)/docs-ready
	$(BIN)/python docs/draw_badges.py
	$(BIN)/python docs/draw_games.py
	$(BIN)/python docs/draw_laws.py
	$(BIN)/python docs/draw_rounding.py
	$(BIN)/python docs/draw_speed.py
	$(BIN)/python docs/draw_record.py
	$(BIN)/python docs/draw_alarms.py
	$(BIN)/python docs/draw_failing_day.py
	$(BIN)/sphinx-build -W --keep-going --quiet --jobs auto --builder html -d $(VENV)/doctrees docs $(SITE)
	$(BIN)/python docs/check_site.py $(SITE)

# The site that `make docs` built in Chromium, on a phone and by keyboard, with axe-core for its accessibility.
phone: $(INSTALLED)
	npm install --silent --no-audit --no-fund --prefix $(VENV)/node axe-core@4
	$(BIN)/python docs/check_phone.py $(SITE) $(VENV)/node/node_modules/axe-core/axe.min.js

# Hostile input: a short run of every target, on stable Rust. FUZZ_SECONDS=600 for a longer one.
FUZZ_SECONDS ?= 60
fuzz: $(INSTALLED)
	FUZZ_SECONDS=$$(( $(FUZZ_SECONDS) / 2 )) cargo test --release --quiet engine::fuzz -- --nocapture
	$(BIN)/python fuzz/python_fuzz.py $$(( $(FUZZ_SECONDS) / 2 ))

lint: lint-rust lint-python lint-types lint-texts

lint-rust: $(VENV)/basics
	cargo fmt --check
	$(STEP) "Looking over the Rust, 1 minute from nothing" -- cargo clippy --release --all-targets --features python -- -D warnings
	$(STEP) "The same for a machine of any kind" -- cargo clippy --release --lib --features portable -- -D warnings

lint-python: $(VENV)/lint-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/typos
	$(BIN)/mypy

lint-types: $(INSTALLED) $(VENV)/lint-ready
	$(BIN)/python -m mypy.stubtest provably_fair._engine

lint-texts: $(VENV)/lint-ready
	$(BIN)/jactionlint --no-online --shellcheck=$(BIN)/shellcheck
	$(BIN)/shellcheck .ci/run
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml

# How completely public names are typed, by pyright's verifytypes: this package of it brings node.
types: $(INSTALLED)
	$(BIN)/pip install --quiet basedpyright
	cd $(VENV) && VIRTUAL_ENV=$(abspath $(VENV)) PATH=$(abspath $(BIN)):$$PATH \
		basedpyright --verifytypes provably_fair --ignoreexternal | tail -n 18

bench: $(INSTALLED)
	$(BIN)/python benches/run.py

# One wheel for every CPython from 3.11 on (abi3) and this machine's kind of system: dist/*-cp311-abi3-*.whl.
# On Linux the tag is the lowest manylinux that the built file really fits.
wheel: $(VENV)/ready
	$(BIN)/maturin build --release --locked --out dist

# The wheel in an empty environment: installed alone, then the demo and every test of Python.
wheel-check: wheel
	$(BIN)/python tests/tools/wheel_check.py dist

# What a release needs: version, changelog, tags, site, what the wheel and the source archive hold, licenses. If
# nothing is in its way, it says what only a person can do.
release-check: docs wheel
	$(BIN)/maturin sdist --out dist
	$(BIN)/python -m pytest -q -p no:cacheprovider tests/test_supply_chain.py
	$(BIN)/python tests/tools/release_check.py --dist dist --site $(SITE)

# Other processors and systems: everything that is released compiles, and what can be emulated is tested. Takes some
# of Debian's packages, which it names. The second tests the extension in a Python on ARM. What passed is kept in
# tests/vectors/platforms.json.
platforms:
	CARGO_TARGET_DIR=$(abspath $(VENV))/platforms $(PYTHON) tests/tools/check_platforms.py

platforms-python: $(VENV)/ready
	CARGO_TARGET_DIR=$(abspath $(VENV))/platforms $(BIN)/python tests/tools/check_platforms.py --python

# The wheel on the oldest Python with the oldest numpy, and on newer ones, in roots that debootstrap makes: takes root's
# rights, 8 GB and a quarter of an hour for each. PYTHONS="3.14 3.15" for some of them. What passed is kept in
# tests/vectors/pythons.json.
PYTHONS ?=
pythons: wheel $(ENGINE)
	$(BIN)/python tests/tools/check_pythons.py $(PYTHONS)

# The package in Pyodide, as in a browser, under node: builds the engine for WebAssembly with Debian's compilers, which it
# unpacks, recomputes the corpus, and runs the README's examples and a selection of tests. Takes 2 GB, and a quarter of an
# hour. PYODIDE=folder for a Pyodide of your own. What passed is kept in tests/vectors/wasm.json.
PYODIDE ?=
wasm: $(VENV)/basics
	$(BIN)/python tests/tools/check_wasm.py $(PYODIDE)

# 20,000 random logs with planted defects, of every system and in every storage, against the oracles: what was
# verified is kept in tests/vectors/random_logs.json.
random-logs: $(INSTALLED)
	$(BIN)/python tests/tools/random_logs.py 20000

# Audits of 2,000 honest logs, of every system, in any order: none may get a proof against it. What was found is kept
# in measurements/honest_logs.json.
honest-logs: $(INSTALLED)
	$(BIN)/python measurements/measure_honest_logs.py

# Logs of 100,000 hands of each operator's blackjack and video poker, honest and with planted faults; kept in
# measurements/card_logs.json.
card-logs: $(INSTALLED)
	$(BIN)/python measurements/measure_blocks.py
	$(BIN)/python measurements/measure_card_logs.py

# Readings: mistakes of logs that are named, published rounds that are known, mutants of rules that the kept rounds
# exclude; kept in measurements/readings.json. The second makes these rounds, of every game: tests/vectors/rounds.
readings: $(INSTALLED)
	$(BIN)/python measurements/measure_readings.py

rounds: $(INSTALLED)
	$(BIN)/python tests/tools/make_rounds.py

# Every published round, recomputed from its seeds or its anchor: a line a series, kept in corpus/recomputed.json.
corpus: $(INSTALLED)
	$(BIN)/python corpus/recompute.py

# The recipes of docs/howto/other_tools.md beside the tools themselves, which have an environment of their own: 1 GB,
# and Java for Spark.
RECIPES := $(VENV)/recipes
recipes: $(INSTALLED)
	$(STEP) "Making an environment for the recipes" -- $(PYTHON) -m venv $(RECIPES)
	$(STEP) "Installing pandera, Great Expectations and Spark" -- $(RECIPES)/bin/python -m pip install pyarrow pandera great_expectations pyspark
	$(BIN)/python tests/tools/run_recipes.py $(RECIPES)/bin/python

# Ports of all games in node, beside the package: every published and separating round, 10,000 random ones of each,
# and mutants of what ports share. Kept in measurements/ports.json. Before, their page in Chromium, with axe-core for its
# accessibility.
ports: $(INSTALLED)
	npm install --silent --no-audit --no-fund --prefix $(VENV)/node axe-core@4
	$(BIN)/python tests/tools/run_thorough.py tests/ports
	$(BIN)/python tests/tools/run_ports.py

# The hashes of ports, from npm: python/provably_fair/ports/hashes.js, and hashes.json beside it.
hashes:
	$(PYTHON) tests/tools/make_hashes.py

# Dieharder's short run on good and on bad generators, kept in measurements/batteries.json.
battery: $(INSTALLED)
	$(BIN)/python measurements/measure_batteries.py

# Needs `cargo install cargo-mutants`, and hours: one build for each of 1,250 mutants.
mutants:
	cargo mutants

# The same of four rooms in Python, a sample: needs cosmic-ray in the environment, and an hour and a half. It changes
# the sources in place, and puts them back. Kept in measurements/mutants.json; names of packages, --again in ROOMS.
ROOMS ?=
python-mutants: $(INSTALLED)
	$(BIN)/python measurements/measure_mutants.py $(ROOMS)

# Needs `cargo install llvm_profparser` and pytest-cov in the environment.
coverage: $(VENV)/ready
	$(BIN)/python measurements/measure_coverage.py

# How often intervals, tests and monitors of bets are wrong, and bankrolls ruined: an hour, and what changes is in measurements.
measure: $(VENV)/ready
	$(BIN)/python measurements/measure_rtp_coverage.py
	$(BIN)/python measurements/measure_bet_proofs.py
	$(BIN)/python measurements/measure_watch.py
	$(BIN)/python measurements/measure_watch_windows.py
	$(BIN)/python measurements/measure_fairness.py
	$(BIN)/python measurements/measure_standard_tests.py
	$(BIN)/python measurements/measure_ruin.py
	$(BIN)/python measurements/measure_audit_tests.py
	$(BIN)/python measurements/measure_audits.py
	$(BIN)/python measurements/measure_moved_rows.py
	$(BIN)/python measurements/measure_crash_fit.py

# Blackjack: 10^8 rounds under each of many rules against the exact law of what a round wins, cell by cell; what comes
# out is kept in benches/blackjack_rounds.json. Takes half an hour.
blackjack-rounds: $(INSTALLED)
	$(BIN)/python benches/bench_blackjack.py --check

# Video poker with wild cards by brute force over all deals, and rules as they are found: minutes, kept in tests/vectors.
poker: $(VENV)/ready
	$(BIN)/python tests/oracles/wild_cards.py
	$(BIN)/python tests/tools/find_poker_rules.py

format:
	cargo fmt
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The template of commit messages and the hook that checks them, for this clone.
hooks:
	git config core.hooksPath .githooks
	git config commit.template .gitmessage

clean:
	rm -rf $(VENV) target dist build docs/reference/generated docs/notebooks/*.ipynb

# The environment, in three stamps: what the engine is built with, what the tests need, and what the linters do. Each
# step says what it does and about how long it takes. Dependency groups are read by pip 25.1 and later.
STEP := $(PYTHON) tests/tools/step.py
PIP := $(BIN)/python -m pip install

# While it is made, cargo compiles crates that need no Python.
$(VENV)/basics:
	cargo build --release --quiet $(addprefix --package ,blst fearless_simd) & \
	$(STEP) "Making an environment in $(VENV), 10 s" -- $(PYTHON) -m venv $(VENV) && \
	$(STEP) "Installing maturin and numpy, 10 s" -- $(PIP) --no-compile --upgrade 'pip>=25.1' 'maturin>=1.9,<2' 'numpy>=1.26'; \
	code=$$?; wait; exit $$code
	touch $@

$(VENV)/ready: pyproject.toml $(VENV)/basics
	$(STEP) "Installing what the tests need, 1.3 GB, 70 s" -- $(PIP) --group test
	touch $@

# The tests of Rust.
$(VENV)/rust-tests: $(RUST) $(wildcard tests/*.rs) | $(VENV)/basics
	$(STEP) "Building the tests of Rust, 2 minutes from nothing" -- cargo test --release --no-run
	touch $@

$(VENV)/lint-ready: $(VENV)/ready
	$(STEP) "Installing the linters, 10 s" -- $(PIP) --group lint
	touch $@

# What the site needs besides.
$(VENV)/docs-ready: $(VENV)/ready
	$(STEP) "Installing what the site needs, 30 s" -- $(PIP) --group docs
	touch $@

# The extension module, built in place: Python files take effect without another build.
$(ENGINE): $(VENV)/basics $(RUST) README.md
	$(STEP) "Building the engine, 1 to 3 minutes from nothing" -- env VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --release
	touch $@
