import Foundation
import TestSupport

@testable import Tokens

/// A provider, and a verifier of its tokens on a clock of the test's.
struct OpenIDFixture {
    let provider: LoopbackProvider
    let clock = ManualTime()

    init() throws {
        provider = try LoopbackProvider()
    }

    init(publishing key: TestKey, headers: [String: String] = [:]) throws {
        try self.init()
        provider.publish([key], headers: headers)
    }

    static func publishing(_ key: TestKey, headers: [String: String] = [:]) throws -> (Self, TestKey) {
        (try Self(publishing: key, headers: headers), key)
    }

    /// Hands out a verifier for as long as the test needs it.
    func verifying(
        audiences: [String] = ["lamplighter"], withJWKSURL: Bool = false, userClaim: String = "sub",
        timeout: Duration = .noLimit, _ body: (OpenIDConnect) async throws -> Void
    ) async throws {
        let settings = try OpenIDSettings(
            issuer: provider.issuer, audiences: audiences, jwksURL: withJWKSURL ? provider.issuer + "/keys" : nil,
            userClaim: userClaim)
        let openID = OpenIDConnect(settings: settings, timeout: timeout, clock: { [clock] in clock.now })
        do {
            try await body(openID)
        } catch {
            openID.shutdown()
            throw error
        }
        openID.shutdown()
    }

    /// - Parameters:
    ///   - audience: JSON.
    ///   - expires: in seconds from the test's beginning.
    ///   - notBefore: likewise.
    ///   - more: further members, each with a comma before it.
    func claims(
        issuer: String? = nil, audience: String = #""lamplighter""#, expires: Int = 3600, notBefore: Int = 0,
        more: String = ""
    ) -> String {
        let start = Int(ManualTime.start.timeIntervalSince1970)
        return #"{"iss":"\#(issuer ?? provider.issuer)","sub":"bjones","aud":\#(audience),"exp":\#(start + expires),"#
            + #""nbf":\#(start + notBefore)\#(more)}"#
    }
}

extension LoopbackProvider {
    func publish(_ keys: [TestKey], headers: [String: String] = [:]) {
        publish(jwks: keys.map(\.jwk), headers: headers)
    }
}
