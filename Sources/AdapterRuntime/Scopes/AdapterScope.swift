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

    /// The contents of the scope after loading; `nil` when the scope is not compared.
    private(set) var image: ScopeImage?
    /// The procedures and callbacks that the running call has called here.
    private var called: [String] = []
    /// The state that native code holds and the image does not: the number of times that event sources and handlers were set since loading.
    private var nativeChanges = 0
    /// A native function whose result may depend on who calls, which was called while the script was loaded.
    private var callerRead: String?

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
    /// - Parameter isCompared: whether the scope gets an image.
    /// - Throws: ``ProjectError`` with the position; `ScopeImage.ScopeComparisonError` if a scope with an image cannot be compared.
    func load(limits: ExecutionLimits, isCompared: Bool = false) throws {
        let file = adapter.descriptor.scriptPath
        do {
            let image = isCompared ? try ScopeImage(in: context) : nil
            self.image = image
            let readers = CapturedReaders()
            defer { readers.list = [] }
            let setHook = try declareHook(image == nil ? nil : readers)
            try installLibraries()
            try image?.begin(hiding: adapter.script.hiddenGlobals)
            let shapesChange = image == nil ? [] : try adapter.shapesChange(probeShapes)
            isLoading = true
            defer { isLoading = false }
            try traced(.loading, "\(name) is loaded") {
                try call(CallLabel.loading, limits: limits) {
                    _ = try context.evaluate(tracedScript?.source ?? adapter.script.source, file: file)
                }
            }
            _ = try setHook?.call([context.undefined])
            nativeChanges = 0
            if let image { try take(image, shapesChange, readers.list) }
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
        let java = try realm.installBindings(for: adapter)
        image?.skip(java)
        if let tracer { try installTracing(for: tracer) }
        if adapter.descriptor.isRealmScript {
            try RealmScriptLibrary.install(in: context)
        }
        if adapter.script.marksThrows { try installThrowMark() }
        if !adapter.script.helpers.isEmpty {
            try context.evaluate(adapter.script.helpers, file: AdapterScript.helperFile)
        }
        counters = try makeCounters()
    }

    /// Declares the hook that takes the readers of captured variables while the script is loaded. It is declared by `let`, since
    /// scripts reach properties of the global object by computed names also.
    ///
    /// - Parameter readers: takes the readers; with `nil` the hook is not declared.
    /// - Returns: a function that sets the hook.
    private func declareHook(_ readers: CapturedReaders?) throws -> ScriptValue? {
        guard let readers else {
            try context.global.set(CapturedVariables.hook, context.undefined, [.hidden, .readOnly])
            return nil
        }
        let set = try context.evaluate(CapturedVariables.declaration, file: AdapterScript.helperFile)
        _ = try set.call([
            try context.makeFunction(CapturedVariables.hook) { call in
                readers.list.append(call[0])
                return call.context.undefined
            }
        ])
        return set
    }

    /// Functions that read what closures captured. Emptied after loading, since native functions must not hold values.
    private final class CapturedReaders {
        var list: [ScriptValue] = []
    }

    /// Creates another scope in the same way, up to the script, and changes the language's objects in it.
    private func probeShapes() throws -> [Bool] {
        let other = try table.makeContext(name: "probe")
        defer { table.close(other) }
        let scope = AdapterScope(adapter: adapter, context: other, table: table)
        let image = try ScopeImage(in: other)
        scope.image = image
        let readers = CapturedReaders()
        defer { readers.list = [] }
        _ = try scope.declareHook(readers)
        try scope.installLibraries()
        try image.begin(hiding: adapter.script.hiddenGlobals)
        return try image.probe()
    }

    private func take(_ image: ScopeImage, _ shapesChange: [Bool], _ captured: [ScriptValue]) throws {
        if let callerRead {
            throw ScopeImage.ScopeComparisonError(
                place: "", reason: "the script calls \(callerRead) while it is loaded")
        }
        let sources = eventSources.values.flatMap { $0.targets.values }.compactMap { target in
            if case .function(let function) = target { function } else { nil }
        }
        try image.take(
            shapesChange: shapesChange, kept: sources + eventHandlers.map(\.handler), captured: captured,
            lexicalNames: adapter.script.lexicalNames, temporaries: adapter.script.temporaries,
            shadowed: [CapturedVariables.hook])
    }

    /// Notes that the script asks, while it is loaded, for something that may depend on who calls.
    func noteCallerRead(_ function: String) {
        if isLoading, image != nil { callerRead = callerRead ?? function }
    }

    /// Returns whether the scope holds what it held after loading. Resets temporaries to the values that they had then.
    func isUnchanged() -> Bool {
        nativeChanges == 0 && console.isEmpty && image?.isUnchanged() == true
    }

    /// Notes that the last call left something behind for its owner, and stops comparing the scope.
    func assignOwner(by owner: ScopeOwner) {
        guard let image else { return }
        if !adapter.hasKeptState {
            adapter.noteState(image.difference(), after: called.last ?? "", isPoll: owner.isPoll)
        }
        adapter.recordRetention(called)
        self.image = nil
    }

    /// Notes that another call begins.
    func beginCall() { called.removeAll(keepingCapacity: true) }

    /// Notes that native code keeps something for the script which the image does not have.
    func noteNativeChange() { nativeChanges += 1 }

    /// Runs `body` as one call under `limits`. At its end, also after an error, its notifications are on the disk.
    func call<Value>(_ procedure: String, limits: ExecutionLimits, _ body: () throws -> Value) throws -> Value {
        try call(CallLabel(adapter: name, procedure: procedure), limits: limits, body)
    }

    /// Calls `body` as ``call(_:limits:_:)-(String,_,_)`` does. Exceptions of the script name the positions in the author's source.
    func call<Value>(_ label: CallLabel, limits: ExecutionLimits, _ body: () throws -> Value) throws -> Value {
        if image != nil { called.append(label.procedure) }
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
        noteNativeChange()
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
