/// The tests that failed in their last run.
public struct FailedTests: Sendable, Hashable {
    /// The names of the failed tests, keyed by the paths of their files. The set is empty for a file that could not be run.
    private var tests: [String: Set<[String]>] = [:]

    public init() {}

    /// Records the outcomes of tests. The records of tests that did not run are unchanged.
    public mutating func remember(_ run: RunOutcome) {
        for file in run.files {
            let path = file.file.path
            if file.failure != nil {
                tests[path] = []
                continue
            }
            var failed = tests[path] ?? []
            for test in file.tests {
                if test.status == .failed { failed.insert(test.names) } else { failed.remove(test.names) }
            }
            tests[path] = failed.isEmpty ? nil : failed
        }
    }

    /// Returns whether a test of a file has failed, or the file could not be run.
    public func concern(_ file: TestFile) -> Bool { tests[file.path] != nil }

    func contain(_ names: [String], of file: TestFile) -> Bool {
        guard let failed = tests[file.path] else { return false }
        return failed.isEmpty || failed.contains(names)
    }
}
