# SPDX-FileCopyrightText: 2026 The Lithe authors
# SPDX-License-Identifier: MIT

# A thin front: CMake builds (CMakePresets.json says how), the scripts do the rest.

all:
	@scripts/build

demo: all
	@scripts/demo

test:
	@scripts/test

test-full:
	@scripts/test full

format:
	@scripts/check-format --fix

golden:
	@scripts/write-golden

sizes:
	@scripts/report-sizes

clean:
	rm -rf build out

help:
	@echo 'make            build/lithe and the libraries'
	@echo 'make demo       the same, then a scene at five budgets, side by side, into out/'
	@echo 'make test       every test, most with sanitizers; golden hashes and long ones with clang; threads (minutes)'
	@echo 'make test-full  adds double precision, scalar and SSE, clang sanitizers, wasm, Windows, long fuzzing, slow tests'
	@echo 'make format     clang-format 14 on every C file'
	@echo 'make golden     writes the hashes of results anew (tests/golden.txt), where they are meant to change'
	@echo 'make sizes      long files and functions, and numbers of src/ with their bars'
	@echo 'make clean      removes build/ and out/'
	@echo
	@echo 'What is missing (cmake, ninja, ...) is installed with apt-get, as root or through sudo.'

.PHONY: all demo test test-full format golden sizes clean help
