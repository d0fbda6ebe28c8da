import JavaScriptEngine

extension TraceText {
    /// What was thrown: with place and stack or, where it may have a secret in its message, by its name and place only.
    static func exception(_ error: any Error, hides: Bool, limitOrigin: LimitOrigin) -> String {
        if let exceeded = error as? LimitExceededError { return exceeded.advised(limitOrigin) }
        guard hides else { return "\(error)" }
        guard let exception = error as? ScriptError else { return "Error" }
        return hidden(exception, at: exception.location.map(String.init(describing:)))
    }

    /// What a binding threw, which has the place of its call.
    static func bindingException(_ error: any Error, stack: String?, hides: Bool) -> String {
        if hides {
            let place = stack.flatMap { ScriptError.places(in: $0).first?.description }
            return hidden(error as? ScriptError, at: place)
        }
        let name = error is ScriptError ? "" : "Error: "
        return "\(name)\(error)" + (stack.map { "\n" + $0.indented } ?? "")
    }

    private static func hidden(_ exception: ScriptError?, at place: String?) -> String {
        // Errors of the language's have one word; a script can put anything there.
        let name = exception.map { $0.name.map { cut($0.firstLine, 50) } ?? "a value that is no Error" } ?? "Error"
        return name + (place.map { " (\($0))" } ?? "")
    }
}

extension String {
    /// The text before the first line break.
    var firstLine: String { String(prefix { !$0.isNewline }) }
}
