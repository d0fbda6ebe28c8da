/// Keeps the strings that apps store on the server for their users (`userPrefs`, wire-protocol 1, 3.4).
///
/// Synchronous, transactional and callable from any thread, like ``SubscriptionStore``.
public protocol PreferenceStore: Sendable {
    /// Adds preferences, or replaces those of the same key, all or none. Of two with the same key the last counts.
    ///
    /// - Throws: ``PreferenceError``: the owner would have more than ``Preference/maximumCount`` keys, or the store failed.
    func setPreferences(_ preferences: [Preference], of owner: PreferenceOwner) throws(PreferenceError)

    /// Removes a preference.
    ///
    /// - Returns: whether there was one.
    /// - Throws: ``StoreError``.
    func removePreference(key: String, of owner: PreferenceOwner) throws(StoreError) -> Bool

    /// The owner's preferences, ordered by the bytes of their keys.
    ///
    /// - Throws: ``StoreError``.
    func preferences(of owner: PreferenceOwner) throws(StoreError) -> [Preference]
}

/// The reason why preferences were not set. Nothing was changed.
public enum PreferenceError: Error, Hashable, CustomStringConvertible {
    /// The owner would have too many; names the limit. The client is to blame.
    case beyondLimit(ClientValueError)
    /// The store failed.
    case store(StoreError)

    public var description: String {
        switch self {
        case .beyondLimit(let error): error.description
        case .store(let error): error.description
        }
    }
}
