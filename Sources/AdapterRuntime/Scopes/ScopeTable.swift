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
        var scopes: [String: AdapterScope] = [:]
        /// The back ends' cookies of calls without a session.
        let cookies = CookieJar()
    }

    /// The highest number of shared scopes; then those that have not been used for longest are closed.
    static let mostShared = 50

    /// The scopes that a setting lets all calls share.
    private var shared: [String: AdapterScope] = [:]
    /// The names of the adapters that have shared scopes; the last used at the end.
    private var sharedNames: [String] = []
    private var owners: [ScopeOwner: OwnerScopes] = [:]
    /// Scopes of the running call alone.
    private var own: [String: AdapterScope] = [:]
    /// The owner of the running call.
    private var owner: ScopeOwner?
    /// True if the owner's scopes belong in this machine.
    private var isPlaced = false
    /// The adapters whose scripts are at their top level now, by name.
    private var loading: [String: AdapterScript] = [:]
    /// The adapters as they were when the running call began; none between calls. The call stays with these versions to its
    /// end, also where it comes back to an adapter by `invokeProcedure`.
    private(set) var adapters = AdapterSet.none
    /// The set of adapters whose versions the scopes are of.
    private var setNumber = 0
    /// True if a scope of the call has submitted notifications that may not be on the disk yet.
    var hasUnflushedNotifications = false
    /// True if a limit has ended the running call, or a part of it. Then new state for its owner is discarded;
    /// the scopes that the owner had before stay.
    var hasExceededLimit = false
    /// True if a script holds on to more than its heap may have: that does not improve.
    private(set) var isExhausted = false
    /// The state of the running call.
    var call = RunningCall()
    /// The scope of the innermost call; `nil` when none runs.
    private(set) var running: AdapterScope?
    /// The uses of data sources by calls that have ended; their connections are to be reset once the responses are out.
    private var endedLeases: [SQLLease] = []
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

    /// The cookies that back ends have set, only for the session that the call is for: with another one's, its user
    /// would act as another at the back end.
    var cookies: CookieJar {
        call.caller.session?.cookies ?? call.caller.cookies ?? owner.flatMap { owners[$0]?.cookies } ?? call.cookies
    }

    /// Runs `body` in the adapter's scope, as a call that sees these adapters.
    ///
    /// Nothing in it is limited but what it puts into a call.
    ///
    /// - Parameters:
    ///   - isPlaced: whether the owner's scopes belong in this machine.
    ///   - adopt: called if not `isPlaced` and the call leaves a scope for its owner; returns whether the scope may be in this machine.
    /// - Throws: what `body` throws, ``ProjectError`` when the script cannot be loaded, `CancellationError` when the caller has cancelled it
    ///   before.
    func run<Result>(
        _ adapter: AdapterVersion, among adapters: AdapterSet, for owner: ScopeOwner?, caller: Caller,
        isPlaced: Bool = false, adopt: (ScopeOwner) -> Bool = { _ in false },
        _ body: (AdapterScope) throws -> Result
    ) throws -> Result {
        if let interruption = caller.interruption {
            guard interruption.reason == nil else { throw CancellationError() }
            contexts.interruption = interruption
        }
        defer { if caller.interruption != nil { contexts.interruption = nil } }
        discardReplaced(by: adapters)
        self.adapters = adapters
        self.owner = owner
        self.isPlaced = isPlaced
        call = RunningCall(caller: caller)
        defer { end(adopt) }
        let scope = try scope(of: adapter)
        defer { isExhausted = isExhausted || scope.isExhausted }
        return try body(scope)
    }

    /// Runs `body`, which is a call in that scope.
    func running<Result>(_ scope: AdapterScope, _ body: () throws -> Result) rethrows -> Result {
        let outer = running
        running = scope
        defer { running = outer }
        return try body()
    }

    /// Returns the uses of data sources by calls that have ended, once each.
    func takeEndedLeases() -> [SQLLease] {
        guard !endedLeases.isEmpty else { return [] }
        defer { endedLeases = [] }
        return endedLeases
    }

    private func end(_ adopt: (ScopeOwner) -> Bool) {
        if let tracer = call.caller.tracer, !call.secrets.isEmpty {
            tracer.hide(call.secrets)
            // Functions may have made other strings of them.
            tracer.dropFunctionResults()
        }
        for scope in own.values { give(scope, adopt) }
        own = [:]
        while shared.count > Self.mostShared, let oldest = sharedNames.first {
            sharedNames.removeFirst()
            if let scope = shared.removeValue(forKey: oldest) { close(scope) }
        }
        endedLeases += call.leases.values
        call = RunningCall()
        adapters = .none
        owner = nil
        hasExceededLimit = false
    }

    /// Passes a scope that the call has made to the owner, or discards it.
    ///
    /// The scopes that the owner has in this machine do not come here: they stay, however the call ended.
    private func give(_ scope: AdapterScope, _ adopt: (ScopeOwner) -> Bool) {
        let isCurrent = scope.adapter.directory.current[scope.name]?.common === scope.adapter
        guard let owner, scope.adapter.keepsScopes(for: owner), !hasExceededLimit, isCurrent else {
            return close(scope)
        }
        guard isPlaced || adopt(owner) else {
            scope.adapter.log.warnOnce(
                "concurrent state", to: scope.logger,
                "two calls of one session ran at once and both changed variables; those of the call that ended later are lost"
            )
            return close(scope)
        }
        keep(scope, for: owner)
    }

    private func keep(_ scope: AdapterScope, for owner: ScopeOwner) {
        let scopesOfOwner = owners[owner] ?? OwnerScopes()
        owners[owner] = scopesOfOwner
        scopesOfOwner.scopes[scope.name] = scope
        count.add(1)
    }

    /// Returns whether an owner has scopes here.
    func hasScopes(of owner: ScopeOwner) -> Bool { owners[owner]?.scopes.isEmpty == false }

    /// The scripts that a stack can go through.
    var scripts: [AdapterScript] {
        let scopes = [shared, own, owner.flatMap { owners[$0]?.scopes } ?? [:]].flatMap(\.values)
        return scopes.map(\.script) + loading.values
    }

    /// Returns the scope of an adapter, which must be among those that the call sees. It is loaded when it is first asked for.
    ///
    /// - Throws: ``ProjectError``; the next call then tries again.
    func scope(of adapter: AdapterVersion) throws -> AdapterScope {
        let name = adapter.name
        if let owner, let scope = owners[owner]?.scopes[name] { return scope }
        if let scope = own[name] { return scope }
        let isAlone = call.caller.tracer != nil || owner?.ownsAllScopes == true
        return try isAlone || !adapter.sharesScopes ? ownScope(of: adapter) : sharedScope(of: adapter)
    }

    private func ownScope(of adapter: AdapterVersion) throws -> AdapterScope {
        let scope = try load(adapter)
        if let owner, isPlaced, adapter.keepsScopes(for: owner) {
            keep(scope, for: owner)
        } else {
            own[adapter.name] = scope
        }
        return scope
    }

    private func sharedScope(of adapter: AdapterVersion) throws -> AdapterScope {
        let name = adapter.name
        if sharedNames.last != name {
            sharedNames.removeAll { $0 == name }
            sharedNames.append(name)
        }
        if let scope = shared[name] { return scope }
        // The top level belongs to nobody: it runs for all who use the scope later.
        let call = call
        self.call = RunningCall()
        defer { self.call = call }
        let scope = try load(adapter)
        shared[name] = scope
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

    /// Returns the realm that scopes share, or a new one: for a script that needs its own, for a trace, whose functions record themselves,
    /// and for a conversation, whose lines may change the language.
    private func realm(for adapter: AdapterVersion) throws -> ScriptRealm {
        let isAlone = call.caller.tracer != nil || owner?.ownsAllScopes == true
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

    private func close(_ scope: AdapterScope) {
        if !scope.realm.isShared { contexts.close(scope.context.id) }
    }

    /// Discards the scopes of versions that have been replaced. Nothing may be running.
    func discardReplaced(by adapters: AdapterSet) {
        guard setNumber != adapters.number else { return }
        setNumber = adapters.number
        scopeFunctions = scopeFunctions.filter { adapters[$0.value.version.name]?.common === $0.value.version }
        let isReplaced = { (scope: AdapterScope) in adapters[scope.name]?.common !== scope.adapter }
        let replaced = shared.filter { isReplaced($0.value) }
        close(replaced)
        for name in replaced.keys { shared[name] = nil }
        for scopesOfOwner in owners.values {
            let replaced = scopesOfOwner.scopes.filter { isReplaced($0.value) }
            close(replaced)
            for name in replaced.keys { scopesOfOwner.scopes[name] = nil }
            count.add(-replaced.count)
        }
    }

    /// Closes an owner's scopes, and the shared ones when a script holds on to too much. Nothing may be running.
    func close(_ owner: ScopeOwner) {
        if let scopesOfOwner = owners.removeValue(forKey: owner) {
            close(scopesOfOwner.scopes)
            count.add(-scopesOfOwner.scopes.count)
        }
        closeSharedIfExhausted()
    }

    /// Closes the shared scopes when a script holds on to too much. Nothing may be running.
    func closeSharedIfExhausted() {
        guard isExhausted else { return }
        closeShared()
        isExhausted = false
    }

    /// Closes the shared scopes. Nothing may be running.
    ///
    /// - Returns: false if there were none.
    @discardableResult
    func closeShared() -> Bool {
        defer {
            shared = [:]
            sharedNames = []
        }
        close(shared)
        return !shared.isEmpty
    }

    var hasOwners: Bool { !owners.isEmpty }

    private func close(_ scopes: [String: AdapterScope]) {
        for scope in scopes.values { close(scope) }
    }
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
}
