import CJavaScriptCore

extension ScriptValue {
    /// Whether it is an Error of the language's, or of a class that inherits from it.
    public var isError: Bool {
        isObject && JSValueIsInstanceOfConstructor(context.reference, reference, context.builtIns.error, nil)
    }

    /// The calls that were running when ``ScriptContext/markStack()`` made this, as ``ScriptContext/stack()`` gives them.
    public var markedStack: String? {
        guard let stack = asThrown.stack else { return nil }
        let lines = stack.split(separator: "\n").filter { !$0.hasSuffix("@[native code]") }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// What it would tell if it were thrown.
    public var asThrown: ScriptError { ScriptError(thrown: reference, in: context.reference, context.builtIns) }
}

extension ScriptContext {
    /// Remembers the calls that are running, for ``ScriptValue/markedStack``: cheaper than their text, which nobody may want.
    public func markStack() -> ScriptValue { ScriptValue(JSObjectMakeError(reference, 0, nil, nil), in: self) }

    /// The calls that are running, innermost first, one to a line as `function@file:line:column`; those of native functions
    /// are left out. `nil` when no script is running.
    public func stack() -> String? { markStack().markedStack }
}
