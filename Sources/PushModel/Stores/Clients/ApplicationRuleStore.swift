/// Keeps the operator's decisions on versions of applications (wire-protocol 3.1, 3.5).
///
/// Every request needs its rule, so a server reads them all at its start and keeps them in memory.
///
/// Synchronous, transactional and callable from any thread, like ``SubscriptionStore``.
public protocol ApplicationRuleStore: Sendable {
    /// Adds a rule, or replaces the one for the same application, environment and version.
    ///
    /// - Returns: the rule as it is kept: with the id that its message has already, or with a new one
    ///   (``ApplicationRule/replacing(_:)``).
    /// - Throws: ``StoreError``.
    @discardableResult
    func setApplicationRule(_ rule: ApplicationRule) throws(StoreError) -> ApplicationRule

    /// Removes a rule: that version may be used again.
    ///
    /// - Parameter environment: in any case.
    /// - Returns: whether there was one.
    /// - Throws: ``StoreError``.
    func removeApplicationRule(
        applicationID: String, environment: String, version: String
    ) throws(StoreError) -> Bool

    /// Returns all rules, ordered by the bytes of application, environment and version.
    ///
    /// - Throws: ``StoreError``.
    func applicationRules() throws(StoreError) -> [ApplicationRule]
}
