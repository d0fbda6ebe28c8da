import Foundation
import PushModel

/// Results go to standard output as JSON, and nothing else does.
enum Console {
    /// Writes a result as it is, on a line of its own.
    static func writeResult(_ json: String) {
        FileHandle.standardOutput.write(Data((json + "\n").utf8))
    }

    /// Writes a text as it is.
    static func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    /// Writes a result for people to read.
    static func writePretty(_ json: String) {
        writeResult((try? JSONValue(parsing: json).prettyText) ?? json)
    }

    /// Writes a remark to standard error.
    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
