import AdapterRuntime
import AdapterSyntax
import Foundation
import JavaScriptEngine

/// The scripts of a test file's scope, its own and those that it requires, and where what they throw was thrown.
///
/// Lives in the scope's virtual machine.
final class TestScripts {
    private let thrown: ThrownValues
    /// From places in what is run to those in the files.
    private var maps: [String: SourceMap] = [:]

    init(in context: ScriptContext) throws {
        thrown = try ThrownValues(in: context)
    }

    /// What is run of a file: in it `throw "text"` tells where it was, as in adapters. What only the engine can read stays as it is.
    func marked(_ source: String, file: String) -> String {
        guard source.contains("throw"), let tree = try? SyntaxTree(source, file: file) else { return source }
        let marks = ThrowMarkedScript(tree)
        guard marks.areNeeded else { return source }
        maps[file] = marks.map
        return marks.source
    }

    /// From here on nothing has been thrown.
    func begin() { thrown.forget() }

    /// What was thrown, with the places that the files' author wrote it at.
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
