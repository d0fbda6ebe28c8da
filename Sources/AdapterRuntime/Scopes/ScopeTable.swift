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
    /// The adapters whose scripts are at their top level now, by name.
    private var loading: [String: AdapterScript] = [:]
    /// The set of adapters whose versions the scopes are of.
    private var setNumber = 0
    /// The call of which a step runs now; an empty one between steps.
    private(set) var call = RunningCall()
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
    var cookies: CookieJar { call.cookies(call.owner.flatMap { owners[$0]?.cookies }) }

    /// Runs `body` in the adapter's scope, as a call from its beginning to its end.
    ///
    /// Nothing in it is limited but what it puts into a call.
    ///
    /// - Parameter adopt: called if the call's owner has no scopes in this machine and gets one; returns whether the scope may be in this
    ///   machine.
    /// - Throws: what `body` throws, ``ProjectError`` when the script cannot be loaded, `CancellationError` when the caller has cancelled it
    ///   before.
    func run<Result>(
        _ call: RunningCall, of adapter: AdapterVersion, adopt: (ScopeOwner) -> Bool = { _ in false },
        _ body: (AdapterScope) throws -> Result
    ) throws -> Result {
        guard call.caller.interruption?.reason == nil else { throw CancellationError() }
        discardReplaced(by: call.adapters)
        return try step(of: call) {
            defer { end(call, adopt) }
            return try body(scope(of: adapter))
        }
    }

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

    private func end(_ call: RunningCall, _ adopt: (ScopeOwner) -> Bool) {
        if let tracer = call.caller.tracer, !call.secrets.isEmpty {
            tracer.hide(call.secrets)
            // Functions may have made other strings of them.
            tracer.dropFunctionResults()
        }
        for scope in call.ownScopes.values { give(scope, of: call, adopt) }
        call.ownScopes = [:]
        while shared.count > Self.mostShared, let oldest = sharedNames.first {
            sharedNames.removeFirst()
            if let scope = shared.removeValue(forKey: oldest) { close(scope) }
        }
    }

    /// Passes a scope that the call has made to the owner, or discards it.
    ///
    /// The scopes that the owner has in this machine do not come here: they stay, however the call ended.
    private func give(_ scope: AdapterScope, of call: RunningCall, _ adopt: (ScopeOwner) -> Bool) {
        let isCurrent = scope.adapter.directory.current[scope.name]?.common === scope.adapter
        guard let owner = call.owner, scope.adapter.keepsScopes(for: owner), !call.hasExceededLimit, isCurrent else {
            return close(scope)
        }
        guard call.isPlaced || adopt(owner) else {
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
        let scopes = [shared, call.ownScopes, call.owner.flatMap { owners[$0]?.scopes } ?? [:]].flatMap(\.values)
        return scopes.map(\.script) + loading.values
    }

    /// Returns the scope of an adapter, which must be among those that the call sees. It is loaded when it is first asked for.
    ///
    /// - Throws: ``ProjectError``; the next call then tries again.
    func scope(of adapter: AdapterVersion) throws -> AdapterScope {
        let name = adapter.name
        if let owner = call.owner, let scope = owners[owner]?.scopes[name] { return scope }
        if let scope = call.ownScopes[name] { return scope }
        return try isAlone || !adapter.sharesScopes ? ownScope(of: adapter) : sharedScope(of: adapter)
    }

    private func ownScope(of adapter: AdapterVersion) throws -> AdapterScope {
        let scope = try load(adapter)
        if let owner = call.owner, call.isPlaced, adapter.keepsScopes(for: owner) {
            keep(scope, for: owner)
        } else {
            call.ownScopes[adapter.name] = scope
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
        var nobody = Caller()
        nobody.interruption = call.caller.interruption
        let loading = RunningCall(caller: nobody, adapters: call.adapters)
        defer {
            close(loading.ownScopes)
            call.take(leasesOf: loading)
        }
        let scope = try step(of: loading) { try load(adapter) }
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

    /// True if the call's scopes belong to it, or to its owner, alone.
    private var isAlone: Bool { call.caller.tracer != nil || call.owner?.ownsAllScopes == true }

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

    /// Closes an owner's scopes. Nothing may be running.
    func close(_ owner: ScopeOwner) {
        guard let scopesOfOwner = owners.removeValue(forKey: owner) else { return }
        close(scopesOfOwner.scopes)
        count.add(-scopesOfOwner.scopes.count)
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
