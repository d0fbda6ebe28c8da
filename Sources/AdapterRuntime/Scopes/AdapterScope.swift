import AdapterSyntax
import Core
import JavaScriptEngine
import Logging
import PushModel
import WorklightProject

/// One global scope of an adapter: its script, the `WL` object in it, and the event sources it declared.
///
/// Lives in its virtual machine, in its ``ScopeTable``.
final class AdapterScope {
    /// Everything about the adapter that its scopes share.
    let adapter: AdapterVersion
    let realm: ScriptRealm
    var context: ScriptContext { realm.context }
    /// The other scopes of the machine, and the call that is running there.
    unowned let table: ScopeTable
    private(set) var eventSources: [String: EventSource] = [:]
    private(set) var isLoading = false
    /// True if the script holds on to more than its heap may have.
    private(set) var isExhausted = false
    /// The last argument of `setEventHandlers`.
    var eventHandlers: [EventHandler] = []
    /// Counts the parts of the script that run; `nil` without coverage.
    private var counters: ScriptCounters?
    /// `WL.Server.configuration`; created when it is first read.
    var configuration: ScriptValue?
    /// The settings and the default namespace of E4X; created when they are first needed.
    var xmlRecord: ScriptValue?
    /// The function that shows values; created when it is first needed.
    var inspector: ScriptValue?
    /// The positions of functions that errors have looked up.
    var functionPlaces: [String: ScriptLocation] = [:]
    /// The thrown values that do not record their position; `nil` if no throw is instrumented.
    var thrown: ThrownValues?
    /// The exception that a trace last recorded.
    var lastNoted: RecordedException?
    /// The timers and counters of `console`.
    var console = ConsoleState()
    /// The script with calls that record its functions.
    var tracedScript: TracedScript?

    init(adapter: AdapterVersion, context: ScriptContext, table: ScopeTable) {
        self.adapter = adapter
        realm = ScriptRealm(context, in: table)
        self.table = table
    }

    var name: String { adapter.name }
    /// Writes lines with the trace id of the running call, where it is traced.
    var logger: Logger {
        guard let trace = table.call.caller.trace?.trace else { return adapter.logger }
        var logger = adapter.logger
        logger[metadataKey: "trace_id"] = "\(trace.traceID)"
        return logger
    }

    /// Installs the bindings and runs the script's top level.
    ///
    /// - Throws: ``ProjectError`` with the position.
    func load(limits: ExecutionLimits) throws {
        let file = adapter.descriptor.scriptPath
        do {
            try installLibraries()
            isLoading = true
            defer { isLoading = false }
            try traced(.loading, "\(name) is loaded") {
                try call(CallLabel.loading, limits: limits) {
                    _ = try context.evaluate(tracedScript?.source ?? adapter.script.source, file: file)
                }
            }
        } catch let error as ScriptError {
            let place = error.place(in: file)
            throw ProjectError(
                .error, file: file, line: place?.line, column: place?.column,
                "thrown while loading: \(error.summary)" + (error.stack.map { "\n" + $0.indented } ?? ""))
        } catch let error as LimitExceededError {
            throw ProjectError(.error, file: file, error.advised(adapter.settings.limitOrigin))
        }
    }

    private func installLibraries() throws {
        try realm.installBindings()
        if adapter.script.usesRhinoLibrary { try realm.installRhinoLibrary() }
        if adapter.settings.movesScriptClock { try realm.moveClock() }
        if let tracer { try installTracing(for: tracer) }
        if adapter.descriptor.isRealmScript {
            try RealmScriptLibrary.install(in: context)
        }
        if adapter.script.marksThrows { try installThrowMark() }
        try realm.install(adapter.script.helpers)
        counters = try makeCounters()
    }

    /// Runs `body` as one call under `limits`. At its end, also after an error, its notifications are on the disk.
    func call<Value>(_ procedure: String, limits: ExecutionLimits, _ body: () throws -> Value) throws -> Value {
        try call(CallLabel(adapter: name, procedure: procedure), limits: limits, body)
    }

    /// Calls `body` as ``call(_:limits:_:)-(String,_,_)`` does. Exceptions of the script name the positions in the author's source.
    func call<Value>(_ label: CallLabel, limits: ExecutionLimits, _ body: () throws -> Value) throws -> Value {
        let result = Result { try table.running(self) { try context.call(label, limits: limits, body) } }
        if let counters { reportCoverage(counters) }
        defer {
            thrown?.forget()
            lastNoted = nil
        }
        try flushNotifications()
        do {
            return try result.get()
        } catch let error as ScriptError {
            throw original(withPlace(error))
        } catch let error as LimitExceededError {
            // Each call under it ends with the same limit.
            if !table.hasExceededLimit { adapter.services.metrics.exceeded(error.limit) }
            table.hasExceededLimit = true
            if error.limit == .heap { isExhausted = context.heapSizeAfterCollection() > limits.heap ?? .max }
            throw withPlace(error)
        }
    }

    /// Waits until notifications are on the disk, if there are any. They are flushed together, at the end of the call or before its
    /// effects become visible elsewhere.
    func flushNotifications() throws {
        guard table.hasUnflushedNotifications else { return }
        table.hasUnflushedNotifications = false
        context.willWait()
        try adapter.services.notifications.flush()
    }

    /// Keeps an event source. Called by the binding.
    ///
    /// - Throws: ``HostError`` when there is one of that name.
    func declare(_ source: EventSource) throws {
        let name = source.declaration.id.name
        guard eventSources[name] == nil else {
            throw HostError(
                "createEventSource: the event source '\(name)' is declared twice in this adapter; "
                    + "rename one of them")
        }
        eventSources[name] = source
    }

    /// Returns the function of that name at the script's top level, `const` and `let` included; `nil` when there is none.
    func function(named name: String) throws -> ScriptValue? {
        let member = try context.global.get(name)
        if member.isFunction { return member }
        // Lexical declarations are no members of the global object. The name is a plain one, so it is safe as code.
        guard name.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil else { return nil }
        let value = try? context.evaluate("typeof \(name) === 'function' ? \(name) : undefined", file: "lamplighter")
        return value.flatMap { $0.isFunction ? $0 : nil }
    }

    /// Returns the function that an event source names for `callback`; `nil` when it names none, or one that does not exist.
    func function(for callback: EventSourceCallback, of source: EventSource) throws -> ScriptValue? {
        switch source.targets[callback] {
        case nil: nil
        case .function(let function)?: function
        case .name(let name)?: try function(named: name)
        }
    }
}

extension ScriptError {
    /// Returns the position of the exception in `file`: its own, or that of the innermost call there if native code threw it.
    func place(in file: String) -> ScriptLocation? {
        if let location, location.file == file { return location }
        for line in stack?.split(separator: "\n") ?? [] {
            guard let match = line.firstMatch(of: /@(.+):(\d+):(\d+)$/), match.1 == file, let number = Int(match.2)
            else { continue }
            return ScriptLocation(file: file, line: number, column: Int(match.3))
        }
        return nil
    }
}

extension String {
    /// The lines of a stack, each after four spaces and `at`; equal lines in a row are written once.
    var indented: String {
        ScriptStack.folded(split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
            .map { "    at \($0)" }.joined(separator: "\n")
    }
}
