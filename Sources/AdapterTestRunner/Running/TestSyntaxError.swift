import Foundation
import JavaScriptEngine

/// A test file that the engine cannot read.
struct TestSyntaxError: Error {
    let location: ScriptLocation
    let message: String

    init(_ error: ScriptSyntaxError, in source: String) {
        location = error.location
        let lines = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let line = lines.indices.contains(location.line - 1) ? lines[location.line - 1] : ""
        // The engine speaks of calls of import here.
        let isModule = line.firstMatch(of: /^\s*(import|export)\b/) != nil
        message = isModule ? "a test file is a script, not a module: it has no import and export" : error.message
    }
}
