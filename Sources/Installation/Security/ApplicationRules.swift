package import Authentication
package import PushModel

/// The operator's decisions about versions of applications, in memory for every request.
package final class ApplicationRules: Sendable {
    private struct Key: Hashable {
        let application: String
        /// One environment may have two names, such as `Androidnative` and `nativeAndroidApp`.
        let environment: String
        let version: String
    }

    /// In a rule, all versions of an environment that have no separate rule.
    static let otherVersions = "*"

    private let store: any ApplicationRuleStore
    private let rules: CachedStoreTable<[Key: ApplicationRule]>

    /// - Throws: `StoreError`.
    init(store: any ApplicationRuleStore) throws(StoreError) {
        self.store = store
        rules = try CachedStoreTable { () throws(StoreError) in
            Dictionary(
                try store.applicationRules().map { rule in
                    (
                        Key(
                            application: rule.applicationID,
                            environment: ClientEnvironment(rule.environment).descriptorName,
                            version: rule.version), rule
                    )
                }
            ) { $1 }
        }
    }

    /// The rule that a version follows: its own, or the one for ``otherVersions``; `nil` when there is neither, and the version is admitted.
    package subscript(application: ClientApplication) -> ApplicationRule? {
        let rules = rules.current
        guard !rules.isEmpty else { return nil }
        return rules[Self.key(application, application.version)] ?? rules[Self.key(application, Self.otherVersions)]
    }

    /// A version's own rule.
    package func own(_ application: ClientApplication) -> ApplicationRule? {
        rules.current[Self.key(application, application.version)]
    }

    /// True if any version is disabled.
    package var disablesAny: Bool { rules.current.values.contains { $0.access == .disabled } }

    private static func key(_ application: ClientApplication, _ version: String) -> Key {
        Key(application: application.id, environment: application.environment.descriptorName, version: version)
    }

    package var all: [ApplicationRule] {
        get throws(StoreError) { try store.applicationRules() }
    }

    /// - Throws: `StoreError`.
    package func set(_ rule: ApplicationRule) throws(StoreError) -> ApplicationRule {
        let stored = try store.setApplicationRule(rule)
        try read()
        return stored
    }

    /// - Returns: whether there was one.
    /// - Throws: `StoreError`.
    package func remove(_ application: ClientApplication) throws(StoreError) -> Bool {
        let removed = try store.removeApplicationRule(
            applicationID: application.id, environment: application.environment.name, version: application.version)
        try read()
        return removed
    }

    /// Reads what other servers that share the store have changed.
    ///
    /// - Throws: `StoreError`.
    package func read() throws(StoreError) { try rules.read() }
}
