import Foundation
import JavaScriptEngine

/// The report for a terminal. It has a symbol before each test and, after each failed test, the reason and the position.
public struct TextReport: Sendable {
    private let usesColor: Bool

    public init(usesColor: Bool) {
        self.usesColor = usesColor
    }

    private enum Color: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case grey = "90"
        case bold = "1"
    }

    /// Returns the report of all files, with the summary.
    public func report(_ run: RunOutcome) -> String {
        run.files.map { report($0) }.joined() + summary(run)
    }

    /// Returns the report of a file.
    public func report(_ outcome: FileOutcome) -> String {
        var text = colored(outcome.file.path, .bold) + "\n"
        text += outcome.output.map { indented($0, by: 2) + "\n" }.joined()
        if let failure = outcome.failure {
            text += colored("  ✗ the file cannot be run", .red) + "\n" + shown(failure, in: outcome)
        }
        var last: [String] = []
        for test in outcome.tests {
            text += suites(of: test, after: last)
            last = Array(test.names.dropLast())
            text += line(test) + "\n"
            text += test.output.map { indented($0, by: test.names.count * 2 + 2) + "\n" }.joined()
            text += test.failures.map { shown($0, in: outcome, depth: test.names.count * 2 + 2) }.joined()
            text += log(of: test)
        }
        return text + "\n"
    }

    /// Returns the summary, such as `3 passed, 1 failed in 2 files (0.31 s)`.
    public func summary(_ run: RunOutcome) -> String {
        var parts: [String] = []
        for (status, color) in [
            (TestOutcome.Status.passed, Color.green), (.failed, .red), (.skipped, .yellow), (.todo, .yellow),
        ] {
            let count = run.count(status)
            if count > 0 { parts.append(colored("\(count) \(status.rawValue)", color)) }
        }
        let broken = run.files.count { $0.failure != nil }
        if broken > 0 { parts.append(colored("\(broken) file\(broken == 1 ? "" : "s") that cannot be run", .red)) }
        let files = "\(run.files.count) file\(run.files.count == 1 ? "" : "s")"
        return "\(parts.isEmpty ? "no tests" : parts.joined(separator: ", ")) in \(files) (\(run.duration.spelling))\n"
    }

    private func suites(of test: TestOutcome, after last: [String]) -> String {
        let suites = test.names.dropLast()
        let known = zip(suites, last).prefix { $0 == $1 }.count
        return suites.enumerated().dropFirst(known)
            .map { indented($1, by: $0 * 2 + 2) + "\n" }.joined()
    }

    private func line(_ test: TestOutcome) -> String {
        let (mark, color): (String, Color) =
            switch test.status {
            case .passed: ("✓", .green)
            case .failed: ("✗", .red)
            case .skipped: ("-", .yellow)
            case .todo: ("…", .yellow)
            }
        var line = "\(colored(mark, color)) \(test.names.last ?? "")"
        if test.status == .skipped || test.status == .todo { line += colored(" (\(test.status.rawValue))", .grey) }
        if test.duration >= .milliseconds(100) { line += colored(" (\(test.duration.spelling))", .grey) }
        return indented(line, by: test.names.count * 2)
    }

    private func log(of test: TestOutcome) -> String {
        guard !test.log.isEmpty else { return "" }
        let shown = test.log.suffix(20)
        let lines = ["the adapters' log:"] + (shown.count < test.log.count ? ["…"] : []) + shown
        return lines.map { colored(indented($0, by: test.names.count * 2 + 2), .grey) + "\n" }.joined() + "\n"
    }

    private func shown(_ failure: TestFailureError, in outcome: FileOutcome, depth: Int = 4) -> String {
        var text = "\n"
        for line in failure.message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let color: Color? = line.hasPrefix("- ") ? .green : line.hasPrefix("+ ") ? .red : nil
            let part = color.map { colored(String(line), $0) } ?? String(line)
            text += line.isEmpty ? "\n" : indented(part, by: depth) + "\n"
        }
        let quote = failure.place.map { Excerpt.lines(of: outcome.source, around: $0) } ?? []
        if !quote.isEmpty { text += "\n" + quote.map { colored(indented($0, by: depth), .grey) + "\n" }.joined() }
        let stack = ScriptStack.folded(failure.stack)
        let frames = stack.isEmpty ? failure.place.map { ["\($0)"] } ?? [] : stack
        if !frames.isEmpty { text += "\n" + frames.map { indented("at \($0)", by: depth) + "\n" }.joined() }
        return text + "\n"
    }

    private func colored(_ text: String, _ color: Color) -> String {
        usesColor ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }

    private func indented(_ text: String, by count: Int) -> String {
        String(repeating: " ", count: count)
            + text.replacing("\n", with: "\n" + String(repeating: " ", count: count))
    }
}

/// A position in a file with the lines around it.
enum Excerpt {
    static func lines(of source: String, around place: ScriptLocation) -> [String] {
        let lines = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.indices.contains(place.line - 1) else { return [] }
        let range = max(1, place.line - 2)...min(lines.count, place.line + 1)
        let width = "\(range.upperBound)".count
        return range.flatMap { number -> [String] in
            let padded = String(repeating: " ", count: width - "\(number)".count) + "\(number)"
            let line = "\(number == place.line ? ">" : " ") \(padded) | \(lines[number - 1])"
            guard number == place.line, let column = place.column else { return [line] }
            // Tabs are kept, because their width depends on the terminal.
            let before = String(lines[number - 1].utf16.prefix(max(0, column - 1))) ?? ""
            let blank = String(before.map { $0 == "\t" ? "\t" : " " })
            return [line, "  \(String(repeating: " ", count: width)) | \(blank)^"]
        }
    }
}

extension Duration {
    /// The duration with its unit, such as `12 ms` or `1.53 s`.
    var spelling: String {
        let milliseconds = self / .milliseconds(1)
        return milliseconds < 1000
            ? "\(Int(milliseconds.rounded())) ms" : String(format: "%.2f s", milliseconds / 1000)
    }
}
