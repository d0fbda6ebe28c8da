import AdapterSyntax
package import JavaScriptEngine

/// The values that a scope's scripts have thrown and that are not an Error, so that they have no position. Instrumented `throw`
/// statements record the position; see `ThrowMark`.
package final class ThrownValues {
    private struct Thrown {
        let value: ScriptValue
        /// See `ScriptContext.markStack()`.
        let mark: ScriptValue
    }

    /// `Error.isError` is true for errors that the engine made, and false for objects that inherit from one: these have no position.
    private static let errorTest = "Error.isError"

    private let context: ScriptContext
    private let errorTest: ScriptValue
    private var last: Thrown?

    /// Inspects values with the engine's own function, which is taken before the script runs, and runs no Proxy's traps.
    package init(in context: ScriptContext) throws {
        self.context = context
        errorTest = try context.evaluate(Self.errorTest, file: RuntimeScripts.inspectionFile)
    }

    /// Installs the function that instrumented `throw` statements call.
    ///
    /// - Parameter values: returns the values of the scripts that run.
    package static func install(in context: ScriptContext, for values: @escaping () -> ThrownValues?) throws {
        let function = try context.makeFunction(ThrowMark.name) { call in
            values()?.note(call[0], mayBeCaught: call[1].bool ?? false)
            return call[0]
        }
        try context.global.set(ThrowMark.name, function, [.readOnly, .permanent, .hidden])
    }

    private func note(_ value: ScriptValue, mayBeCaught: Bool) {
        if value.isObject, (try? errorTest.call([value]).bool) == true { return }
        if mayBeCaught, let last, last.value.isIdentical(to: value) { return }
        last = Thrown(value: value, mark: context.markStack())
    }

    /// Forgets what was thrown: the call is over.
    package func forget() { last = nil }

    /// Adds the position of the `throw` statement to an exception without a position.
    package func withPlace(_ exception: ScriptError) -> ScriptError {
        // An object that inherits from an Error has the position of that Error.
        guard let last, last.value.asThrown == exception, let stack = last.mark.markedStack else { return exception }
        return ScriptError(
            name: exception.name, message: exception.message,
            location: ScriptError.places(in: stack).first, stack: stack)
    }
}
