# make serve   build and run the server on this repository's adapters
# make test    build and run the tests
# Both install what the machine lacks; see scripts/install-packages.

SWIFT_BUILD = swift build --product lamplighter

.PHONY: serve build test lint format packages test-packages clean

serve: build
	bin/lamplighter serve

build: packages
	$(SWIFT_BUILD)
	@mkdir -p bin && ln -sf ../.build/debug/lamplighter bin/lamplighter

test: test-packages lint
	swift build --build-tests
	@mkdir -p bin && ln -sf ../.build/debug/lamplighter bin/lamplighter
	swift test --skip-build

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
