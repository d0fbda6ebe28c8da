import AdapterSyntax
import JavaScriptEngine

extension AdapterScript {
    /// Returns the position in the author's source that corresponds to the engine's `location`.
    func original(_ location: ScriptLocation) -> ScriptLocation {
        guard !maps.isEmpty, location.file == file, let column = location.column else { return location }
        let place = maps.reduce(SourcePosition(line: location.line, column: column)) { $1.original($0) }
        return ScriptLocation(file: file, line: place.line, column: place.column)
    }
}

extension AdapterScript {
    /// The facts found by parsing the source. Parses it each time: for errors only.
    private var facts: ScriptFacts? { (try? SyntaxTree(source, file: file)).map { ScriptFacts($0) } }

    /// The names of the functions at the top level. Reads the script each time: for errors only.
    var functionNames: Set<String> { facts?.globalFunctionNames ?? [] }

    /// Returns the line that declares an event source by an object literal. Reads the script each time: for errors only.
    func line(ofEventSource name: String) -> Int? {
        facts?.eventSources.first { $0.name == name }.map { source in
            let position = source.call.position
            return original(ScriptLocation(file: file, line: position.line, column: position.column)).line
        }
    }
}

/// The translated scripts by file: a stack can go through several.
struct TranslatedScripts: Sendable {
    private let scripts: [String: AdapterScript]

    init(_ scripts: [AdapterScript]) {
        self.scripts = Dictionary(
            scripts.filter(\.isTranslated).map { ($0.file, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the exception with the author's positions, and without the frames inside the translation's own functions.
    func original(_ exception: ScriptError) -> ScriptError {
        guard !scripts.isEmpty else { return exception }
        let frames = exception.stack.map { stack in
            TwinnedScript.original(stack: stack).split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.contains("@\(AdapterScript.helperFile):") }
                .map { original(frame: $0) }
        }
        var location = exception.location.map { scripts[$0.file]?.original($0) ?? $0 }
        if location?.file == AdapterScript.helperFile {
            location =
                frames?.lazy.compactMap { ScriptLocation(stackFrame: $0) }.first { scripts[$0.file] != nil } ?? location
        }
        return ScriptError(
            name: exception.name,
            message: TwinnedScript.original(message: ScopeFunction.original(message: exception.message)),
            location: location,
            stack: frames?.joined(separator: "\n"))
    }

    private func original(frame: Substring) -> String {
        guard let place = ScriptLocation(stackFrame: frame), let script = scripts[place.file] else {
            return String(frame)
        }
        return frame.dropLast(place.description.count) + script.original(place).description
    }
}
