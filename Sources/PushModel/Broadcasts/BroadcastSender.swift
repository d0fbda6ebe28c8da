/// Takes the broadcasts that `sendMessage` makes.
///
/// Synchronous, like ``NotificationSink``.
public protocol BroadcastSender: Sendable {
    /// Commits the broadcast and all its deliveries, and sets about delivering them.
    ///
    /// The broadcast itself is committed first. When a later part fails, or the process dies, what is left of it is taken
    /// up when a server starts, and now and then while it runs: no device is left out and none gets it twice.
    /// So after an error the message must not be sent again: it may have gone out already, or will.
    ///
    /// - Returns: how many milliseconds the caller should wait before it sends more; 0 when there is no need.
    /// - Throws: ``StoreError``.
    func send(_ broadcast: Broadcast) throws(StoreError) -> Int
}
