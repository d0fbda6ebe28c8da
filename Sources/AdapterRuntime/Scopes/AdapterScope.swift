import JavaScriptEngine
import Logging
import PushModel
import WorklightProject

/// One global scope of an adapter: its script, the `WL` object in it, and the event sources it declared.
///
/// Lives in its virtual machine, in its ``ScopeTable``.
final class AdapterScope {
    /// Everything about the adapter that its scopes share.
    let adapter: AdapterCommon
    unowned let context: ScriptContext
    /// The other scopes of the machine, and the call that is running there.
    unowned let table: ScopeTable
    private(set) var eventSources: [String: EventSource] = [:]
    private(set) var isLoading = false
    /// Whether what the script holds on to is more than its heap may have.
    private(set) var isExhausted = false
    /// What `setEventHandlers` was last given.
    var eventHandlers: [EventHandler] = []
    /// What user subscriptions have in common, made when there is the first.
    var subscriptionFunctions: SubscriptionFunctions?
    /// Counts what is run of the script, when somebody wants to know.
    private var counters: ScriptCounters?
    /// The methods of what `getClientRequest` gives, made when they are first needed.
    var requestPrototype: ScriptValue?
    /// Shows values, once somebody has asked.
    var inspector: ScriptValue?
    /// Where functions are declared, as far as errors have asked.
    var functionPlaces: [String: ScriptLocation] = [:]
    /// What was thrown that does not tell by itself where; `nil` where no throw is marked.
    var thrown: ThrownValues?
    /// Whether ``installRhinoLibrary()`` has been called.
    var hasRhinoLibrary = false
    /// What a trace last noted as thrown.
    var lastNoted: NotedException?
    /// The timers and counters of `console`.
    var console = ConsoleState()
    /// The script as it tells a trace of its functions.
    var tracedScript: TracedScript?

    /// Sets the temporaries to `undefined`, made when they are first cleared.
    private var clearer: ScriptValue?

    init(adapter: AdapterCommon, context: ScriptContext, table: ScopeTable) {
        self.adapter = adapter
        self.context = context
        self.table = table
    }

    var name: String { adapter.name }
    var logger: Logger { adapter.logger }

    /// Installs the bindings and runs the script's top level.
    ///
    /// - Throws: ``ProjectProblem`` with the place.
    func load(limits: ExecutionLimits) throws {
        let file = adapter.descriptor.scriptPath
        do {
            try installBindings()
            if let tracer { try installTracing(for: tracer) }
            if adapter.script.marksThrows { try installThrowMark() }
            if !adapter.script.helpers.isEmpty {
                try context.evaluate(adapter.script.helpers, file: AdapterScript.helperFile)
            }
            counters = try makeCounters()
            isLoading = true
            defer { isLoading = false }
            try traced(.loading, "\(name) is loaded") {
                try call(CallLabel.loading, limits: limits) {
                    _ = try context.evaluate(tracedScript?.source ?? adapter.script.source, file: file)
                }
            }
        } catch let error as ScriptException {
            let place = error.place(in: file)
            throw ProjectProblem(
                .error, file: file, line: place?.line, column: place?.column,
                "thrown while loading: \(error.summary)" + (error.stack.map { "\n" + $0.indented } ?? ""))
        } catch let error as LimitExceeded {
            throw ProjectProblem(.error, file: file, error.advised(adapter.settings.limitOrigin))
        }
    }

    /// Runs `body` as one call under `limits`. When it is over, however it ends, what it notified is on the disk.
    func call<Value>(_ procedure: String, limits: ExecutionLimits, _ body: () throws -> Value) throws -> Value {
        try call(CallLabel(adapter: name, procedure: procedure), limits: limits, body)
    }

    /// As ``call(_:limits:_:)-(String,_,_)``. What the script throws names the places where its author wrote it.
    func call<Value>(_ label: CallLabel, limits: ExecutionLimits, _ body: () throws -> Value) throws -> Value {
        let result = Result { try context.call(label, limits: limits, body) }
        if let counters { tellCoverage(counters) }
        defer {
            thrown?.forget()
            lastNoted = nil
        }
        try flushNotifications()
        do {
            return try result.get()
        } catch let error as ScriptException {
            throw original(withPlace(error))
        } catch let error as LimitExceeded {
            if error.limit == .heap { isExhausted = context.heapSizeAfterCollection() > limits.heap ?? .max }
            throw withPlace(error)
        }
    }

    /// Commits notifications. They wait for the disk together, at the end of the call or before it tells somebody else.
    ///
    /// - Returns: how many milliseconds the script should wait before it submits more.
    func submit(_ deliveries: [Delivery]) throws -> Int {
        table.hasUnflushedNotifications = true
        return try adapter.services.notifications.submit(deliveries)
    }

    /// Waits for the disk, if there is something to wait for.
    func flushNotifications() throws {
        guard table.hasUnflushedNotifications else { return }
        table.hasUnflushedNotifications = false
        context.willWait()
        try adapter.services.notifications.flush()
    }

    /// Whether calls leave values in variables of the top level, which no later call reads.
    var hasTemporaries: Bool { !adapter.script.temporaries.isEmpty }

    /// Clears those variables: they keep memory, and users' data, for nobody.
    func clearTemporaries() {
        let assignments = adapter.script.temporaries.map { "\($0) = undefined; " }.joined()
        clearer = try? clearer ?? context.evaluate("(function () { \(assignments)})", file: "lamplighter")
        _ = try? clearer?.call()
    }

    /// Keeps an event source. Called by the binding.
    ///
    /// - Throws: ``HostError`` when there is one of that name.
    func declare(_ source: EventSource) throws {
        let name = source.declaration.id.name
        guard eventSources[name] == nil else {
            throw HostError(
                "createEventSource: the event source '\(name)' is declared twice in this adapter; give one of them "
                    + "another name")
        }
        eventSources[name] = source
    }

    /// The function of that name at the script's top level, `const` and `let` included; `nil` when there is none.
    func function(named name: String) throws -> ScriptValue? {
        let member = try context.global.get(name)
        if member.isFunction { return member }
        // Lexical declarations are no members of the global object. The name is a plain one, so it is safe as code.
        guard name.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil else { return nil }
        let value = try? context.evaluate("typeof \(name) === 'function' ? \(name) : undefined", file: "lamplighter")
        return value.flatMap { $0.isFunction ? $0 : nil }
    }

    /// The function that an event source names for `callback`; `nil` when it names none, or one that does not exist.
    func function(for callback: EventSourceCallback, of source: EventSource) throws -> ScriptValue? {
        switch source.targets[callback] {
        case nil: nil
        case .function(let function)?: function
        case .name(let name)?: try function(named: name)
        }
    }
}

extension ScriptException {
    /// Where in `file` it happened: the place itself, or the innermost call there, when it was thrown by native code.
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
    /// Every line with four blanks before it.
    var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { "    at \($0)" }.joined(separator: "\n")
    }
}
