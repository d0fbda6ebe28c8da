public import Core

/// A device, as it describes itself in its response to the challenge (wire-protocol 3.1).
public struct Device: Sendable, Hashable {
    public let id: String
    public let os: String
    public let model: String
    public let environment: String

    public init(id: String, os: String = "", model: String = "", environment: String = "") {
        self.id = id
        self.os = os
        self.model = model
        self.environment = environment
    }

    /// The value that `WL.Server.getCurrentDeviceIdentity` returns.
    public var identity: JSONValue {
        [
            "userId": .string(id), "deviceId": .string(id), "displayName": .string(id),
            "device": [
                "id": .string(id), "os": .string(os), "model": .string(model), "environment": .string(environment),
            ],
        ]
    }
}

/// The response to the challenge for a device's identity: `{"ID":{"token","app","device"}}` (wire-protocol 3.1).
public struct DeviceAnswer: Sendable, Hashable {
    public let token: String
    public let device: Device

    /// The longest value that a device may send about itself, in bytes.
    private static let longest = 256

    /// - Throws: ``ChallengeError`` naming what is missing or too long.
    public init(_ answer: JSONValue) throws(ChallengeError) {
        guard let id = answer["ID"] else { throw Self.failure("the challenge response has no 'ID'") }
        guard let token = id["token"]?.string else { throw Self.failure("bad token") }
        guard let device = id["device"]?.object else { throw Self.failure("the challenge response has no 'device'") }
        let deviceID = try Self.text("id", of: device)
        guard !deviceID.isEmpty else { throw Self.failure("the device has no 'id'") }
        self.token = token
        self.device = Device(
            id: deviceID, os: try Self.text("os", of: device), model: try Self.text("model", of: device),
            environment: try Self.text("environment", of: device))
    }

    private static func text(_ key: String, of device: JSONObject) throws(ChallengeError) -> String {
        guard let text = device[key]?.string else { return "" }
        guard text.utf8.count <= longest else { throw failure("the device's '\(key)' is longer than \(longest) bytes") }
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw failure("the device's '\(key)' has control characters")
        }
        return text
    }

    private static func failure(_ reason: String) -> ChallengeError {
        ChallengeError(realm: .deviceNoProvisioning, reason: reason)
    }
}

/// A challenge with a wrong response from the client. Repeating the challenge would never end, since clients do not stop (wire-protocol 3.2).
public struct ChallengeError: Error, Sendable, Hashable, CustomStringConvertible {
    public let realm: BuiltInRealm
    public let reason: String

    public init(realm: BuiltInRealm, reason: String) {
        self.realm = realm
        self.reason = reason
    }

    public var description: String { "\(realm.rawValue): \(reason)" }
}
