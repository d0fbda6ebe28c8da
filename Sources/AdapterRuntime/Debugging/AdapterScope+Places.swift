import AdapterSyntax
import JavaScriptEngine

/// The positions of exceptions that do not record their own.
extension AdapterScope {
    /// Prepares the scope for instrumented `throw` statements; see `ThrowMark`.
    func installThrowMark() throws {
        try realm.installThrowMark()
        thrown = try ThrownValues(in: context)
    }

    /// True if the scope has the function that instrumented throws call.
    var hasThrowMark: Bool { thrown != nil }

    /// Returns the exception of a thrown value, with the position even if the value is not an Error.
    func exception(of value: ScriptValue) -> ScriptError {
        withPlace(value.asThrown)
    }

    /// Adds the position of the `throw` statement to an exception without a position.
    func withPlace(_ exception: ScriptError) -> ScriptError {
        thrown?.withPlace(exception) ?? exception
    }

    /// Adds the position of the native function to the error of a call whose time was up while that function waited.
    func withPlace(_ exceeded: LimitExceededError) -> LimitExceededError {
        var exceeded = exceeded
        exceeded.stack = (exceeded.stack ?? table.call.waiting?.markedStack).map(original(stack:))
        return exceeded
    }

    /// Returns a message of the native function that runs, with the file and line of the script's call before it:
    /// `adapters/A/A-impl.js:3: …`. The message alone where no script runs.
    func atCall(_ message: String) -> String {
        guard let stack = context.stack(), let place = ScriptError.places(in: original(stack: stack)).first else {
            return message
        }
        return "\(place.file):\(place.line): \(message)"
    }

    /// Adds the position of the function to an exception: a result that cannot be written as JSON is found after the function has returned.
    func withPlace(_ exception: ScriptError, ofResultOf procedure: LoadedProcedure) -> ScriptError {
        ScriptError(
            name: exception.name,
            message: "\(procedure.name)() returned a value that cannot be written as JSON: \(exception.message)",
            location: place(ofFunction: procedure.name), stack: nil)
    }

    /// Returns the position at which the script declares a function of that name at its top level. Parses the script again: for errors only.
    private func place(ofFunction name: String) -> ScriptLocation? {
        if let known = functionPlaces[name] { return known }
        guard let tree = try? SyntaxTree(adapter.script.source, file: adapter.script.file),
            let function = ScriptFacts(tree).functions.first(where: { $0.isGlobal && $0.name == name })
        else { return nil }
        let place = adapter.script.original(
            ScriptLocation(
                file: adapter.script.file, line: function.position.line, column: function.position.column))
        functionPlaces[name] = place
        return place
    }
}

extension ScriptError {
    /// Returns the positions in a stack, innermost first, without those in Lamplighter's own scripts.
    static func places(in stack: String) -> [ScriptLocation] {
        stack.split(separator: "\n").compactMap { line in
            guard let match = line.firstMatch(of: /@(.+):(\d+):(\d+)$/), !match.1.hasPrefix("lamplighter"),
                let number = Int(match.2)
            else { return nil }
            return ScriptLocation(file: String(match.1), line: number, column: Int(match.3))
        }
    }
}
