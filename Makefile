# make serve     build and run the server on this repository's adapters
# make demo      build, and show a push on a page of phones: nothing leaves the machine
# make test      build and run the tests, but for the long ones
#                make test FILTER=ScopeTests builds, and runs the tests whose names match
# make test-all  build and run all tests, the long ones whole, and the release build
# make release   build the server to keep, .build/release/lamplighter
# All install what the machine lacks; see scripts/install-packages.

# Where ccache is installed, C sources are compiled once for all copies of the repository.
CCACHE := $(shell scripts/ccache-clang --if-possible)
ifneq ($(CCACHE),)
export CC := $(CCACHE)
endif
SWIFT_BUILD = swift build --product lamplighter $(SWIFT_FLAGS)

.PHONY: serve demo build release test test-all lint format packages clean

serve: build
	bin/lamplighter serve

demo: build
	swift build --product push-sandbox $(SWIFT_FLAGS)
	@ln -sf ../.build/debug/push-sandbox bin/push-sandbox
	scripts/demo

build: packages
	@echo "C sources: $(if $(CCACHE),compiled through ccache,compiled without ccache; install it to build faster)"
	$(SWIFT_BUILD)
	@mkdir -p bin && ln -sf ../.build/debug/lamplighter bin/lamplighter

release: packages
	$(SWIFT_BUILD) -c release

test:
	FILTER='$(FILTER)' scripts/run-tests

test-all:
	TEST_ALL=1 scripts/run-tests

lint:
	swift format lint --strict --recursive Package.swift Sources Tests benchmarks

format:
	swift format --in-place --recursive Package.swift Sources Tests benchmarks

packages:
	@scripts/install-packages

clean:
	rm -rf .build bin
