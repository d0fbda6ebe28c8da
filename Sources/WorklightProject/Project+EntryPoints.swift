extension Project {
    /// The functions of an adapter that realms call: `login-function` and `logout-function`.
    public func realmFunctions(of adapter: String) -> Set<String> { Set(realmFunctionOrigins(of: adapter).keys) }

    /// The functions of an adapter that realms call, each with its place:
    /// `the realm 'R' in server/conf/authenticationConfig.xml:9 names A.f`.
    package func realmFunctionOrigins(of adapter: String) -> [String: String] {
        let own = adapter + "."
        var origins: [String: String] = [:]
        for realm in authentication.realms {
            for name in ["login-function", "logout-function"].compactMap(realm.parameter) where name.hasPrefix(own) {
                let function = String(name.dropFirst(own.count))
                guard origins[function] == nil else { continue }
                origins[function] =
                    "the realm '\(realm.name)' in \(AuthenticationConfiguration.path):\(realm.line) names \(name)"
            }
        }
        return origins
    }

    /// The functions of an adapter that are called by name from outside of its script.
    public func entryPoints(of adapter: AdapterDescriptor) -> Set<String> {
        realmFunctions(of: adapter.name).union(adapter.procedures.map(\.name))
    }
}
