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
    /// The script, with the maps of the form in which it runs here.
    let script: AdapterScript
    /// The function that makes the scope, if the realm is a shared one.
    private let function: ScopeFunction?
    /// The functions of the scope's function, if the realm is a shared one; see `ScopeFunction`.
    var variables: ScopeVariables?
    /// The library of a script of an authenticator or a login module.
    private var realmLibrary: ScriptValue?
    var context: ScriptContext { realm.context }
    /// The other scopes of the machine, and the call that is running there.
    unowned let table: ScopeTable
    private(set) var eventSources: [String: EventSource] = [:]
    private(set) var isLoading = false
    /// True while a call uses the scope.
    var isInUse = false
    /// True if the scope is to be closed when the call that uses it ends.
    var isObsolete = false
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

    /// - Parameter realm: the shared one, or another for this scope alone.
    init(adapter: AdapterVersion, realm: ScriptRealm, table: ScopeTable) {
        self.adapter = adapter
        self.realm = realm
        self.table = table
        let form = realm.isShared ? adapter.script.asFunction(withTwins: adapter.settings.scopes.runsTwins) : nil
        script = form?.script ?? adapter.script
        function = form?.function
    }

    var name: String { adapter.name }
    /// True if functions of the script that wait for a back end have twins here.
    var hasTwins: Bool { realm.isShared && adapter.settings.scopes.runsTwins && adapter.script.twinned != nil }
    /// Writes lines with the trace id of the running call, where it is traced.
    var logger: Logger {
        guard let trace = table.call.caller.trace?.trace else { return adapter.logger }
        var logger = adapter.logger
        logger[metadataKey: "trace_id"] = "\(trace.traceID)"
        return logger
    }

    /// Runs the script's top level.
    ///
    /// - Throws: ``ProjectError`` with the position.
    func load(limits: ExecutionLimits) throws {
        let file = adapter.descriptor.scriptPath
        do {
            counters = try makeCounters()
            if !realm.isShared { try installLibraries() } else if script.marksThrows { try installThrowMark() }
            isLoading = true
            defer { isLoading = false }
            try traced(.loading, "\(name) is loaded") {
                try call(CallLabel.loading, limits: limits) {
                    if let function {
                        try run(function)
                    } else {
                        _ = try context.evaluate(tracedScript?.source ?? script.source, file: file)
                    }
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

    /// Installs in the scope's own realm all that the script needs.
    private func installLibraries() throws {
        try realm.installBindings()
        try realm.installRhinoLibrary()
        if adapter.settings.movesScriptClock { try realm.moveClock() }
        if let tracer { try installTracing(for: tracer) }
        if adapter.descriptor.isRealmScript {
            let library = try RealmScriptLibrary.make(in: context, find: try makeFinder())
            for name in RealmScriptLibrary.names + [RealmScriptLibrary.entry] {
                try context.global.set(name, try library.get(name), .hidden)
            }
        }
        if script.marksThrows { try installThrowMark() }
        try realm.install(script.helpers)
        if let counters {
            try context.global.set(InstrumentedScript.counters, counters.array, [.hidden, .readOnly, .permanent])
        }
    }

    /// Runs the script as a function of the shared realm.
    private func run(_ function: ScopeFunction) throws {
        if adapter.descriptor.isRealmScript {
            realmLibrary = try RealmScriptLibrary.make(in: context, find: try makeFinder())
        }
        let values = try function.parameters.map { name in
            if name == InstrumentedScript.counters { return counters?.array ?? context.undefined }
            if RealmScriptLibrary.names.contains(name), let realmLibrary { return try realmLibrary.get(name) }
            if let function = realm.twinFunctions[name] { return function }
            // An inherited one, such as toString, counts too. The name is a plain one, so it is safe as code.
            return try context.evaluate(name, file: AdapterScript.helperFile)
        }
        let make = try table.scopeFunction(function, of: adapter, in: realm)
        _ = try make.call(realm.arguments + values)
    }

    /// Returns a function for scripts of the server that returns the script's function of a name.
    private func makeFinder() throws -> ScriptValue {
        try realm.makeFunction("find") { scope, call in
            try scope.function(named: try call[0].text()) ?? call.context.undefined
        }
    }

    /// Runs `body` as one call under `limits`. At its end, also after an error, its notifications are on the disk.
    func call<Value>(_ procedure: String, limits: ExecutionLimits, _ body: () throws -> Value) throws -> Value {
        try call(CallLabel(adapter: name, procedure: procedure), limits: limits, body)
    }

    /// Calls `body` as ``call(_:limits:_:)-(String,_,_)`` does. Exceptions of the script name the positions in the author's source.
    func call<Value>(_ label: CallLabel, limits: ExecutionLimits, _ body: () throws -> Value) throws -> Value {
        try finish(Result { try table.call.running(self) { try context.call(label, limits: limits, body) } }, limits)
    }

    /// Ends a call under `limits`, or a part of it.
    ///
    /// - Returns: the result.
    /// - Throws: the error of the result, with the positions in the author's source.
    func finish<Value>(_ result: Result<Value, any Error>, _ limits: ExecutionLimits) throws -> Value {
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
            if !table.call.hasExceededLimit { adapter.services.metrics.exceeded(error.limit) }
            table.call.hasExceededLimit = true
            // A scope that cannot be loaded is closed.
            if error.limit == .heap, !isLoading, !table.call.isExhausted {
                table.call.isExhausted = context.heapGrowth() > limits.heap ?? .max
            }
            throw withPlace(error)
        }
    }

    /// Waits until notifications are on the disk, if there are any. They are flushed together, at the end of the call or before its
    /// effects become visible elsewhere.
    func flushNotifications() throws {
        guard table.call.hasUnflushedNotifications else { return }
        table.call.hasUnflushedNotifications = false
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
        if let variables {
            let value = try variables.get(name)
            if value.isFunction { return value }
            return name == RealmScriptLibrary.entry ? try realmLibrary?.get(name) : nil
        }
        let member = try context.global.get(name)
        if member.isFunction { return member }
        // Lexical declarations are no members of the global object. The name is a plain one, so it is safe as code.
        guard name.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil else { return nil }
        let value = try? context.evaluate("typeof \(name) === 'function' ? \(name) : undefined", file: "lamplighter")
        return value.flatMap { $0.isFunction ? $0 : nil }
    }

    /// Evaluates an expression with the script's variables.
    ///
    /// - Throws: `ScriptError`.
    func evaluate(_ expression: String, file: String) throws -> ScriptValue {
        guard let variables else { return try context.evaluate(expression, file: file) }
        do {
            let object = try variables.object.call()
            let function = try context.evaluate(
                "(function () { with (this) { return (\n\(expression)\n) } })", file: file)
            return try function.call(this: object)
        } catch let error as ScriptError {
            throw error.mapped {
                ScriptLocation(file: $0.file, line: $0.file == file ? $0.line - 1 : $0.line, column: $0.column)
            }
        }
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

/// The functions by which the server reads and sets the variables of a scope in a shared realm; see `ScopeFunction`.
struct ScopeVariables {
    let read: ScriptValue
    /// Returns the scope's object.
    let object: ScriptValue

    /// Returns the variable of that name; undefined for an unknown one, and for one that has no value yet.
    func get(_ name: String) throws -> ScriptValue {
        (try? read.call([read.context.make(name)])) ?? read.context.undefined
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
