import AdapterRuntime
import AdapterSyntax
import Foundation
import JavaScriptEngine

/// The scripts of a test file's scope, which are the file and the modules that it requires, and the positions of their errors.
///
/// It must be used on the thread of the scope's virtual machine only.
final class TestScripts {
    private let thrown: ThrownValues
    /// The source maps from the instrumented scripts to the files, keyed by the files' paths.
    private var maps: [String: SourceMap] = [:]

    init(in context: ScriptContext) throws {
        let thrown = try ThrownValues(in: context)
        self.thrown = thrown
        try ThrownValues.install(in: context) { [weak thrown] in thrown }
    }

    /// Returns the instrumented source of a file: `throw` of a value that is not an Error records its position, as in adapters. A source
    /// that only the engine can parse is returned unchanged.
    func marked(_ source: String, file: String) -> String {
        guard source.contains("throw"), let tree = try? SyntaxTree(source, file: file) else { return source }
        let marks = ThrowMarkedScript(tree)
        guard marks.areNeeded else { return source }
        maps[file] = marks.map
        return marks.source
    }

    /// Removes the recorded errors of an earlier call.
    func begin() { thrown.forget() }

    /// Returns an error with the positions in the source of the files.
    func told(_ error: any Error) -> any Error {
        switch error {
        case let error as ScriptError: return thrown.withPlace(error).mapped(original)
        case var error as LimitExceededError:
            error.stack = error.stack.map {
                let carrier = ScriptError(name: nil, message: "", location: nil, stack: $0)
                return carrier.mapped(original).stack ?? $0
            }
            return error
        default: return error
        }
    }

    func original(_ location: ScriptLocation) -> ScriptLocation {
        guard let map = maps[location.file], let column = location.column else { return location }
        let place = map.original(SourcePosition(line: location.line, column: column))
        return ScriptLocation(file: location.file, line: place.line, column: place.column)
    }
}

/// A syntax error in a test file.
struct TestSyntaxError: Error {
    let location: ScriptLocation
    let message: String

    init(_ error: ScriptSyntaxError, in source: String) {
        location = error.location
        let lines = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let line = lines.indices.contains(location.line - 1) ? lines[location.line - 1] : ""
        // The engine's message would be about calls of `import`.
        let isModule = line.firstMatch(of: /^\s*(import|export)\b/) != nil
        message = isModule ? "a test file is a script, not a module: it has no import and export" : error.message
    }
}
