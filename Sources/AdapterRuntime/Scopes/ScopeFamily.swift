import BackEndHTTP
import JavaScriptEngine
import Synchronization

/// The scopes of one owner, one for each adapter that it has called, all in one virtual machine: procedures that call each
/// other stay on its thread.
///
/// Lives in its virtual machine.
final class ScopeFamily {
    private var scopes: [String: AdapterScope] = [:]
    /// The adapters whose scripts are at their top level now.
    private var loading: Set<String> = []
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

    /// The scope of an adapter, loaded when it is first asked for.
    ///
    /// - Throws: ``ProjectProblem``; then the next one who asks tries again.
    func scope(of adapter: AdapterCommon) throws -> AdapterScope {
        if let scope = scopes[adapter.name] { return scope }
        guard loading.insert(adapter.name).inserted else {
            throw HostError(
                "the script of \(adapter.name) is still being loaded; its procedures cannot be called from its own top level"
            )
        }
        defer { loading.remove(adapter.name) }
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
