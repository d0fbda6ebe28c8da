import AdapterSyntax
import JavaScriptEngine
import Synchronization

/// A global scope of the engine with the server's functions: `WL`, `console`, Java's packages.
///
/// Its functions work for the scope whose call is the innermost one in the machine, since a scope's scripts run nowhere else. So they hold no
/// scope, and scopes can share a realm.
final class ScriptRealm {
    unowned let context: ScriptContext
    unowned let table: ScopeTable
    /// True if scopes share the realm.
    private(set) var isShared = false
    /// The first arguments of a `ScopeFunction`; none in a realm of one scope.
    private(set) var arguments: [ScriptValue] = []
    /// The methods of the object that `getClientRequest` returns, made when they are first needed.
    var requestPrototype: ScriptValue?
    /// The functions that user subscriptions share, made when they are first needed.
    var subscriptionFunctions: SubscriptionFunctions?
    /// The native functions that wait for a back end, each with its first part; none in a realm of one scope.
    private var waits: [(function: ScriptValue, first: ScriptValue)] = []
    /// The functions that twins call, by name; see `TwinnedScript`. None in a realm of one scope.
    private(set) var twinFunctions: [String: ScriptValue] = [:]
    /// The `next` of generators.
    private(set) var next: ScriptValue?
    private(set) var hasHelpers = false
    private var hasThrowMark = false

    init(_ context: ScriptContext, in table: ScopeTable) {
        self.context = context
        self.table = table
    }

    /// Makes a realm that scopes share, and locks it.
    ///
    /// - Parameters:
    ///   - withHelpers: whether it has E4X and the other helpers of translated scripts, which take 150 KB and 2 ms.
    ///   - movesClock: whether the scripts' `Date` follows the runtime's clock.
    /// - Throws: `ScriptError` when the engine has no memory for it.
    static func makeLocked(
        _ context: ScriptContext, in table: ScopeTable, withHelpers: Bool, movesClock: Bool
    ) throws -> ScriptRealm {
        let realm = ScriptRealm(context, in: table)
        try realm.installBindings(isShared: true)
        try realm.installRhinoLibrary()
        if movesClock { try realm.moveClock() }
        if withHelpers { try realm.install(RuntimeHelper.script(for: Set(RuntimeHelper.allCases))) }
        try realm.installThrowMark()
        let begin = try realm.makeFunction("begin") { scope, call in
            scope.variables = ScopeVariables(read: call[0], object: call[2])
            return call.context.undefined
        }
        realm.arguments = [
            context.global, try context.evaluate(ScopeFunction.library, file: AdapterScript.helperFile), begin,
        ]
        try realm.makeTwinFunctions()
        // Made now, since scripts may have used up the stack or the time when they first need them.
        let subscriptions = try realm.subscriptionMethods()
        let more = try [realm.requestMethods(), subscriptions.getDeviceSubscriptions, subscriptions.save]
        realm.isShared = true
        try context.lock(with: more + realm.arguments + realm.waits.map(\.first) + realm.twinFunctions.values)
        return realm
    }

    /// Adds the first part of a native function that waits for a back end.
    func add(_ begin: @escaping WaitBeginner, asFirstPartOf function: ScriptValue, _ name: String) throws {
        let first = try makeFunction(name) { [unowned table] scope, call in
            switch try begin(scope, call) {
            case .result(let value): return value
            case .wait(let wait):
                try scope.flushNotifications()
                table.call.wait = .backEnd(wait)
            case .procedure(let start):
                table.call.wait = .procedure { [unowned running = table.call] in
                    start { running.secondPart = .success($0) }
                }
            }
            return call.context.undefined
        }
        waits.append((function, first))
    }

    private func makeTwinFunctions() throws {
        twinFunctions[TwinnedScript.before] = try makeFunction(TwinnedScript.before) { [unowned self] _, call in
            waits.first { $0.function.isIdentical(to: call[0]) }?.first ?? call[0]
        }
        twinFunctions[TwinnedScript.after] = try makeFunction(TwinnedScript.after) { [unowned table] scope, call in
            scope.markEndOfTime()
            // The result of a call without a wait.
            guard let part = table.call.secondPart else { return call[0] }
            table.call.secondPart = nil
            return try part.get()()
        }
        twinFunctions[TwinnedScript.value] = try context.evaluate(
            "(function (value) { return value })", file: AdapterScript.helperFile)
        next = try context.evaluate(
            "Object.getPrototypeOf(function* () {}).prototype.next", file: AdapterScript.helperFile)
    }

    /// The names that the global object of such a realm has, inherited ones included. Found out once.
    static func globalNames(in contexts: ContextTable, withHelpers: Bool) throws -> Set<String> {
        if let known = names.withLock({ $0[withHelpers] }) { return known }
        let context = try contexts.make(name: "names")
        defer { contexts.close(context.id) }
        let table = ScopeTable(in: contexts, count: ScopeCounter())
        return try withExtendedLifetime(table) {
            let realm = try makeLocked(context, in: table, withHelpers: withHelpers, movesClock: false)
            let found = Set(
                try realm.context.evaluate(listOfNames, file: AdapterScript.helperFile).elements().compactMap(\.string))
            names.withLock { $0[withHelpers] = found }
            return found
        }
    }

    private static let names = Mutex<[Bool: Set<String>]>([:])
    private static let listOfNames = """
        (function () {
            var names = [];
            for (var at = globalThis; at; at = Object.getPrototypeOf(at)) names.push.apply(names, Object.getOwnPropertyNames(at));
            return names;
        })()
        """

    /// Installs the parts of the runtime library that translated scripts use; see `RuntimeHelper`.
    func install(_ helpers: String) throws {
        guard !helpers.isEmpty else { return }
        if !hasHelpers {
            hasHelpers = true
            let root = context.makeObject()
            let record = try context.makeFunction("record") { [unowned table] call in
                guard let scope = table.call.scope else { throw HostError("XML can be used by a call only") }
                let record = try scope.xmlRecord ?? call[0].call()
                scope.xmlRecord = record
                return record
            }
            try root.set("record", record, .permanent)
            try context.global.set(RuntimeHelper.name, root, [.permanent, .hidden])
        }
        try context.evaluate(helpers, file: AdapterScript.helperFile)
    }

    /// Installs the function that instrumented `throw` statements call; see `ThrowMark`. Does nothing the second time.
    func installThrowMark() throws {
        guard !hasThrowMark else { return }
        hasThrowMark = true
        try ThrownValues.install(in: context) { [unowned table] in table.call.scope?.thrown }
    }

    /// Makes a native function for scripts. `body` gets the scope that calls it.
    ///
    /// - Parameter title: the function's name in traces, if it is another one.
    func makeFunction(
        _ name: String, title: String? = nil, _ body: @escaping (AdapterScope, HostCall) throws -> ScriptValue
    ) throws -> ScriptValue {
        try context.makeFunction(name) { [unowned table] call in
            guard let scope = table.call.scope else { throw HostError("\(title ?? name) can be called by a call only") }
            do {
                guard let tracer = scope.tracer else { return try body(scope, call) }
                return try scope.trace(title ?? name, call, tracer, body)
            } catch {
                if !(error is ScriptError) { table.call.hostMessage = "\(error)" }
                throw error
            }
        }
    }
}
