/// Which tests failed when they last ran.
public struct FailedTests: Sendable, Hashable {
    /// By the paths of their files, the names of each; no test at all where the file could not be run.
    private var tests: [String: Set<[String]>] = [:]

    public init() {}

    /// Records the outcomes of tests; the records of tests that did not run stay.
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

    /// Whether something in a file has failed.
    public func concern(_ file: TestFile) -> Bool { tests[file.path] != nil }

    func contain(_ names: [String], of file: TestFile) -> Bool {
        guard let failed = tests[file.path] else { return false }
        return failed.isEmpty || failed.contains(names)
    }
}
