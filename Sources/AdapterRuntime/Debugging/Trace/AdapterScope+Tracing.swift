import JavaScriptEngine
import WorklightProject

extension AdapterScope {
    /// Records what the running call does; `nil` without a trace, as usual.
    var tracer: InvocationTracer? { table.call.caller.tracer }

    /// Runs `body` as a node of the trace, if there is one.
    func traced<Value>(
        _ kind: InvocationTrace.Node.Kind, _ name: @autoclosure () -> String, arguments: () -> String? = { "" },
        result: (Value) -> String? = { _ in nil }, _ body: () throws -> Value
    ) throws -> Value {
        guard let tracer else { return try body() }
        let hid = tracer.hides
        if kind == .loading, adapter.logsUsersIn {
            tracer.hides = true
            tracer.dropFunctionResults()
        }
        defer { if kind == .loading { tracer.hides = hid } }
        let token = tracer.enter(
            kind, name(), arguments: tracer.hides ? nil : arguments(),
            place: kind == .loading ? adapter.descriptor.scriptPath : nil)
        do {
            let value = try body()
            tracer.leave(token, result: tracer.hides ? nil : result(value))
            return value
        } catch {
            tracer.leave(
                token,
                exception: TraceText.exception(
                    error, hides: tracer.hides, limitOrigin: adapter.settings.limitOrigin))
            throw error
        }
    }

    /// Runs `body`, which is a poll, a callback of an event source or an event handler, as a node of the trace.
    func tracedCallback<Value>(
        _ name: String, result: (Value) -> String? = { _ in nil }, _ body: () throws -> Value
    ) throws -> Value {
        if let tracer, adapter.logsUsersIn { tracer.hides = true }
        return try traced(.callback, name, result: result, body)
    }

    /// Calls a binding as a node of the trace.
    func trace(
        _ title: String, _ call: HostCall, _ tracer: InvocationTracer,
        _ body: (AdapterScope, HostCall) throws -> ScriptValue
    ) throws -> ScriptValue {
        guard tracer.hasRoom else {
            _ = tracer.enter(.binding, title, arguments: nil, place: nil)
            return try body(self, call)
        }
        let stack = context.stack().map(original(stack:))
        let token = tracer.enter(
            .binding, title, arguments: TraceText.arguments(of: title, call, hides: tracer.hides),
            place: stack.flatMap { ScriptError.places(in: $0).first?.description })
        do {
            let value = try body(self, call)
            tracer.leave(token, result: TraceText.result(of: title, value, hides: tracer.hides))
            return value
        } catch {
            tracer.leave(
                token, exception: TraceText.bindingException(error, stack: stack, hides: tracer.hides))
            throw error
        }
    }

    /// Returns a stack with the positions in the author's script.
    func original(stack: String) -> String {
        original(ScriptError(name: nil, message: "", location: nil, stack: stack)).stack ?? stack
    }

    /// Returns an exception with the positions in the author's script, and without the calls of Lamplighter's own scripts.
    func original(_ exception: ScriptError) -> ScriptError {
        TranslatedScripts(table.scripts).original(tracedScript?.original(exception) ?? exception).withoutOwnPlaces
    }
}

extension AdapterScope {
    /// Runs `body`, which is a procedure's call, as a node of the trace. From here on nothing that may be a password is shown
    /// when the procedure may get one.
    func trace(
        _ procedure: LoadedProcedure, parameters: String, _ tracer: InvocationTracer,
        _ body: () throws -> String?
    ) throws -> String? {
        let hid = tracer.hides
        if hidesParameters(of: procedure) {
            tracer.hides = true
            tracer.dropFunctionResults()
        }
        defer { tracer.hides = hid }
        return try traced(
            .procedure, "\(procedure.label)",
            arguments: { TraceText.cut(String(ParameterList.bracketed(parameters).dropFirst().dropLast()), 120) },
            result: { $0.map { TraceText.cut($0, 80) } }, body)
    }
}
