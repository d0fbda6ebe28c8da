import AdapterSyntax
import BackEndHTTP
import Core
import Databases
import JavaScriptEngine
import PushModel
import Synchronization
import WorklightProject

/// The scopes in one virtual machine, and the call that is running there.
///
/// A call takes its owner's scope of an adapter, or the shared one of the machine if a setting lets all sessions share it.
/// Adapters that call each other are all in the same machine.
///
/// Lives in its virtual machine.
final class ScopeTable {
    /// The scopes and cookies of an owner in this machine.
    private final class OwnerScopes {
        let placement: PlacementEnd
        var scopes: [String: AdapterScope] = [:]
        /// The back ends' cookies of calls without a session.
        let cookies = CookieJar()

        init(_ placement: PlacementEnd) { self.placement = placement }
    }

    /// The highest number of shared scopes; then those that have not been used for longest are closed.
    static let mostShared = 50

    /// The scopes that a setting lets all calls share: several of an adapter if its calls wait, since one call at a time uses a scope.
    private var shared: [String: [AdapterScope]] = [:]
    /// The names of the adapters that have shared scopes; the last used at the end.
    private var sharedNames: [String] = []
    /// Those of each placement: an owner may have several here.
    private var owners: [ObjectIdentifier: OwnerScopes] = [:]
    /// The adapters whose scripts are at their top level now, by name.
    private var loading: [String: AdapterScript] = [:]
    /// The set of adapters whose versions the scopes are of.
    private var setNumber = 0
    /// The call of which a step runs now; an empty one between steps.
    private(set) var call = RunningCall()
    /// The next steps of the calls that wait, by number.
    private var nextSteps: [Int: () -> CallStep] = [:]
    private var lastNumber = 0
    private let contexts: ContextTable
    private let count: ScopeCounter
    /// The realm in which new scopes are made, made when the first one needs it, and again when the first script needs helpers.
    private var sharedRealm: ScriptRealm?
    /// The functions that make scopes in it, by version.
    private var scopeFunctions: [ObjectIdentifier: (version: AdapterVersion, make: ScriptValue)] = [:]

    /// - Parameter count: counts the scopes of owners.
    init(in contexts: ContextTable, count: ScopeCounter) {
        self.contexts = contexts
        self.count = count
    }

    deinit {
        for scopesOfOwner in owners.values { count.add(-scopesOfOwner.scopes.count) }
    }

    /// The back ends' cookies of the call.
    var cookies: CookieJar { call.cookies(ownersScopes?.cookies) }

    /// The scopes that the call's owner has here.
    private var ownersScopes: OwnerScopes? {
        guard call.isPlaced, let placement = call.placement else { return nil }
        return owners[ObjectIdentifier(placement)]
    }

    /// Runs `body` in the adapter's scope, as a call from its beginning to its end.
    ///
    /// Nothing in it is limited but what it puts into a call.
    ///
    /// - Throws: what `body` throws, ``ProjectError`` when the script cannot be loaded, `CancellationError` when the caller has cancelled it
    ///   before.
    func run<Result>(
        _ call: RunningCall, of adapter: AdapterVersion, _ body: (AdapterScope) throws -> Result
    ) throws -> Result {
        guard call.caller.interruption?.reason == nil else { throw CancellationError() }
        discardReplaced(by: call.adapters)
        return try step(of: call) {
            defer { end(call) }
            return try body(scope(of: adapter))
        }
    }

    /// Runs `body` in the adapter's scope, and then the functions that it adds to the call, until one waits or all have ended.
    ///
    /// - Returns: the wait, after which ``advance(_:)`` is to be called; `nil` when all have ended.
    /// - Throws: as ``run(_:of:_:)``.
    func begin(
        _ call: RunningCall, of adapter: AdapterVersion, _ body: (AdapterScope) throws -> Void
    ) throws -> BackEndWait? {
        guard call.caller.interruption?.reason == nil else { throw CancellationError() }
        discardReplaced(by: call.adapters)
        return try step(of: call) {
            do {
                try body(scope(of: adapter))
            } catch {
                end(above: 0, error)
                throw error
            }
            return advance()
        }
    }

    /// Goes on after a wait, for which the call has the second part.
    ///
    /// - Returns: the next wait; `nil` when all functions of the call have ended.
    func advance(_ call: RunningCall) -> BackEndWait? { step(of: call) { advance() } }

    /// Keeps the next step of a call that waits.
    ///
    /// - Returns: a number for ``takeStep(_:)``.
    func keep(_ step: @escaping () -> CallStep) -> Int {
        lastNumber += 1
        nextSteps[lastNumber] = step
        return lastNumber
    }

    /// Returns a step that was kept.
    func takeStep(_ number: Int) -> (() -> CallStep)? { nextSteps.removeValue(forKey: number) }

    /// Runs `body`, which is a step of that call. From its beginning to its end, scripts and native functions in this machine work for the
    /// call.
    private func step<Result>(of call: RunningCall, _ body: () throws -> Result) rethrows -> Result {
        let outer = self.call
        self.call = call
        contexts.interruption = call.caller.interruption
        defer {
            self.call = outer
            contexts.interruption = outer.caller.interruption
        }
        return try body()
    }

    /// Ends a call.
    func end(_ call: RunningCall) {
        if let tracer = call.caller.tracer, !call.secrets.isEmpty {
            tracer.hide(call.secrets)
            // Functions may have made other strings of them.
            tracer.dropFunctionResults()
        }
        let scopes = call.scopes
        call.scopes = [:]
        if call.isExhausted {
            // Those of the call's owner go with the owner.
            for (name, scope) in scopes where shared[name]?.contains(where: { $0 === scope }) == true {
                shared[name]?.removeAll { $0 === scope }
                scope.isObsolete = true
            }
        }
        for (name, scope) in scopes {
            scope.isInUse = false
            if call.ownScopes.contains(name) { give(scope, of: call) } else if scope.isObsolete { close(scope) }
        }
        while shared.count > Self.mostShared, let oldest = sharedNames.first {
            sharedNames.removeFirst()
            close(shared.removeValue(forKey: oldest) ?? [])
        }
    }

    /// Passes a scope that the call has made to the owner, or discards it.
    ///
    /// The scopes that the owner has in this machine do not come here: they stay, however the call ended.
    private func give(_ scope: AdapterScope, of call: RunningCall) {
        let isCurrent = scope.adapter.directory.current[scope.name]?.common === scope.adapter
        guard let owner = call.owner, let placement = call.placement, call.isPlaced,
            scope.adapter.keepsScopes(for: owner), !call.hasExceededLimit, isCurrent
        else { return close(scope) }
        keep(scope, placement)
    }

    private func keep(_ scope: AdapterScope, _ placement: PlacementEnd) {
        let key = ObjectIdentifier(placement)
        let kept = owners[key] ?? OwnerScopes(placement)
        owners[key] = kept
        kept.scopes[scope.name] = scope
        count.add(1)
    }

    /// Returns whether an owner has scopes here.
    func hasScopes(_ placement: PlacementEnd) -> Bool {
        owners[ObjectIdentifier(placement)]?.scopes.isEmpty == false
    }

    /// The scripts that a stack can go through.
    var scripts: [AdapterScript] {
        (shared.values.joined() + Array(call.scopes.values)).map(\.script) + loading.values
    }

    /// Returns the scope of an adapter, which must be among those that the call sees. It is loaded when it is first asked for.
    ///
    /// - Throws: ``ProjectError``; the next call then tries again.
    func scope(of adapter: AdapterVersion) throws -> AdapterScope {
        let name = adapter.name
        if let scope = call.scopes[name] { return scope }
        let kept = ownersScopes?.scopes[name]
        let scope =
            if let kept, !kept.isInUse {
                kept
            } else {
                try isAlone || !adapter.sharesScopes ? ownScope(of: adapter) : sharedScope(of: adapter)
            }
        scope.isInUse = true
        call.scopes[name] = scope
        return scope
    }

    private func ownScope(of adapter: AdapterVersion) throws -> AdapterScope {
        let scope = try load(adapter)
        if let owner = call.owner, let placement = call.placement, call.isPlaced, isUpToDate,
            adapter.keepsScopes(for: owner)
        {
            keep(scope, placement)
        } else {
            call.ownScopes.insert(adapter.name)
        }
        return scope
    }

    /// False if the call began before the last change of the adapters in this machine, and has waited meanwhile.
    private var isUpToDate: Bool { call.adapters.number == setNumber }

    private func sharedScope(of adapter: AdapterVersion) throws -> AdapterScope {
        let name = adapter.name
        if sharedNames.last != name, isUpToDate {
            sharedNames.removeAll { $0 == name }
            sharedNames.append(name)
        }
        if isUpToDate, let scope = shared[name]?.first(where: { !$0.isInUse }) { return scope }
        // The top level belongs to nobody: it runs for all who use the scope later.
        var nobody = Caller()
        nobody.interruption = call.caller.interruption
        let loading = RunningCall(caller: nobody, adapters: call.adapters)
        defer {
            end(loading)
            call.take(leasesOf: loading)
        }
        let scope = try step(of: loading) { try load(adapter) }
        // As many as calls of the adapter can be at its back end.
        let most = max(1, adapter.descriptor.connectivity.http?.maxConcurrentConnections ?? 1)
        if isUpToDate, shared[name]?.count ?? 0 < most {
            shared[name, default: []].append(scope)
        } else {
            scope.isObsolete = true
        }
        return scope
    }

    private func load(_ adapter: AdapterVersion) throws -> AdapterScope {
        guard loading[adapter.name] == nil else {
            throw HostError(
                "the script of \(adapter.name) is still being loaded; its procedures cannot be called from its own top level"
            )
        }
        let scope = AdapterScope(adapter: adapter, realm: try realm(for: adapter), table: self)
        loading[adapter.name] = scope.script
        defer { loading[adapter.name] = nil }
        do {
            try scope.load(limits: adapter.settings.loading)
        } catch {
            close(scope)
            throw error
        }
        return scope
    }

    /// True if the call's scopes belong to it, or to its owner, alone.
    var isAlone: Bool { call.caller.tracer != nil || call.owner?.ownsAllScopes == true }

    /// Returns the realm that scopes share, or a new one: for a script that needs its own, for a trace, whose functions record themselves,
    /// and for a conversation, whose lines may change the language.
    private func realm(for adapter: AdapterVersion) throws -> ScriptRealm {
        guard !isAlone, adapter.sharesRealm else {
            return ScriptRealm(try contexts.make(name: adapter.name), in: self)
        }
        let withHelpers = !adapter.script.helpers.isEmpty
        if let sharedRealm, sharedRealm.hasHelpers || !withHelpers { return sharedRealm }
        let context = try contexts.make(name: "realm")
        do {
            let realm = try ScriptRealm.makeLocked(
                context, in: self, withHelpers: withHelpers, movesClock: adapter.settings.movesScriptClock)
            // Scopes that were made in the former realm stay there.
            sharedRealm = realm
            scopeFunctions = [:]
            return realm
        } catch {
            contexts.close(context.id)
            throw error
        }
    }

    /// Returns the function that makes scopes of a version in the shared realm.
    func scopeFunction(
        _ function: ScopeFunction, of adapter: AdapterVersion, in realm: ScriptRealm
    ) throws -> ScriptValue {
        if let known = scopeFunctions[ObjectIdentifier(adapter)] { return known.make }
        let make = try realm.context.evaluate(function.source, file: adapter.descriptor.scriptPath)
        // The engine's name for a script's top level in stacks.
        try make.set("displayName", realm.context.make("global code"), [.readOnly, .hidden])
        try realm.context.freeze(make)
        scopeFunctions[ObjectIdentifier(adapter)] = (adapter, make)
        return make
    }

    /// Closes a scope, at the end of the call that uses it.
    private func close(_ scope: AdapterScope) {
        if scope.isInUse { scope.isObsolete = true } else if !scope.realm.isShared { contexts.close(scope.context.id) }
    }

    /// Discards the scopes of versions that have been replaced.
    func discardReplaced(by adapters: AdapterSet) {
        guard setNumber != adapters.number else { return }
        setNumber = adapters.number
        scopeFunctions = scopeFunctions.filter { adapters[$0.value.version.name]?.common === $0.value.version }
        let isReplaced = { (scope: AdapterScope) in adapters[scope.name]?.common !== scope.adapter }
        for (name, scopes) in shared where scopes.contains(where: isReplaced) {
            close(scopes)
            shared[name] = nil
        }
        for scopesOfOwner in owners.values {
            let replaced = scopesOfOwner.scopes.filter { isReplaced($0.value) }
            close(replaced.values)
            for name in replaced.keys { scopesOfOwner.scopes[name] = nil }
            count.add(-replaced.count)
        }
    }

    /// Closes an owner's scopes.
    func close(_ placement: PlacementEnd) {
        guard let scopesOfOwner = owners.removeValue(forKey: ObjectIdentifier(placement)) else { return }
        close(scopesOfOwner.scopes.values)
        count.add(-scopesOfOwner.scopes.count)
    }

    /// Closes the shared scopes.
    ///
    /// - Returns: false if there were none.
    @discardableResult
    func closeShared() -> Bool {
        defer {
            shared = [:]
            sharedNames = []
        }
        close(shared.values.joined())
        return !shared.isEmpty
    }

    private func close(_ scopes: some Sequence<AdapterScope>) {
        for scope in scopes { close(scope) }
    }
}

/// The end of an owner's time in a machine, for calls that run there: they leave the owner nothing after it.
final class PlacementEnd: Sendable {
    let hasCome = Atomic(false)
}

/// The number of owners' scopes in the process's runtime.
final class ScopeCounter: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }

    func add(_ change: Int) {
        number.add(change, ordering: .relaxed)
    }
}

/// The session, poll or tool whose variables an adapter keeps between calls.
///
/// Worklight kept variables per client session, and logins in two steps rely on it (server-api 1).
enum ScopeOwner: Sendable, Hashable {
    /// A client's session, by ``ClientSession/id``, which logins do not change. The id in the cookie is another one.
    case session(String)
    /// An event source's poll.
    case poll(EventSourceID)
    /// Somebody who evaluates code in an adapter, line by line.
    case conversation(adapter: String)
    /// Calls that are traced: their scripts are changed for the trace. Named by the ``InvocationTracer``.
    case trace(ObjectIdentifier)

    /// True if the owner has its own scopes of all adapters from the first call on.
    var ownsAllScopes: Bool {
        switch self {
        case .session, .poll: false
        case .conversation, .trace: true
        }
    }

    var isPoll: Bool {
        if case .poll = self { true } else { false }
    }

    var isSession: Bool {
        if case .session = self { true } else { false }
    }
}
