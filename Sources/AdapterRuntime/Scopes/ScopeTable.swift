import BackEndHTTP
import JavaScriptEngine
import Synchronization

/// The scopes in one virtual machine, and the call that is running there.
///
/// A scope of a script without state is shared by all calls that run in the machine. Of a script with state each owner has a scope, and
/// a call without an owner has one that ends with it. Adapters that call each other are all in the same machine.
///
/// Lives in its virtual machine.
final class ScopeTable {
    /// What an owner has here.
    private final class OwnerScopes {
        var scopes: [String: AdapterScope] = [:]
        /// The back ends' cookies of calls without a session.
        let cookies = CookieJar()
    }

    /// How many shared scopes there are at most; then those that have not been used for longest go.
    static let mostShared = 50

    private var shared: [String: AdapterScope] = [:]
    /// The names of the adapters that have shared scopes; the last used at the end.
    private var sharedNames: [String] = []
    private var owners: [ScopeOwner: OwnerScopes] = [:]
    /// Those of the running call alone.
    private var own: [String: AdapterScope] = [:]
    /// The owner of the running call.
    private var owner: ScopeOwner?
    /// The scopes of the running call that are shared and have variables to clear.
    private var used: [AdapterScope] = []
    /// The adapters whose scripts are at their top level now, by name.
    private var loading: [String: AdapterCommon] = [:]
    /// The adapters as they were when the running call began; none between calls. The call stays with these versions to its
    /// end, also where it comes back to an adapter by `invokeProcedure`.
    private(set) var adapters = AdapterSet.none
    /// The set of adapters whose versions the scopes are of.
    private var setNumber = 0
    /// Whether notifications have been submitted that the disk may not have yet, by whichever scope of the call.
    var hasUnflushedNotifications = false
    /// Whether what a script holds on to is more than its heap may have: it will not get better.
    private(set) var isExhausted = false
    /// What the running call knows of its caller.
    var call = RunningCall()
    private let contexts: ContextTable
    private let count: ScopeCount

    /// - Parameter count: counts the scopes of owners.
    init(in contexts: ContextTable, count: ScopeCount) {
        self.contexts = contexts
        self.count = count
    }

    deinit {
        count.add(-owners.values.reduce(0) { $0 + $1.scopes.count })
    }

    /// The cookies that back ends have set, for nobody but the session that the call is for: with another one's, its user
    /// would act as another at the back end.
    var cookies: CookieJar {
        call.caller.session?.cookies ?? call.caller.cookies ?? owner.flatMap { owners[$0]?.cookies } ?? call.cookies
    }

    /// Runs `body` in the adapter's scope, as a call that sees these adapters.
    ///
    /// Nothing in it is limited but what it puts into a call.
    ///
    /// - Throws: what `body` throws, ``ProjectProblem`` when the script cannot be loaded.
    func run<Result>(
        _ adapter: AdapterCommon, among adapters: AdapterSet, for owner: ScopeOwner?, caller: Caller,
        _ body: (AdapterScope) throws -> Result
    ) throws -> Result {
        discardReplaced(by: adapters)
        self.adapters = adapters
        self.owner = owner
        call = RunningCall(caller: caller)
        defer { end() }
        let scope = try scope(of: adapter)
        defer { isExhausted = isExhausted || scope.isExhausted }
        return try body(scope)
    }

    private func end() {
        for scope in used { scope.clearTemporaries() }
        used.removeAll(keepingCapacity: true)
        close(own)
        own = [:]
        while shared.count > Self.mostShared, let oldest = sharedNames.first {
            sharedNames.removeFirst()
            if let scope = shared.removeValue(forKey: oldest) { contexts.close(scope.context.id) }
        }
        call = RunningCall()
        adapters = .none
        owner = nil
    }

    /// The scripts that a stack can go through.
    var scripts: [AdapterScript] {
        let scopes = [shared, own, owner.flatMap { owners[$0]?.scopes } ?? [:]].flatMap(\.values)
        return scopes.map(\.adapter.script) + loading.values.map(\.script)
    }

    /// The scope of an adapter, which must be among those that the call sees. It is loaded when it is first asked for.
    ///
    /// - Throws: ``ProjectProblem``; then the next one who asks tries again.
    func scope(of adapter: AdapterCommon) throws -> AdapterScope {
        let name = adapter.name
        guard adapter.keepsState || call.caller.tracer != nil || owner?.ownsAllScopes == true else {
            let scope = try sharedScope(of: adapter)
            if scope.hasTemporaries, !used.contains(where: { $0 === scope }) { used.append(scope) }
            return scope
        }
        guard let owner else {
            let scope = try own[name] ?? load(adapter)
            own[name] = scope
            return scope
        }
        if let scope = owners[owner]?.scopes[name] { return scope }
        let scopesOfOwner = owners[owner] ?? OwnerScopes()
        owners[owner] = scopesOfOwner
        let scope = try load(adapter)
        scopesOfOwner.scopes[name] = scope
        count.add(1)
        return scope
    }

    private func sharedScope(of adapter: AdapterCommon) throws -> AdapterScope {
        let name = adapter.name
        if sharedNames.last != name {
            sharedNames.removeAll { $0 == name }
            sharedNames.append(name)
        }
        if let scope = shared[name] { return scope }
        let scope = try load(adapter)
        shared[name] = scope
        return scope
    }

    private func load(_ adapter: AdapterCommon) throws -> AdapterScope {
        guard loading.updateValue(adapter, forKey: adapter.name) == nil else {
            throw HostError(
                "the script of \(adapter.name) is still being loaded; its procedures cannot be called from its own top level"
            )
        }
        defer { loading[adapter.name] = nil }
        let context = try contexts.make(name: adapter.name)
        let scope = AdapterScope(adapter: adapter, context: context, table: self)
        do {
            try scope.load(limits: adapter.settings.loading)
        } catch {
            contexts.close(context.id)
            throw error
        }
        return scope
    }

    /// Lets go of the scopes of versions that have been replaced. Nothing may be running.
    func discardReplaced(by adapters: AdapterSet) {
        guard setNumber != adapters.number else { return }
        setNumber = adapters.number
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

    /// Lets go of an owner's scopes, and of the shared ones when a script holds on to too much. Nothing may be running.
    func close(_ owner: ScopeOwner) {
        if let scopesOfOwner = owners.removeValue(forKey: owner) {
            close(scopesOfOwner.scopes)
            count.add(-scopesOfOwner.scopes.count)
        }
        guard isExhausted else { return }
        close(shared)
        shared = [:]
        isExhausted = false
    }

    private func close(_ scopes: [String: AdapterScope]) {
        for scope in scopes.values { contexts.close(scope.context.id) }
    }
}

/// How many scopes of owners there are in the process's runtime.
final class ScopeCount: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }

    func add(_ change: Int) {
        number.add(change, ordering: .relaxed)
    }
}
