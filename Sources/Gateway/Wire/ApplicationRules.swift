import Authentication
import PushModel

/// What the operator decided for versions of applications, at hand for every request.
final class ApplicationRules: Sendable {
    private struct Key: Hashable {
        let application: String
        let environment: ClientEnvironment
        let version: String
    }

    private let store: any ApplicationRuleStore
    private let rules: StoredTable<[Key: ApplicationRule]>

    /// - Throws: `StoreError`.
    init(store: any ApplicationRuleStore) throws(StoreError) {
        self.store = store
        rules = try StoredTable { () throws(StoreError) in
            Dictionary(
                try store.applicationRules().map { rule in
                    (
                        Key(
                            application: rule.applicationID, environment: ClientEnvironment(rule.environment),
                            version: rule.version), rule
                    )
                }
            ) { $1 }
        }
    }

    /// The rule for a version; `nil` when there is none, and all is as it should be.
    subscript(application: ClientApplication) -> ApplicationRule? {
        let rules = rules.current
        guard !rules.isEmpty else { return nil }
        return rules[
            Key(application: application.id, environment: application.environment, version: application.version)]
    }

    var all: [ApplicationRule] {
        get throws(StoreError) { try store.applicationRules() }
    }

    /// - Throws: `StoreError`.
    func set(_ rule: ApplicationRule) throws(StoreError) -> ApplicationRule {
        let stored = try store.setApplicationRule(rule)
        try read()
        return stored
    }

    /// - Returns: whether there was one.
    /// - Throws: `StoreError`.
    func remove(_ application: ClientApplication) throws(StoreError) -> Bool {
        let removed = try store.removeApplicationRule(
            applicationID: application.id, environment: application.environment.name, version: application.version)
        try read()
        return removed
    }

    /// Reads what other servers that share the store have changed.
    ///
    /// - Throws: `StoreError`.
    func read() throws(StoreError) { try rules.read() }
}
