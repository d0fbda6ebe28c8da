public import JavaScriptEngine

/// How one test went.
public struct TestOutcome: Sendable {
    public enum Status: String, Sendable, Hashable {
        case passed, failed, skipped
        /// Named, but not written yet: `it.todo`.
        case todo
    }

    /// The names of the suites around it, and its own.
    public let names: [String]
    public let status: Status
    /// What it took, making its harness included.
    public let duration: Duration
    /// Why it failed; several when hooks failed as well.
    public let failures: [TestFailureError]
    /// What it printed with `console`.
    public let output: [String]
    /// What the adapters logged in it at `info` and above, when it failed.
    public let log: [String]

    /// `Watchlist › remembers what was added`.
    public var fullName: String { names.joined(separator: " › ") }
}

/// Why a test failed.
public struct TestFailureError: Error, Sendable, Hashable {
    /// On several lines.
    public let message: String
    /// Where in the test file; `nil` when that is not known.
    public let place: ScriptLocation?
    /// The calls that led there, innermost first.
    public let stack: [String]
}

/// How the tests of one file went.
public struct FileOutcome: Sendable {
    public let file: TestFile
    /// The file's text, for reports that quote it.
    public let source: String
    public let tests: [TestOutcome]
    /// What it printed while it was evaluated.
    public let output: [String]
    /// Why the file could not be read; its tests are unknown then.
    public let failure: TestFailureError?
}

/// How all went.
public struct RunOutcome: Sendable {
    public let files: [FileOutcome]
    public let duration: Duration

    public init(files: [FileOutcome], duration: Duration) {
        self.files = files
        self.duration = duration
    }

    /// How many tests ended so.
    public func count(_ status: TestOutcome.Status) -> Int {
        files.reduce(0) { $0 + $1.tests.count { $0.status == status } }
    }

    /// Whether every file could be read and no test failed.
    public var isSuccessful: Bool { files.allSatisfy { $0.failure == nil } && count(.failed) == 0 }
}
