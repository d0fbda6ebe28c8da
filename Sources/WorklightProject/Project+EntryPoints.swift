extension Project {
    /// The functions of an adapter that realms call: `login-function` and `logout-function`.
    public func realmFunctions(of adapter: String) -> Set<String> {
        let own = adapter + "."
        let names = authentication.realms.flatMap { realm in
            ["login-function", "logout-function"].compactMap { realm.parameter($0) }
        }
        return Set(names.filter { $0.hasPrefix(own) }.map { String($0.dropFirst(own.count)) })
    }

    /// The functions of an adapter that are called by name from outside of its script.
    public func entryPoints(of adapter: AdapterDescriptor) -> Set<String> {
        realmFunctions(of: adapter.name).union(adapter.procedures.map(\.name))
    }
}
