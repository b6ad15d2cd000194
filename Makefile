# adhand: what a person types. `make run` and `make test` do everything on a fresh Debian with Swift, packages included.

SWIFT   ?= swift
RELEASE := .build/release
# The Swift runtime is linked in, so that the programs run on machines without Swift; folding identical functions and
# leaving symbols out keeps each below 16 MB.
STATIC  := -c release --static-swift-stdlib -Xlinker --gc-sections -Xlinker --icf=all -Xlinker -s

.PHONY: run build test unit interop lint bench clean deps test-deps

run: build
	@Tests/run.sh $(RELEASE)

build: deps
	$(SWIFT) build $(STATIC)

test: test-deps build lint unit interop

# The whole-program tests run the release binaries: they are what is installed.
unit: test-deps build
	ADHAND_BIN=$(CURDIR)/$(RELEASE)/adhand ADHANCTL_BIN=$(CURDIR)/$(RELEASE)/adhanctl $(SWIFT) test

# A Varlink client that nobody here wrote talks to the daemon.
interop: build
	Tests/interop/run.sh $(RELEASE)

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

bench: build test-deps
	Benchmarks/bench.sh

clean:
	rm -rf .build

LIBRARIES := libasound2-dev libmpg123-dev libsystemd-dev pkg-config
TEST_PACKAGES := $(LIBRARIES) gcc libc6-dev make python3 python3-venv tzdata mpg123

deps:
	@pkg-config --exists alsa libmpg123 libsystemd 2>/dev/null || Tests/install-packages.sh $(LIBRARIES)

test-deps:
	@Tests/install-packages.sh $(TEST_PACKAGES)
