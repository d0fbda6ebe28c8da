/// One of the strings that an app keeps on the server for its user (`userPrefs`, wire-protocol 1 `setup`, 3.4).
public struct Preference: Sendable, Hashable {
    /// The largest number of keys of an owner.
    public static let maximumCount = 100
    /// The longest ``key``, in bytes of UTF-8.
    public static let keyBytes = 256
    /// The longest ``value``, in bytes of UTF-8.
    public static let valueBytes = 8192

    public let key: String
    /// May be empty.
    public let value: String

    /// - Throws: ``ClientValueError``, naming the limit, when the key is empty, or either is too long or holds a NUL
    ///   character.
    public init(key: String, value: String) throws(ClientValueError) {
        self.key = try ClientField.text(key, "key", bytes: Self.keyBytes)
        self.value = try ClientField.possiblyEmptyText(value, "value", bytes: Self.valueBytes)
    }
}

/// The owner of preferences in one application: a user, or a device without a user.
///
/// A user and a device of the same name are two owners, so that a client cannot read a user's preferences with a device named
/// after the user. So are two users of the same name in two realms.
public struct PreferenceOwner: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        case user, device
    }

    /// The `id` of the application descriptor.
    public let applicationID: String
    public let kind: Kind
    /// The user's realm; empty for a device.
    public let realm: String
    /// The user's name or the device's id.
    public let name: String

    /// - Throws: ``ClientValueError`` when a name is empty, longer than 256 bytes or holds a NUL character.
    public init(
        applicationID: String, kind: Kind, realm: String = "", name: String
    ) throws(ClientValueError) {
        self.applicationID = try ClientField.text(applicationID, "applicationID")
        self.kind = kind
        self.realm = realm
        self.name = try ClientField.text(name, kind.rawValue)
    }
}
