public import struct Foundation.Date

/// Keeps the entries of clients' logs (wire-protocol 7).
///
/// Entries stay until they are purged: how many there may be, or how old, is up to the caller.
///
/// Synchronous, transactional and callable from any thread, like ``SubscriptionStore``.
public protocol ClientLogStore: Sendable {
    /// Commits the entries, all or none. From its return they are on the disk, so that the client may delete its own.
    ///
    /// - Throws: ``StoreError``.
    func append(_ entries: [ClientLogEntry]) throws(StoreError)

    /// Entries, the last appended first.
    ///
    /// - Parameter limit: at most so many, and never more than 1000.
    /// - Throws: ``StoreError``.
    func clientLog(matching filter: ClientLogFilter, limit: Int) throws(StoreError) -> [StoredClientLogEntry]

    /// Forgets entries that were received before `date`.
    ///
    /// - Returns: how many were forgotten.
    /// - Throws: ``StoreError``.
    func purgeClientLog(receivedBefore date: Date) throws(StoreError) -> Int

    /// Forgets all entries but the last `count` appended.
    ///
    /// - Returns: how many were forgotten.
    /// - Throws: ``StoreError``.
    func purgeClientLog(keepingNewest count: Int) throws(StoreError) -> Int
}
