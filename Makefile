# make serve     build and run the server on this repository's adapters
# make demo      build, and show a push on a page of phones: nothing leaves the machine
# make test      build and run the tests, but for the long ones
#                make test FILTER=ScopeTests builds, and runs the tests whose names match
# make test-all  build and run all tests, the long ones whole, and the release build
# make release   build the server to keep, .build/release/lamplighter: it contains Swift's libraries
# make deb       pack it for Debian, in .build/package
# make test-package   try the packages in a bare Debian; needs root
# All install what the machine lacks; see scripts/install-packages.

# C sources are compiled through ccache, once for all copies of the repository. The recipes look for it, since `packages` installs it before
# the first build. scripts/run-tests does the same, so that `make serve` and `make test` share what is compiled.
WITH_CCACHE = CC=$$(scripts/ccache-clang --if-possible) && export CC || unset CC;
SWIFT_BUILD = $(WITH_CCACHE) swift build --product

.PHONY: serve demo build release deb test test-all test-package lint format packages clean

serve: build
	bin/lamplighter serve

demo: build
	$(SWIFT_BUILD) push-sandbox $(SWIFT_FLAGS)
	@ln -sf ../.build/debug/push-sandbox bin/push-sandbox
	scripts/demo

build: packages
	$(SWIFT_BUILD) lamplighter $(SWIFT_FLAGS)
	@mkdir -p bin && ln -sf ../.build/debug/lamplighter bin/lamplighter

release: packages
	$(SWIFT_BUILD) lamplighter $(SWIFT_FLAGS) -c release --static-swift-stdlib

deb: release
	@scripts/install-packages package
	$(SWIFT_BUILD) push-sandbox $(SWIFT_FLAGS) -c release --static-swift-stdlib
	scripts/build-package

test:
	FILTER='$(FILTER)' scripts/run-tests

test-all:
	TEST_ALL=1 scripts/run-tests

test-package: deb
	scripts/test-package

lint:
	swift format lint --strict --recursive Package.swift Plugins Sources Tests benchmarks
	scripts/lint-javascript
	scripts/lint-prose
	scripts/lint-tests
	scripts/lint-expiry

format:
	swift format --in-place --recursive Package.swift Plugins Sources Tests benchmarks

packages:
	@scripts/install-packages

clean:
	rm -rf .build bin
