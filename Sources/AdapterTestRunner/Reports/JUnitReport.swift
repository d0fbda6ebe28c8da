import Core
import Foundation
import JavaScriptEngine

/// The report in JUnit's XML for build servers, with a `testsuite` for each file.
enum JUnitReport {
    static func report(_ run: RunOutcome) -> String {
        let suites = run.files.map(suite).joined()
        let broken = run.files.count { $0.failure != nil }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites tests="\(run.files.reduce(broken) { $0 + $1.tests.count })" failures="\(run.count(.failed))" errors="\(broken)" \
            time="\(seconds(run.duration))">
            \(suites)</testsuites>

            """
    }

    private static func suite(_ outcome: FileOutcome) -> String {
        let failed = outcome.tests.count { $0.status == .failed }
        let skipped = outcome.tests.count { $0.status == .skipped || $0.status == .todo }
        let time = outcome.tests.reduce(Duration.zero) { $0 + $1.duration }
        var text = """
              <testsuite name="\(outcome.file.path.escapedForXML)" tests="\(outcome.tests.count + (outcome.failure == nil ? 0 : 1))" failures="\(failed)" \
            skipped="\(skipped)" errors="\(outcome.failure == nil ? 0 : 1)" time="\(seconds(time))">

            """
        if let failure = outcome.failure {
            text += """
                    <testcase name="(the file)" classname="\(outcome.file.adapter.escapedForXML)">
                      <error message="\(firstLine(failure).escapedForXML)">\(escapedLines(whole(failure)))</error>
                    </testcase>

                """
        }
        text += outcome.tests.map { testCase($0, of: outcome.file.adapter) }.joined()
        return text + "  </testsuite>\n"
    }

    private static func testCase(_ test: TestOutcome, of adapter: String) -> String {
        let suites = ([adapter] + test.names.dropLast()).joined(separator: ".")
        let head = """
                <testcase name="\((test.names.last ?? "").escapedForXML)" classname="\(suites.escapedForXML)" \
            time="\(seconds(test.duration))"
            """
        var inner = ""
        if test.status == .skipped || test.status == .todo { inner += "      <skipped/>\n" }
        // The schema allows one `failure` for a test.
        if let first = test.failures.first {
            let text = test.failures.map(whole).joined(separator: "\n\n")
            inner += """
                      <failure message="\(firstLine(first).escapedForXML)">\(escapedLines(text))</failure>

                """
        }
        let output = test.output + test.log
        if !output.isEmpty {
            inner += "      <system-out>\(escapedLines(output.joined(separator: "\n")))</system-out>\n"
        }
        return inner.isEmpty ? head + "/>\n" : head + ">\n" + inner + "    </testcase>\n"
    }

    private static func firstLine(_ failure: TestFailureError) -> String {
        failure.message.split(separator: "\n").first.map(String.init) ?? ""
    }

    private static func whole(_ failure: TestFailureError) -> String {
        ([failure.message] + ScriptStack.folded(failure.stack).map { "    at \($0)" }).joined(separator: "\n")
    }

    private static func seconds(_ duration: Duration) -> String { String(format: "%.3f", duration.inSeconds) }

    /// Escapes the lines for XML and keeps the line breaks, so that the contents of an element stay readable.
    private static func escapedLines(_ text: String) -> String {
        text.components(separatedBy: "\n").map(\.escapedForXML).joined(separator: "\n")
    }
}
