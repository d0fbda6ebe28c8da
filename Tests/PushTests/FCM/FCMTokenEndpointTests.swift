import Foundation
import JWTKit
import TestSupport
import Testing

@testable import Push

@Suite("The token endpoint of a service account")
struct FCMTokenEndpointTests {
    @Test("signs by RS256 with the account's key, for an hour and for sending messages only")
    func statement() async throws {
        let credential = try FCMSample.credential()
        let text = try await FCMTokenEndpoint.assertion(credential, now: ManualTime.start)
        let keys = JWTKeyCollection()
        await keys.add(rsa: credential.privateKey.publicKey, digestAlgorithm: .sha256)
        let statement = try await keys.verify(text, as: FCMTokenEndpoint.Statement.self)
        #expect(statement.iss == "push@news-1234.iam.gserviceaccount.com")
        #expect(statement.scope == "https://www.googleapis.com/auth/firebase.messaging")
        #expect(statement.aud == "https://oauth2.googleapis.com/token")
        #expect(statement.iat == 1_700_000_000)
        #expect(statement.exp == 1_700_003_600)
        let header = try DefaultJWTParser().parse(Array(text.utf8), as: FCMTokenEndpoint.Statement.self).header
        #expect(header.alg == "RS256")
        #expect(header.kid == "k1")
    }
}
