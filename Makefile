# make serve     build and run the server on this repository's adapters
# make demo      build, and show a push on a page of phones: nothing leaves the machine
# make test      build and run the tests
# make release   build the server to keep, .build/release/lamplighter
# All install what the machine lacks; see scripts/install-packages.

SWIFT_BUILD = swift build --product lamplighter

.PHONY: serve demo build release test lint format packages test-packages clean

serve: build
	bin/lamplighter serve

demo: build
	swift build --product push-sandbox
	@ln -sf ../.build/debug/push-sandbox bin/push-sandbox
	scripts/demo

build: packages
	$(SWIFT_BUILD)
	@mkdir -p bin && ln -sf ../.build/debug/lamplighter bin/lamplighter

release: packages
	$(SWIFT_BUILD) -c release

test: test-packages lint
	swift build --build-tests
	@mkdir -p bin && ln -sf ../.build/debug/lamplighter ../.build/debug/push-sandbox bin/
	scripts/run-tests
	scripts/test-adapters

lint:
	swift format lint --strict --recursive Package.swift Sources Tests benchmarks

format:
	swift format --in-place --recursive Package.swift Sources Tests benchmarks

packages:
	@scripts/install-packages

test-packages:
	@scripts/install-packages test

clean:
	rm -rf .build bin
