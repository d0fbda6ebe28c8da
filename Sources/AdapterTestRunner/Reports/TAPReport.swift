/// The report in the Test Anything Protocol, version 14, with a line for each test and diagnostics in YAML.
enum TAPReport {
    static func report(_ run: RunOutcome) -> String {
        var lines = ["TAP version 14"]
        var number = 0
        for file in run.files {
            if let failure = file.failure {
                number += 1
                lines.append("not ok \(number) - \(escaped(file.file.path))")
                lines += diagnostics([failure])
            }
            for test in file.tests {
                number += 1
                lines.append("\(test.status == .failed ? "not ok" : "ok") \(number) - \(name(test, file))")
                lines += diagnostics(test.failures)
            }
        }
        lines.insert("1..\(number)", at: 1)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func name(_ test: TestOutcome, _ file: FileOutcome) -> String {
        let name = escaped("\(file.file.adapter) › \(test.fullName)")
        switch test.status {
        case .skipped: return "\(name) # SKIP"
        case .todo: return "\(name) # TODO"
        case .passed, .failed: return name
        }
    }

    private static func diagnostics(_ failures: [TestFailureError]) -> [String] {
        guard let first = failures.first else { return [] }
        // A YAML block has each key once, so all failures are one message. The number is the indentation, because the first line of the
        // message may begin with spaces.
        var lines = ["  ---", "  message: |2"]
        lines += failures.enumerated().flatMap { index, failure in text(of: failure, isFirst: index == 0) }
            .map { "    \($0.printable)" }
        if let place = first.place { lines.append("  at: \(place)") }
        return lines + ["  ..."]
    }

    /// Returns the lines of a failure, with its position. The position of the first failure is omitted, because a separate key has it.
    private static func text(of failure: TestFailureError, isFirst: Bool) -> [String] {
        let message = failure.message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(
            String.init)
        guard !isFirst else { return message }
        return [""] + message + (failure.place.map { ["at \($0)"] } ?? [])
    }

    /// Escapes the number sign, which would begin a directive.
    private static func escaped(_ text: String) -> String {
        text.printable.replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }
}

extension String {
    /// The string with a space for each control character, which is safe for a terminal.
    fileprivate var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
