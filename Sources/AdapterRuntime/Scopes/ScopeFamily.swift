import BackEndHTTP
import JavaScriptEngine
import Synchronization

/// The scopes of one owner, one for each adapter that it has called, all in one virtual machine: procedures that call each
/// other stay on its thread.
///
/// Lives in its virtual machine.
final class ScopeFamily {
    private var scopes: [String: AdapterScope] = [:]
    /// The adapters whose scripts are at their top level now, by name.
    private var loading: [String: AdapterCommon] = [:]
    /// The adapters as they were when the running call began; none between calls. The call stays with these versions to its
    /// end, also where it comes back to an adapter by `invokeProcedure`.
    private(set) var adapters = AdapterSet.none
    /// The set of adapters whose versions the scopes are of.
    private var setNumber = 0
    /// Whether notifications have been submitted that the disk may not have yet, by whichever scope of the call.
    var hasUnflushedNotifications = false
    private let contexts: ContextTable
    private let count: ScopeCount
    /// What the running call knows of its caller.
    var call = RunningCall()
    /// Cookies of back ends for calls without a session; `nil` when those who call here have nothing in common.
    private let ownCookies: CookieJar?

    /// The cookies that back ends have set, for nobody but the session that the call is for: with another one's, its user
    /// would act as another at the back end.
    var cookies: CookieJar { call.caller.session?.cookies ?? ownCookies ?? call.cookies }

    init(in contexts: ContextTable, for owner: ScopeOwner?, count: ScopeCount) {
        self.contexts = contexts
        if case .anybody = owner { ownCookies = nil } else { ownCookies = CookieJar() }
        self.count = count
    }

    deinit {
        count.add(-scopes.count)
    }

    /// Begins a call that sees these adapters. Nothing of the family's may be running.
    func begin(_ call: RunningCall, among adapters: AdapterSet) {
        giveUpScopes(notAmong: adapters)
        self.call = call
        self.adapters = adapters
    }

    /// Ends the call.
    func end() {
        call = RunningCall()
        adapters = .none
    }

    /// Gives up the scopes of versions that have been replaced. Nothing of the family's may be running.
    func giveUpScopes(notAmong adapters: AdapterSet) {
        guard setNumber != adapters.number else { return }
        setNumber = adapters.number
        for (name, scope) in scopes where adapters[name]?.common !== scope.adapter {
            scopes[name] = nil
            contexts.close(scope.context.id)
            count.add(-1)
        }
    }

    /// The scripts that a stack can go through.
    var scripts: [AdapterScript] { scopes.values.map(\.adapter.script) + loading.values.map(\.script) }

    /// The scope of an adapter, which must be among those that the call sees. It is loaded when it is first asked for.
    ///
    /// - Throws: ``ProjectProblem``; then the next one who asks tries again.
    func scope(of adapter: AdapterCommon) throws -> AdapterScope {
        if let scope = scopes[adapter.name] { return scope }
        guard loading.updateValue(adapter, forKey: adapter.name) == nil else {
            throw HostError(
                "the script of \(adapter.name) is still being loaded; its procedures cannot be called from its own top level"
            )
        }
        defer { loading[adapter.name] = nil }
        let context = try contexts.make(name: adapter.name)
        let scope = AdapterScope(adapter: adapter, context: context, family: self)
        do {
            try scope.load(limits: adapter.settings.loading)
        } catch {
            contexts.close(context.id)
            throw error
        }
        scopes[adapter.name] = scope
        count.add(1)
        return scope
    }

    /// Lets go of all scopes. Afterwards the machine no longer knows them.
    func close() {
        for scope in scopes.values { contexts.close(scope.context.id) }
        count.add(-scopes.count)
        scopes = [:]
    }
}

/// How many scopes there are in the process's runtime.
final class ScopeCount: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }

    func add(_ change: Int) {
        number.add(change, ordering: .relaxed)
    }
}
