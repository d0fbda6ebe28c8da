import Core
import Foundation
import HTTPServer
import NIOHTTP1
import TestSupport
import Testing
import WorklightProject

@testable import Installation
@testable import Tokens

/// Users who are known by a header of their requests (wire-protocol 6; server-api 5.3).
@Suite("Basic, header and bearer realms in conversations", .defaultTimeLimit)
struct HeaderRealmConversationTests {
    private static let dialects: [any Dialect] = [
        HybridDialect(release: .v506, environment: "android"),
        HybridDialect(release: .v620, environment: "mobilewebapp"),
        NativeDialect(release: .v710),
    ]

    private static func converse(
        issuer: String = "https://issuer.example", time: any TimeSource = SystemTime(), proxies: [String] = [],
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let proxies = try TrustedProxies(proxies)
        let folder = try RealmProject.make(issuer: issuer)
        try await RunningServer.run(
            project: folder, time: time,
            change: {
                $0.contextRoot = "/wl"
                $0.trustedProxies = proxies
            }
        ) { (server) async throws in
            try #require(server.installation.problems.filter { $0.severity == .error } == [])
            try await body(server)
        }
    }

    /// Calls a procedure as the web view or the HTTP library does that adds a header.
    private static func call(
        _ client: ClientDouble, _ procedure: String, _ headers: (name: String, value: String)...
    ) async throws -> Reply {
        let fields = client.dialect.queryFields(adapter: "A", procedure: procedure, parameters: "[]")
        return try await client.send("POST", .action("query"), fields, headers: headers)
    }

    private static func basic(_ user: String, _ password: String) -> (name: String, value: String) {
        ("Authorization", "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())")
    }

    // MARK: Basic

    @Test(
        "Basic: 401, refusal of a wrong password, login with the right one, later calls, logout",
        arguments: dialects)
    func basic(dialect: any Dialect) async throws {
        try await Self.converse { (server) async throws in
            let client = ClientDouble(dialect, at: server)
            try await client.connect()
            let asked = try await Self.call(client, "ofBasic")
            #expect(asked.status == 401)
            #expect(asked.answer["WWW-Authenticate"] == [#"Basic realm="The office", charset="UTF-8""#])
            #expect(asked["errorCode"] == "UNEXPECTED_ERROR" && asked["challenges"] == nil)
            let refused = try await Self.call(client, "ofBasic", Self.basic("bjones", "wrong"))
            #expect(refused.status == 401 && refused["user"] == nil)
            let right = try await Self.call(client, "ofBasic", Self.basic("bjones", "password"))
            #expect(right.isSuccess && right["user"] == "bjones")
            #expect(try await Self.call(client, "ofBasic")["user"] == "bjones")
            let info = try await client.act("getuserinfo")
            #expect(info["Basic"]?["userId"] == "bjones" && info["Token"]?["userId"] == .null)
            #expect(try await client.logOut("Basic").isSuccess)
            #expect(try await Self.call(client, "ofBasic").status == 401)
        }
    }

    @Test("Basic: a name without a colon and invalid UTF-8 are challenged again")
    func damagedBasic() async throws {
        try await Self.converse { (server) async throws in
            let client = ClientDouble(Self.dialects[0], at: server)
            try await client.connect()
            for text in ["Basic", "Basic !", "Basic \(Data("bjones".utf8).base64EncodedString())", "Basic /w=="] {
                #expect(try await Self.call(client, "ofBasic", ("Authorization", text)).status == 401)
            }
        }
    }

    // MARK: Header

    @Test(
        "Header: the trusted proxy's name counts in every request, and a changed name is another user",
        arguments: dialects)
    func proxy(dialect: any Dialect) async throws {
        try await Self.converse(proxies: ["127.0.0.1"]) { (server) async throws in
            let client = ClientDouble(dialect, at: server)
            try await client.connect()
            let nobody = try await Self.call(client, "ofProxy")
            #expect(nobody.status == 403)
            #expect(nobody["WL-Authentication-Failure"]?["Proxy"]?["reason"]?.string?.isEmpty == false)
            let ann = try await Self.call(client, "ofProxy", ("X-User", "ann"), ("X-Name", "Ann A."))
            #expect(ann["user"] == "ann" && ann["name"] == "Ann A.")
            let bob = try await Self.call(client, "ofProxy", ("X-User", "bob"))
            #expect(bob["user"] == "bob" && bob["name"] == "bob")
            #expect(try await client.act("getuserinfo")["Proxy"]?["userId"] == "bob")
            #expect(try await client.logOut("Proxy").isSuccess)
            #expect(try await Self.call(client, "ofProxy").status == 403)
        }
    }

    @Test("Header: the same header from any other address is ignored")
    func untrusted() async throws {
        try await Self.converse(proxies: ["192.0.2.1"]) { (server) async throws in
            let client = ClientDouble(Self.dialects[0], at: server)
            try await client.connect()
            let reply = try await Self.call(
                client, "ofProxy", ("X-User", "ann"), ("X-Forwarded-For", "192.0.2.1"))
            #expect(reply.status == 403 && reply["user"] == nil)
        }
    }

    // MARK: Bearer

    /// A token of the provider's, signed with RS256.
    private static func token(
        issuer: String, user: String = "bjones", audience: String = "MyApp", expires: Int = 3600,
        key: ServerKey = TokenClient.key
    ) throws -> (name: String, value: String) {
        let start = Int(ManualTime.start.timeIntervalSince1970)
        let claims = #"{"iss":"\#(issuer)","sub":"\#(user)","aud":"\#(audience)","exp":\#(start + expires)}"#
        let signed = Base64URL.encode(#"{"alg":"RS256","kid":"1"}"#.utf8) + "." + Base64URL.encode(claims.utf8)
        let signature = Base64URL.encode(try key.signature(of: Data(signed.utf8)))
        return ("Authorization", "Bearer \(signed).\(signature)")
    }

    private static func provider() throws -> LoopbackProvider {
        let provider = try LoopbackProvider()
        let modulus = Base64URL.encode(TokenClient.key.publicKey.modulus)
        provider.publish(jwks: [#"{"kty":"RSA","kid":"1","alg":"RS256","use":"sig","n":"\#(modulus)","e":"AQAB"}"#])
        return provider
    }

    @Test(
        "Bearer: 401, refusal of a false token, login with a right one, later calls, logout",
        arguments: dialects)
    func bearer(dialect: any Dialect) async throws {
        let provider = try Self.provider()
        try await Self.converse(issuer: provider.issuer, time: ManualTime()) { (server) async throws in
            let client = ClientDouble(dialect, at: server)
            try await client.connect()
            let asked = try await Self.call(client, "ofToken")
            #expect(asked.status == 401 && asked.answer["WWW-Authenticate"] == ["Bearer"])
            for wrong in [
                try Self.token(issuer: provider.issuer, key: TokenClient.otherKey),
                try Self.token(issuer: provider.issuer, audience: "Other"),
                try Self.token(issuer: "https://else.example"), try Self.token(issuer: provider.issuer, expires: -120),
                ("Authorization", "Bearer x"),
            ] {
                let refused = try await Self.call(client, "ofToken", wrong)
                #expect(refused.status == 401 && refused["user"] == nil)
                #expect(refused.answer["WWW-Authenticate"] == [#"Bearer error="invalid_token""#])
            }
            let right = try await Self.call(client, "ofToken", Self.token(issuer: provider.issuer))
            #expect(right.isSuccess && right["user"] == "bjones")
            #expect(try await Self.call(client, "ofToken")["user"] == "bjones")
            #expect(try await client.act("getuserinfo")["Token"]?["userId"] == "bjones")
            #expect(try await client.logOut("Token").isSuccess)
            #expect(try await Self.call(client, "ofToken").status == 401)
            // The keys were fetched once, whatever the tokens said.
            #expect(provider.requests.filter { $0 == "/keys" }.count <= 2)
        }
    }

    @Test("Bearer: an unreachable provider is a refusal, not an endless challenge")
    func providerAway() async throws {
        let provider = try LoopbackProvider()
        try await Self.converse(issuer: provider.issuer, time: ManualTime()) { (server) async throws in
            let client = ClientDouble(Self.dialects[0], at: server)
            try await client.connect()
            let reply = try await Self.call(client, "ofToken", Self.token(issuer: provider.issuer))
            #expect(reply.status == 403)
            #expect(reply["WL-Authentication-Failure"]?["Token"]?["reason"]?.string?.isEmpty == false)
        }
    }
}
