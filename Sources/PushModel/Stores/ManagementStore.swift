public import Core

public import struct Foundation.Date

/// Keeps the tokens and the audit log of the management API.
///
/// Synchronous, transactional and callable from any thread, like ``SubscriptionStore``.
public protocol ManagementStore: Sendable {
    /// Adds a token.
    ///
    /// - Returns: `false` when its name is taken; then nothing was changed.
    /// - Throws: ``StoreError``.
    func add(_ token: APIToken) throws(StoreError) -> Bool

    /// Returns the token with a hash, expired or not, or `nil`.
    ///
    /// - Throws: ``StoreError``.
    func apiToken(hash: String) throws(StoreError) -> APIToken?

    /// Returns all tokens in the order of their names.
    ///
    /// - Throws: ``StoreError``.
    func apiTokens() throws(StoreError) -> [APIToken]

    /// Removes a token.
    ///
    /// - Returns: the removed token, or `nil` when there was none.
    /// - Throws: ``StoreError``.
    func removeAPIToken(_ name: String) throws(StoreError) -> APIToken?

    /// Appends an entry to the audit log.
    ///
    /// - Throws: ``StoreError``.
    func append(_ entry: AuditEntry) throws(StoreError)

    /// Lists the audit log, newest first.
    ///
    /// - Parameter number: only entries with lower numbers; `nil` for the newest.
    /// - Throws: ``StoreError``.
    func auditLog(
        matching filter: AuditFilter, before number: Int64?, limit: Int
    ) throws(StoreError) -> ListPage<AuditEntry, Int64>

    /// Removes entries older than `date`, and all but the newest `count`.
    ///
    /// - Returns: the number of removed entries.
    /// - Throws: ``StoreError``.
    func purgeAuditLog(before date: Date, keeping count: Int) throws(StoreError) -> Int
}

/// The entries of a list of the audit log; a member that is `nil` matches everything.
public struct AuditFilter: Sendable, Hashable {
    public var account: String?
    public var type: String?
    /// Only entries of this time or later.
    public var since: Date?
    /// Only entries before this time.
    public var until: Date?

    public init(account: String? = nil, type: String? = nil, since: Date? = nil, until: Date? = nil) {
        (self.account, self.type, self.since, self.until) = (account, type, since, until)
    }
}

/// A token for the management API. The token itself is not kept.
public struct APIToken: Sendable, Hashable {
    public let name: String
    /// The SHA-256 hash of the token, in hexadecimal.
    public let hash: String
    public let role: String
    public let createdAt: Date
    /// `nil` for a token that does not expire.
    public let expiresAt: Date?

    public init(name: String, hash: String, role: String, createdAt: Date, expiresAt: Date?) {
        (self.name, self.hash, self.role) = (name, hash, role)
        (self.createdAt, self.expiresAt) = (createdAt, expiresAt)
    }
}

/// An entry of the audit log: a call that changed something, or tried to.
public struct AuditEntry: Sendable, Hashable {
    /// Increases with each entry; `nil` before it is stored.
    public let number: Int64?
    public let time: Date
    /// The action's name; as in the original's audit log where that has it (`AdapterDeployment`, `sendMessage`).
    public let type: String
    /// The account or token.
    public let account: String
    /// The client's address; empty for the command line without a server.
    public let address: String
    /// The path of the resource.
    public let target: String
    /// The HTTP status of the response.
    public let status: Int
    /// True if the action failed; always with a status from 400 on.
    public let isFailure: Bool
    /// The resource before the action; `nil` for none.
    public let before: JSONValue?
    /// The resource after the action; `nil` for none.
    public let after: JSONValue?

    public init(
        number: Int64? = nil, time: Date, type: String, account: String, address: String, target: String, status: Int,
        isFailure: Bool = false, before: JSONValue?, after: JSONValue?
    ) {
        (self.number, self.time, self.type, self.account) = (number, time, type, account)
        (self.address, self.target, self.status) = (address, target, status)
        (self.before, self.after) = (before, after)
        self.isFailure = isFailure || status >= 400
    }
}
