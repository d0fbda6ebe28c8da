import Foundation
import JWTKit
import Logging
import PushSandbox

/// A sandbox and a connection to its APNs side, for one test.
struct APNsCase {
    static let token = String(repeating: "0a", count: 32)
    static let path = "/3/device/\(token)"
    static let body = #"{"aps":{"alert":"hello"}}"#
    static let id = "6f1b4d1e-0f0a-4b5e-9d3f-3f1a2b3c4d5e"

    let sandbox: PushSandbox
    let client: APNsClient
    private(set) var authorization = ""

    static func run(
        _ settings: PushSandbox.Settings = PushSandbox.Settings(), body: (APNsCase) async throws -> Void
    ) async throws {
        let sandbox = try await PushSandbox.start(settings, logger: Logger(label: "test"))
        let client = try await APNsClient.connect(port: sandbox.apnsPort, trusting: sandbox.rootCertificate)
        do {
            var apns = APNsCase(sandbox: sandbox, client: client)
            apns.authorization = "bearer \(try await apns.providerToken())"
            try await body(apns)
        } catch {
            await sandbox.stop()
            throw error
        }
        await client.close()
        await sandbox.stop()
    }

    struct Claims: JWTPayload {
        var iss: String
        var iat: Int

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    /// - Parameters:
    ///   - age: seconds since it was issued.
    ///   - key: PEM; the sandbox's own when nil.
    func providerToken(
        age: Int = 0, keyID: String? = nil, team: String? = nil, key: String? = nil
    ) async throws -> String {
        let credentials = sandbox.credentials
        let keys = JWTKeyCollection()
        let kid = JWKIdentifier(string: keyID ?? credentials.apnsKeyID)
        await keys.add(ecdsa: try ES256PrivateKey(pem: key ?? credentials.apnsPrivateKey), kid: kid)
        let issued = Int(Date().timeIntervalSince1970) - age
        return try await keys.sign(Claims(iss: team ?? credentials.apnsTeamID, iat: issued), kid: kid)
    }

    /// A good request's headers, with some of them changed; nil takes one away.
    func headers(_ changes: [String: String?] = [:]) -> [(String, String)] {
        var headers: [String: String] = [
            "authorization": authorization, "apns-topic": "com.example.app",
            "apns-push-type": "alert", "apns-priority": "10", "apns-expiration": "0", "apns-id": Self.id,
        ]
        for (name, value) in changes { headers[name] = value }
        return headers.map { ($0.key, $0.value) }
    }

    /// Sends a good request, with some headers changed.
    func send(
        _ changes: [String: String?] = [:], method: String = "POST", path: String = path, body: String = body
    ) async throws -> APNsClient.Reply {
        try await client.send(method, path, headers(changes), body)
    }
}
