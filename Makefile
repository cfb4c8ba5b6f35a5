# Everyday commands; `make help` lists them. The work is done by CMake (CMakePresets.json) and by scripts/.
.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

JOBS ?= $(shell nproc)
TEST_JOBS ?= 2
PREFIX ?= /usr/local

# The thread sanitizer needs addresses that do not move; where that cannot be asked for, it is tried as it is.
FIXED_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)

# The tests in C++ alone, by target and by label: what a sanitizer has to see of every change.
QUICK_TESTS := writhe-tests writhe-contract
QUICK_LABELS := ^(unit|contract)$$
# Of those, what tells the thread sanitizer nothing and takes a third of its time: a chain's algebra, which knows no threads, and
# scenes run once more moved, turned and mirrored.
ONE_THREAD := ChainFactorTest|Symmetry|Mirror

.PHONY: help
help:  ## this list
	@echo "Writhe: make TARGET"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' Makefile
	@echo "Variables: JOBS=$(JOBS) (compilations at once)  TEST_JOBS=$(TEST_JOBS)  PREFIX=$(PREFIX)"

# ---- what most people need ------------------------------------------------------------------------------------------------
.PHONY: demo test build setup
demo: build  ## install what is missing, build, run a scene, leave pictures in out/demo
	@scripts/demo

test: setup-test build/build.ninja  ## install what is missing, build, run all tests
	@echo "test: building everything (build/)"
	@cmake --build --preset release -j $(JOBS)
	@ctest --preset release -j $(TEST_JOBS)

build: setup-build build/build.ninja  ## build the program (build/writhe) and the library
	@echo "build: build/writhe"
	@cmake --build --preset release -j $(JOBS) --target writhe writhe-cli

setup:  ## install every Debian package that is missing (scripts/packages.txt)
	@scripts/setup

# ---- for those who change it ----------------------------------------------------------------------------------------------
.PHONY: bench report validation lint lint-all format debug asan asan-quick tsan tsan-quick fuzz test-portable gallery bare-machine
bench: setup-build build/build.ninja  ## time scenes against their bars, write bench.json
	@echo "bench: building build/writhe-bench"
	@cmake --build --preset release -j $(JOBS) --target writhe-bench
	@build/writhe-bench bench.json

report: build  ## run the experiments and show them on one page, out/report/report.html (goes on where it was stopped)
	@build/writhe report

validation: build  ## run all experiments, slow ones too, and write docs/validation.md from what they measured
	@build/writhe report --slow --out out/validation --force || test $$? -eq 1
	@cp out/validation/validation.md docs/validation.md

lint: setup-lint build/build.ninja generated  ## formatting, includes, first lines of commits, and clang-tidy on what changed
	@scripts/lint

lint-all: setup-lint build/build.ninja generated  ## the same with clang-tidy on every source
	@scripts/lint --all

format: setup-lint  ## format every source
	@scripts/lint --format

debug: setup-test build-debug/build.ninja  ## build and test without optimisation (build-debug/)
	@cmake --build --preset debug -j $(JOBS)
	@ctest --preset debug -j $(TEST_JOBS)

asan: setup-test build-asan/build.ninja  ## build and test with the address and undefined-behaviour sanitizers
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan -j $(TEST_JOBS)

asan-quick: setup-test build-asan/build.ninja  ## the same, the unit and contract tests only
	@echo "asan-quick: building the tests in C++ (build-asan/)"
	@cmake --build --preset asan -j $(JOBS) --target $(QUICK_TESTS)
	@ctest --preset asan -j $(TEST_JOBS) -L '$(QUICK_LABELS)'

tsan: setup-test build-tsan/build.ninja  ## build and test with the thread sanitizer
	@cmake --build --preset tsan -j $(JOBS)
	@$(FIXED_ADDRESSES) ctest --preset tsan -j $(TEST_JOBS)

tsan-quick: setup-test build-tsan/build.ninja  ## the same, the unit and contract tests only, where threads matter
	@echo "tsan-quick: building the tests in C++ (build-tsan/)"
	@cmake --build --preset tsan -j $(JOBS) --target $(QUICK_TESTS)
	@$(FIXED_ADDRESSES) ctest --preset tsan -j $(TEST_JOBS) -L '$(QUICK_LABELS)' -E '$(ONE_THREAD)'

FUZZ_SECONDS ?= 600
fuzz: setup-test  ## feed random scenes, surfaces and checkpoints to their readers, FUZZ_SECONDS=600 each (build/fuzz/)
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build --preset fuzz -j $(JOBS)
	@for target in scene checkpoint obj; do \
	  echo "fuzz: $$target for $(FUZZ_SECONDS) s"; fuzz/run build/fuzz $$target -max_total_time=$(FUZZ_SECONDS) || exit 1; done

test-portable: setup-test  ## build for any x86-64 machine (build-portable/) and test
	@cmake --preset portable --log-level=WARNING
	@cmake --build --preset portable -j $(JOBS)
	@ctest --preset portable -j $(TEST_JOBS)

gallery: setup-gallery build  ## make the pictures of the README and of docs/gallery.md (docs/images/gallery/)
	@scripts/gallery

bare-machine: setup-bare  ## the README's two commands in a fresh clone on a Debian without anything (as root)
	@scripts/bare-machine

# ---- for those who ship it ------------------------------------------------------------------------------------------------
.PHONY: install package clean
install: build  ## install the program and the library below PREFIX
	@cmake --install build --prefix $(PREFIX)

package: setup-package  ## a .deb that runs on any x86-64 machine, in build-portable/
	@echo "package: building for any x86-64 machine (build-portable/)"
	@cmake --preset portable -D WRITHE_TESTS=OFF -D WRITHE_BENCH=OFF --log-level=WARNING
	@cmake --build --preset portable -j $(JOBS)
	@cd build-portable && rm -f *.deb && cpack -G DEB && rm -rf _CPack_Packages
	@ls build-portable/*.deb

clean:  ## remove the builds, the demo's output and bench.json
	rm -rf build build-debug build-asan build-tsan build-portable out/demo bench.json

# ---- steps of the above ---------------------------------------------------------------------------------------------------
# Each target installs what it needs itself and no more: nobody downloads clang to see the demo.
.PHONY: setup-build setup-test setup-lint setup-package setup-gallery setup-bare generated
setup-build:
	@scripts/setup build
setup-test:
	@scripts/setup build test
setup-lint:
	@scripts/setup build lint
setup-package:
	@scripts/setup build package
setup-gallery:
	@scripts/setup gallery
setup-bare:
	@scripts/setup bare

# Configured once; CMake itself notices changed CMakeLists and new sources.
build/build.ninja: CMakePresets.json
	@echo "configure: preset release (build/)"
	@cmake --preset release --log-level=WARNING
build-%/build.ninja: CMakePresets.json
	@echo "configure: preset $* (build-$*/)"
	@cmake --preset $* --log-level=WARNING

# clang-tidy reads sources as the compiler does, generated ones included.
generated:
	@cmake --build --preset release -j $(JOBS) --target writhe-generated
