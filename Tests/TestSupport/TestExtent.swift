import Foundation
public import Testing

/// The extent of the tests: `make test` runs a small form of each long test, `make test-all` runs them whole.
public enum TestExtent {
    /// True if long tests run whole, as in `make test-all`.
    public static let isFull = ProcessInfo.processInfo.environment["TEST_ALL"] == "1"

    /// Returns the size for this run.
    public static func size<Value>(_ small: Value, full: Value) -> Value { isFull ? full : small }
}

extension Trait where Self == ConditionTrait {
    /// Restricts a test to `make test-all`.
    public static var long: Self { .enabled(if: TestExtent.isFull, "runs in make test-all") }
}

extension Trait where Self == TimeLimitTrait {
    /// Fails a test that hangs after five minutes, or after an hour where long tests run whole.
    ///
    /// No other limit may exist only for a test that hangs; see ``Swift/Duration/noLimit``.
    public static var defaultTimeLimit: Self {
        .timeLimit(.minutes(TestExtent.size(5, full: 60)))  // test: allowed, the one
    }
}

extension Duration {
    /// A day: a timeout that no test reaches, for all timeouts that are not the test's subject.
    ///
    /// A test that waits in vain ends with ``Testing/Trait/defaultTimeLimit`` or with its process, which `scripts/test-processes` kills.
    public static var noLimit: Self { .seconds(86_400) }

    /// The number of milliseconds of ``noLimit``, for adapters' files and original interfaces.
    public static var noLimitMilliseconds: Int { 86_400_000 }
}
