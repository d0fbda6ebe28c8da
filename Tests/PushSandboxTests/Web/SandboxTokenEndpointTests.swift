import Core
import Foundation
import PushSandbox
import TestSupport
import Testing

@Suite("Token endpoints", .defaultTimeLimit)
struct SandboxTokenEndpointTests {
    @Test("Google's returns a token for a signed assertion", arguments: [true, false])
    func google(http1Only: Bool) async throws {
        try await WebCase.run(http1Only: http1Only) { web in
            let reply = try await web.exchange(web.sign(web.assertion()))
            #expect(reply.status == 200)
            #expect(reply.json["token_type"] == "Bearer")
            #expect(reply.json["expires_in"] == 3600)
            #expect(reply.json["access_token"]?.string?.hasPrefix("ya29.") == true)
        }
    }

    struct BadClaims: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let error: String
        let change: @Sendable (inout WebCase.Assertion) -> Void
    }

    static let badClaims = [
        BadClaims(testDescription: "another audience", error: "invalid_grant") { $0.aud = "https://example.com" },
        BadClaims(testDescription: "another account", error: "invalid_grant") { $0.iss = "a@b" },
        BadClaims(testDescription: "another scope", error: "invalid_scope") { $0.scope = "https://mail.google.com/" },
        BadClaims(testDescription: "an assertion that is over", error: "invalid_grant") { claims in
            claims.iat -= 7200
            claims.exp -= 7200
        },
        BadClaims(testDescription: "two hours", error: "invalid_grant") { $0.exp += 3600 },
    ]

    @Test("Google's refuses", arguments: badClaims)
    func googleRefuses(_ bad: BadClaims) async throws {
        try await WebCase.run { web in
            let reply = try await web.exchange(web.sign(web.assertion(bad.change)))
            #expect(reply.status == 400)
            #expect(reply.json["error"] == .string(bad.error))
        }
    }

    @Test("Google's refuses a signature by another key")
    func googleChecksSignature() async throws {
        try await WebCase.run { web in
            var parts = try await web.sign(web.assertion()).split(separator: ".").map(String.init)
            parts[2] = String(parts[2].reversed())
            let reply = try await web.exchange(parts.joined(separator: "."))
            #expect(reply.json["error_description"] == "Invalid JWT Signature.")
        }
    }

    @Test("Microsoft's returns a token only for the package's SID and secret")
    func microsoft() async throws {
        try await WebCase.run { web in
            let credentials = web.sandbox.credentials
            var fields = [
                "grant_type": "client_credentials", "client_id": credentials.wnsPackageSID,
                "client_secret": credentials.wnsClientSecret, "scope": "notify.windows.com",
            ]
            let good = try await web.form("/accesstoken.srf", fields)
            #expect(good.status == 200)
            #expect(good.json["token_type"] == "bearer")
            fields["client_secret"] = "wrong"
            let bad = try await web.form("/accesstoken.srf", fields)
            #expect(bad.status == 400)
            #expect(bad.json["error"] == "invalid_client")
        }
    }

    @Test("Requests for tokens are counted, and their secrets are not kept")
    func keepsNoSecrets() async throws {
        try await WebCase.run { web in
            _ = try await web.googleToken()
            let arrivals = await web.sandbox.waitForArrivals(1, of: .oauth)
            #expect(arrivals.first?.body == [])
        }
    }
}
