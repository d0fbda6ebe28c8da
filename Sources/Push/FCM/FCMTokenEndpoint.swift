import Core
import HTTPTransfer
import JWTKit
import PushModel

import struct Foundation.Date

/// Gets access tokens for a service account: a signed statement for a bearer token (RFC 7523).
struct FCMTokenEndpoint {
    /// The requested scope: sending messages, nothing else of the project.
    static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    /// Google refuses statements that hold longer.
    private static let lifetime = 3600.0

    /// The claims of the service account.
    struct Statement: JWTPayload {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int
        let exp: Int

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    let credential: FCMCredential
    let endpoint: ServiceEndpoint?
    let client: ServiceClient
    let time: any TimeSource

    func fetch() async throws(VerdictError) -> AccessTokenCache.Grant {
        let now = time.now
        let assertion: String
        do {
            assertion = try await Self.assertion(credential, now: now)
        } catch {
            throw VerdictError(
                verdict: .credentialRefused("the private key of \(credential) does not sign; make a new one"))
        }
        let request = TransferRequest.form(
            to: endpoint?.replacingOrigin(of: credential.tokenURI) ?? credential.tokenURI,
            [("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion)])
        let answer: ServiceAnswer
        do {
            answer = try await client.send(request)
        } catch {
            throw VerdictError(verdict: error.verdict(patience: FCMTransport.patience))
        }
        return try TokenAnswer.grant(
            answer, service: "Google",
            advice: "see that the service account \(credential.clientEmail) and its key still exist, and that this "
                + "machine's clock is right",
            hiding: [assertion], now: now)
    }

    /// The statement, signed.
    static func assertion(_ credential: FCMCredential, now: Date) async throws -> String {
        let issued = Int(now.timeIntervalSince1970)
        let statement = Statement(
            iss: credential.clientEmail, scope: scope, aud: credential.tokenURI, iat: issued,
            exp: issued + Int(lifetime))
        let keys = JWTKeyCollection()
        await keys.add(rsa: credential.privateKey, digestAlgorithm: .sha256)
        return try await keys.sign(statement, header: credential.keyID.map { ["kid": .string($0)] } ?? [:])
    }
}
