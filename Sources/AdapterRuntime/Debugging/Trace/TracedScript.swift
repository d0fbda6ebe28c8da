import AdapterSyntax
package import JavaScriptEngine
import WorklightProject

/// An adapter's script with calls that record its functions. Made for one trace, and run in a scope of that trace only.
struct TracedScript {
    let file: String
    let source: String
    let functions: [TracingScript.Function]
    private let map: SourceMap

    /// - Returns: `nil` when the script would mean something else, or Lamplighter's own parser does not read it.
    init?(_ script: AdapterScript, in context: ScriptContext) {
        guard let tree = try? SyntaxTree(script.source, file: script.file), !script.source.contains(TracingScript.hooks)
        else { return nil }
        let tracing = TracingScript(tree)
        do {
            try context.check(tracing.source, file: script.file)
        } catch {
            return nil
        }
        file = script.file
        source = tracing.source
        functions = tracing.functions
        map = tracing.map
    }

    /// Returns the exception with positions in the original script.
    func original(_ exception: ScriptError) -> ScriptError {
        exception.mapped { location in
            guard location.file == file, let column = location.column else { return location }
            let place = map.original(SourcePosition(line: location.line, column: column))
            return ScriptLocation(file: file, line: place.line, column: place.column)
        }
    }
}

/// A thrown value that a trace has recorded, with the functions that it passed through.
struct RecordedException {
    let value: ScriptValue
    let summary: String
}

extension ScriptError {
    /// Returns the exception with other positions.
    package func mapped(_ change: (ScriptLocation) -> ScriptLocation) -> ScriptError {
        let frames = stack?.split(separator: "\n", omittingEmptySubsequences: false).map { frame in
            guard let match = frame.wholeMatch(of: /([^@]*)@(.+):(\d+):(\d+)/), let line = Int(match.3),
                let column = Int(match.4)
            else { return String(frame) }
            return "\(match.1)@\(change(ScriptLocation(file: String(match.2), line: line, column: column)))"
        }
        return ScriptError(
            name: name, message: message, location: location.map(change), stack: frames?.joined(separator: "\n"))
    }
}

extension ScriptError {
    /// The exception without the frames of Lamplighter's own scripts and of native functions without a name. The position of an
    /// exception thrown there is that of the call.
    var withoutOwnPlaces: ScriptError {
        guard let stack else { return self }
        let frames = stack.split(separator: "\n").filter { !$0.contains("@lamplighter:") && !$0.hasPrefix("@[native") }
        var location = location
        if location?.file.hasPrefix("lamplighter:") == true {
            location = Self.places(in: stack).first ?? location
        }
        return ScriptError(
            name: name, message: message, location: location,
            stack: frames.isEmpty ? nil : frames.joined(separator: "\n"))
    }
}

extension AdapterScope {
    /// Has the script's functions record themselves in the trace. Must be called before the script is run.
    func installTracing(for tracer: InvocationTracer) throws {
        guard let script = TracedScript(adapter.script, in: context) else {
            tracer.remark(
                "the functions of \(adapter.descriptor.scriptPath) are not shown: the trace would change "
                    + "the script; most often a function in it declares a variable and a function of the same name")
            return
        }
        tracedScript = script
        try realm.installTraceHooks()
    }

    /// Returns the exception, with position and stack the first time, and without the stack in the functions that it passes.
    fileprivate func noted(_ value: ScriptValue, _ tracer: InvocationTracer) -> String {
        if let lastNoted, lastNoted.value.isIdentical(to: value) { return lastNoted.summary }
        let exception = original(exception(of: value))
        let text = TraceText.exception(exception, hides: tracer.hides, limitOrigin: adapter.settings.limitOrigin)
        lastNoted = RecordedException(value: value, summary: TraceText.cut(text.firstLine, 500))
        return text
    }

    /// Returns a function's result for the trace.
    fileprivate func shown(_ value: ScriptValue, _ tracer: InvocationTracer) -> String? {
        tracer.hides || value.isUndefined ? nil : TraceText.value(value)
    }

    fileprivate func noteFunction(_ call: HostCall) {
        guard let tracer, let index = call[0].number.flatMap({ Int(exactly: $0) }), let script = tracedScript,
            script.functions.indices.contains(index)
        else { return }
        let function = script.functions[index]
        guard tracer.hasRoom else { return tracer.enterFunction(function.name, arguments: nil, place: nil) }
        let place = adapter.script.original(
            ScriptLocation(file: script.file, line: function.position.line, column: function.position.column))
        let arguments = tracer.hides ? nil : (try? call[1].elements()).map(TraceText.list) ?? ""
        tracer.enterFunction(function.name, arguments: arguments, place: "\(place)")
    }
}

extension ScriptRealm {
    /// Installs the functions that traced scripts call; see `TracingScript`. The engine calls these at each function, so they go without what
    /// traces bindings.
    func installTraceHooks() throws {
        let hooks = context.makeObject()
        func add(_ name: String, _ body: @escaping (AdapterScope, HostCall) -> ScriptValue) throws {
            let function = try context.makeFunction(name) { [unowned table] call in
                guard let scope = table.call.scope else { return call[0] }
                return body(scope, call)
            }
            try hooks.set(name, function, .permanent)
        }
        try add("enter") { scope, call in
            scope.noteFunction(call)
            return call.context.undefined
        }
        try add("returned") { scope, call in
            if let tracer = scope.tracer, tracer.isInFunction { tracer.noteResult(scope.shown(call[0], tracer)) }
            return call[0]
        }
        try add("failed") { scope, call in
            if let tracer = scope.tracer, tracer.isInFunction { tracer.noteException(scope.noted(call[0], tracer)) }
            return call.context.undefined
        }
        try add("leave") { scope, call in
            scope.tracer?.leaveFunction()
            return call.context.undefined
        }
        try context.global.set(TracingScript.hooks, hooks, [.readOnly, .permanent, .hidden])
    }
}
