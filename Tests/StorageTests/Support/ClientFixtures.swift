import Core
import Foundation
import PushModel

func rule(
    _ application: String = "Reader", _ environment: String = "android", _ version: String = "1.0",
    access: ApplicationRule.Access = .active, message: String? = nil, downloadLink: String? = nil, checksum: Int? = nil,
    messageID: String? = nil, at date: Date = noon
) throws -> ApplicationRule {
    try ApplicationRule(
        applicationID: application, environment: environment, version: version, access: access, message: message,
        downloadLink: downloadLink, checksum: checksum, messageID: messageID, updatedAt: date)
}

func entry(
    _ message: String = "Hi", level: ClientLogLevel = .info, package: String = "app", application: String? = "Reader",
    device: String? = "phone", at date: Date = noon, metadata: JSONValue = [:]
) -> ClientLogEntry {
    ClientLogEntry(
        receivedAt: date, level: level, package: package, message: message,
        client: ClientLogSource(applicationID: application, deviceID: device), metadata: metadata)
}

/// Preferences with these keys, each with its key as its value.
func preferences(_ keys: [String]) throws -> [Preference] {
    try keys.map { try Preference(key: $0, value: $0) }
}

func oauthClient(
    _ clientID: String = "client-1", modulus: Data = Data([0, 0xC1, 7]), usedAt: Date = noon
) throws -> OAuthClientRecord {
    try OAuthClientRecord(
        clientID: clientID, applicationID: "Reader", applicationVersion: "1.0", environment: "android",
        deviceID: "phone", deviceModel: "Nexus", deviceOS: "4.4",
        publicKey: OAuthClientRecord.PublicKey(modulus: modulus, exponent: Data([1, 0, 1])),
        certificate: Data([0x30, 0x82, 0, 1]), registeredAt: noon, lastUsedAt: usedAt)
}
