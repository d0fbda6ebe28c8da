public import struct Foundation.Date

/// Keeps the clients that registered with the OAuth layer of 7.0 and 7.1 (wire-protocol 8).
///
/// Anybody may register, so the caller limits how often that happens.
///
/// Synchronous, transactional and callable from any thread, like ``SubscriptionStore``.
public protocol OAuthClientStore: Sendable {
    /// Adds a client.
    ///
    /// - Returns: `false` when its id is taken: nothing was changed.
    /// - Throws: ``StoreError``.
    func addOAuthClient(_ client: OAuthClientRecord) throws(StoreError) -> Bool

    /// - Returns: the client, or `nil` when there is none.
    /// - Throws: ``StoreError``.
    func oauthClient(_ clientID: String) throws(StoreError) -> OAuthClientRecord?

    /// Records that a client was used at `date`. Writes only when the last record is a day old or more, so that a
    /// busy client costs one write a day. Does nothing when the client does not exist.
    ///
    /// - Throws: ``StoreError``.
    func touchOAuthClient(_ clientID: String, at date: Date) throws(StoreError)

    /// Removes the registrations of the same application on the same device with the same key under other ids.
    ///
    /// Only the key proves the owner of a registration: a client can name any device, and must not end the registrations of others.
    ///
    /// - Returns: the number of removed registrations.
    /// - Throws: ``StoreError``.
    func removeOAuthClients(supersededBy client: OAuthClientRecord) throws(StoreError) -> Int

    /// Removes the least recently used clients beyond `limit`.
    ///
    /// - Returns: the number of removed clients.
    /// - Throws: ``StoreError``.
    func purgeOAuthClients(keeping limit: Int) throws(StoreError) -> Int

    /// Forgets clients of whose use the last note is from before `date`. Such a client may have been used for up to a day
    /// after its note.
    ///
    /// - Returns: how many were forgotten.
    /// - Throws: ``StoreError``.
    func purgeOAuthClients(unusedSince date: Date) throws(StoreError) -> Int
}
