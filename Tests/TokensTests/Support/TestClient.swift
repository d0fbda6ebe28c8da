import Foundation
import TestSupport

@testable import Tokens

extension TestClient {
    var publicKey: RSAPublicKey {
        get throws { try RSAPublicKey(modulus: modulus, exponent: [1, 0, 1]) }
    }
}

extension ClientDescription {
    static let example = ClientDescription(
        deviceId: "device-1", deviceOs: "4.4.2", deviceModel: "JVM", applicationId: "MyApp", applicationVersion: "1.0",
        environment: "Androidnative")
}

extension RegisteredClient {
    static func example(_ clientId: String = "client-1", key: TestClient = .first) throws -> RegisteredClient {
        RegisteredClient(clientId: clientId, publicKey: try key.publicKey, description: .example)
    }
}
