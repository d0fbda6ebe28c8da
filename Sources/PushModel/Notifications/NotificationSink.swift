/// Takes the notifications that `notify*` makes.
///
/// Synchronous, like the stores: when ``submit(_:)`` returns, the deliveries are committed and outlive this process; after
/// ``flush()`` they outlive a power failure as well.
public protocol NotificationSink: Sendable {
    /// Commits the deliveries, all or none, and sets about delivering them.
    ///
    /// - Returns: how many milliseconds the caller should wait before it submits more; 0 when there is no need
    ///   (server-api 2.8).
    /// - Throws: ``StoreError``.
    func submit(_ deliveries: [Delivery]) throws(StoreError) -> Int

    /// Returns when everything submitted so far is on the disk.
    ///
    /// - Throws: ``StoreError``.
    func flush() throws(StoreError)
}
