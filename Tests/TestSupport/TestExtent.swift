import Foundation
public import Testing

/// How much the tests do: `make test` has a small form of each long test, `make test-all` runs them whole.
public enum TestExtent {
    /// Whether long tests run whole, as in `make test-all`.
    public static let isFull = ProcessInfo.processInfo.environment["TEST_ALL"] == "1"

    /// Returns the size for this run.
    public static func size<Value>(_ small: Value, full: Value) -> Value { isFull ? full : small }
}

extension Trait where Self == ConditionTrait {
    /// Marks a test that runs only in `make test-all`.
    public static var long: Self { .enabled(if: TestExtent.isFull, "runs in make test-all") }
}

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs, before `scripts/run-tests` ends the whole target.
    public static var defaultTimeLimit: Self { .timeLimit(.minutes(TestExtent.size(10, full: 20))) }
}
