public import JavaScriptEngine

/// The outcome of a test.
public struct TestOutcome: Sendable {
    public enum Status: String, Sendable, Hashable {
        case passed, failed, skipped
        /// A test that is declared with `it.todo` and not written yet.
        case todo
    }

    /// The names of its suites, the outermost first, and its own name.
    public let names: [String]
    public let status: Status
    /// The duration of the test, with the creation of its harness.
    public let duration: Duration
    /// The failures: several if hooks failed as well, none if the test passed.
    public let failures: [TestFailureError]
    /// The output of the test, written with `console`.
    public let output: [String]
    /// The adapters' log lines of the level `info` and above during a failed test.
    public let log: [String]

    /// The names in one string, such as `Watchlist › remembers what was added`.
    public var fullName: String { names.joined(separator: " › ") }
}

/// A failure of a test.
public struct TestFailureError: Error, Sendable, Hashable {
    /// The message, with several lines.
    public let message: String
    /// The position in the test file; `nil` when it is not known.
    public let place: ScriptLocation?
    /// The calls that led to the failure, innermost first.
    public let stack: [String]
}

/// The outcome of the tests of a file.
public struct FileOutcome: Sendable {
    public let file: TestFile
    /// The contents of the file, for reports that quote it.
    public let source: String
    public let tests: [TestOutcome]
    /// The output of the file's evaluation.
    public let output: [String]
    /// The reason why the file could not be read or evaluated; its tests are then unknown. `nil` without an error.
    public let failure: TestFailureError?
}

/// The outcome of a run of several files.
public struct RunOutcome: Sendable {
    public let files: [FileOutcome]
    public let duration: Duration

    public init(files: [FileOutcome], duration: Duration) {
        self.files = files
        self.duration = duration
    }

    /// Returns the number of tests with a status.
    public func count(_ status: TestOutcome.Status) -> Int {
        files.reduce(0) { $0 + $1.tests.count { $0.status == status } }
    }

    /// True if every file could be evaluated and no test failed.
    public var isSuccessful: Bool { files.allSatisfy { $0.failure == nil } && count(.failed) == 0 }
}
