# SPDX-License-Identifier: Apache-2.0
# The index of what can be done with this tree. `make` alone prints it.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# What `make run` adds to the command line, e.g. ARGS="movie.mp4 --report json".
ARGS ?=

C_MONITOR := Examples/c-monitor/libcmonitor.so
EXAMPLES := $(C_MONITOR) Examples/pause-on-cellular/libpauseoncellular.so

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup build debug test lint format run bench sanitize fuzz blast abi-check plugins corpus install clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing (apt, by name); does nothing where all is there
	@scripts/setup.sh

build: setup ## release build in .build/release, built-in strategies and demo clip beside it
	$(SWIFT) build -c release
	@scripts/stage.sh .build/release

debug: setup
	$(SWIFT) build --build-tests
	@scripts/stage.sh .build/debug

plugins: setup ## build the example plugins with the C compiler
	@for example in $(EXAMPLES); do $(MAKE) --no-print-directory -C "$$(dirname "$$example")" || exit; done

run: build plugins ## build release and play the demo clip under the example plugin; ARGS are added
	.build/release/kitshell --plugin $(C_MONITOR) $(ARGS)

test: debug plugins ## build debug and run all tests
	@scripts/setup.sh --tests
	@SWIFT="$(SWIFT)" scripts/test.sh

lint: debug plugins ## formatting, import directions, exported symbols, file rules
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources
	scripts/check-files.sh
	scripts/check-imports.sh
	$(SWIFT) build --explicit-target-dependency-import-check error
	scripts/check-exports.sh .build/debug/builtin/*.so $(EXAMPLES)
	.build/debug/kit-corpus --check-readme

format: ## rewrite the Swift files as `make lint` wants them
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources

bench: ## measure, JSON on standard output
	@$(MAKE) --no-print-directory build >&2
	@scripts/bench.sh

sanitize: setup plugins ## all tests under the address and undefined-behaviour sanitizers, then under that of threads
	@scripts/sanitize.sh address
	@scripts/sanitize.sh thread

corpus: debug plugins ## hostile plugins in every place, against Tests/Corpus/corpus.txt; ARGS as Tests/Corpus/README.md has them
	@.build/debug/kit-corpus $(ARGS)

blast: debug ## bring plugins down all the time while a file plays, and see that nobody else notices; SECONDS=60
	@KIT_BLAST_SECONDS=$(or $(SECONDS),60) $(SWIFT) test --skip-build --filter BlastRadiusTests

fuzz: setup ## damaged media, workers that break the protocol and damaged configurations, a minute each; ARGS as scripts/fuzz.sh takes them
	@scripts/fuzz.sh media $(ARGS)
	@scripts/fuzz.sh wire $(ARGS)
	@scripts/fuzz.sh config $(ARGS)

abi-check: setup ## sizes, offsets and headers of the plugin ABI, in C, C++ and Swift
	$(SWIFT) test --filter PluginABITests

install: ## copy the release build to DESTDIR/PREFIX (after `make build`)
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install.sh

clean: ## remove everything that was built
	rm -rf .build Benchmarks/.build
	@for example in $(EXAMPLES); do rm -f "$$example"; done
