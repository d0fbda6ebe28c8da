import Core
import Foundation

/// Writes only results to standard output. Notes and errors are written to standard error.
///
/// With `--json` results are JSON without line breaks, and so is every line of standard error: `{"error": …}`,
/// `{"note": …}`, or a line of the log with `time`, `level` and `message`.
enum CommandOutput {
    /// True if `--json` was passed, to any command; known before the command line is parsed, so that its errors are JSON, too.
    static let isJSON = CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--json")

    /// Writes a result and a line end.
    static func writeResult(_ text: String) {
        writePart(text + "\n")
    }

    /// Writes a part of a result as it is. When it cannot be written, the command ends.
    static func writePart(_ text: String) {
        switch Output.write(text, to: STDOUT_FILENO) {
        case 0: return
        case EPIPE:
            // The reader has closed the pipe, as `head` does: end as other programs do.
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        case let reason:
            error("the result cannot be written: \(String(cString: strerror(reason)))")
            exit(EXIT_FAILURE)
        }
    }

    /// Writes a result in a readable form; with `--json` unchanged.
    static func writePretty(_ json: String) {
        writeResult(isJSON ? json : (try? JSONValue(parsing: json).prettyText) ?? json)
    }

    /// Writes a remark to standard error, with control characters spelt out.
    static func note(_ text: String, asJSON: Bool = CommandOutput.isJSON) {
        StandardError.write(asJSON ? JSONValue(dictionaryLiteral: ("note", .string(text))).text : text.printable)
    }

    /// Writes an error to standard error: the problem and the remedy. Without `--json` it writes `text` instead, if that is not `nil`.
    static func error(_ message: String, text: String? = nil) {
        StandardError.write(
            isJSON
                ? JSONValue(dictionaryLiteral: ("error", .string(message))).text
                : (text ?? "lamplighter: \(message)").printable)
    }
}
