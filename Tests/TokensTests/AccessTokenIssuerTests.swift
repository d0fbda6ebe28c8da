import Core
import Foundation
import TestSupport
import Testing

@testable import Tokens

@Suite struct AccessTokenIssuerTests {
    private let clock = ManualTime()
    private let tokens: AccessTokenIssuer
    private let user = UserIdentity(id: "bjones", authBy: "MyRealm", displayName: "Bob Jones")

    init() {
        tokens = Self.tokens(clock: clock)
    }

    private static func tokens(
        key: ServerKey = .first, issuer: String = "lamplighter", clock: ManualTime
    ) -> AccessTokenIssuer {
        AccessTokenIssuer(key: key, issuer: issuer, clock: { clock.now })
    }

    private func scope(_ name: String, seconds: Double = 3600, isMandatory: Bool = false) -> GrantedScope {
        GrantedScope(name, expires: ManualTime.start.addingTimeInterval(seconds), isMandatory: isMandatory)
    }

    private func issue(to clientId: String = "client-1", from tokens: AccessTokenIssuer? = nil) throws
        -> AccessTokenIssuer.IssuedTokens
    {
        try (tokens ?? self.tokens).issue(
            to: .example(clientId), user: user,
            scopes: [scope("RegisteredClient", isMandatory: true), scope("MyRealm")])
    }

    private func json(_ part: some StringProtocol) throws -> NSDictionary {
        let bytes = try #require(Base64URL.decode(part))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary)
    }

    @Test("The access token comes back as it went")
    func access() throws {
        let issued = try issue()
        let token = try tokens.verifyAccess(issued.accessToken)
        #expect(token.id == issued.id)
        #expect(token.clientId == "client-1")
        #expect(token.application == .init(id: "MyApp", version: "1.0", environment: "Androidnative"))
        #expect(token.scopes == [scope("MyRealm"), scope("RegisteredClient", isMandatory: true)])
        #expect(token.issued == ManualTime.start)
        #expect(token.expires == ManualTime.start.addingTimeInterval(3600))
        #expect(issued.expires == token.expires)
        #expect(issued.scope == "RegisteredClient MyRealm")
    }

    @Test("The access token has the members that IBM's token filters read")
    func accessMembers() throws {
        let issued = try issue()
        let parts = issued.accessToken.split(separator: ".")
        #expect(try json(parts[0]) == ["alg": "RS256", "typ": "at+jwt"])
        #expect(
            try json(parts[1]) == [
                "iss": "lamplighter", "prn": "client-1", "sub": "client-1", "aud": "MyApp", "jti": issued.id,
                "iat": 1_700_000_000, "exp": 1_700_003_600, "scope": "RegisteredClient MyRealm",
                "imf.scope": [
                    "RegisteredClient": ["exp": 1_700_003_600, "mandatory": true],
                    "MyRealm": ["exp": 1_700_003_600, "mandatory": false],
                ],
                "imf.application": ["id": "MyApp", "version": "1.0", "environment": "Androidnative"],
                "lamplighter.device": "device-1",
            ])
    }

    @Test("The id token has the members of IBM's security context")
    func identityMembers() throws {
        let parts = try issue().idToken.split(separator: ".")
        #expect(
            try json(parts[1]) == [
                "iss": "lamplighter", "sub": "client-1", "aud": "MyApp", "iat": 1_700_000_000, "exp": 1_700_003_600,
                "imf.user": ["id": "bjones", "authBy": "MyRealm", "displayName": "Bob Jones"],
                "imf.device": ["id": "device-1", "platform": "Androidnative", "model": "JVM", "osVersion": "4.4.2"],
                "imf.application": ["id": "MyApp", "version": "1.0"],
            ])
    }

    @Test("The id token contains user, device and application")
    func identity() throws {
        let token = try tokens.verifyIdentity(try issue().idToken)
        #expect(token.user == user)
        #expect(token.device.id == "device-1")
        #expect(token.application.version == "1.0")
    }

    @Test("openssl finds the signature good")
    func openSSL() async throws {
        let folder = try TemporaryFolder()
        let key = try ServerKey(file: folder.path("key.pem"))
        let issued = try issue(from: Self.tokens(key: key, clock: clock))
        let parts = issued.accessToken.split(separator: ".")
        let signed = try folder.write(Data("\(parts[0]).\(parts[1])".utf8), to: "signed")
        let signature = try folder.write(Data(Base64URL.decode(parts[2])!), to: "signature")
        try await OpenSSL.run("rsa", "-in", folder.path("key.pem"), "-pubout", "-out", folder.path("public.pem"))
        try await OpenSSL.run("dgst", "-sha256", "-verify", folder.path("public.pem"), "-signature", signature, signed)
    }

    @Test("Tokens hold for an hour and not a second longer")
    func expiry() throws {
        let issued = try issue()
        let end = ManualTime.start.addingTimeInterval(3600)
        clock.advance(by: .seconds(3599))
        #expect(throws: Never.self) { try tokens.verifyAccess(issued.accessToken) }
        #expect(throws: Never.self) { try tokens.verifyIdentity(issued.idToken) }
        clock.advance(by: .seconds(1))
        #expect(throws: TokenError.expired(end)) { try tokens.verifyAccess(issued.accessToken) }
        #expect(throws: TokenError.expired(end)) { try tokens.verifyIdentity(issued.idToken) }
    }

    @Test("The access token expires with its first mandatory scope")
    func mandatoryScope() throws {
        let issued = try tokens.issue(
            to: .example(), scopes: [scope("a", seconds: 5), scope("b", seconds: 60, isMandatory: true)])
        #expect(issued.expires == ManualTime.start.addingTimeInterval(60))
        let token = try tokens.verifyAccess(issued.accessToken)
        #expect(token.grants("a", at: ManualTime.start.addingTimeInterval(4)))
        #expect(!token.grants("a", at: ManualTime.start.addingTimeInterval(5)))
        #expect(token.grants("b", at: ManualTime.start.addingTimeInterval(59)))
        #expect(!token.grants("c", at: ManualTime.start))
    }

    @Test("Tokens of another key or another issuer are refused")
    func foreign() throws {
        let otherKey = try issue(from: Self.tokens(key: .second, clock: clock))
        #expect(throws: TokenError.signature) { try tokens.verifyAccess(otherKey.accessToken) }
        let otherIssuer = try issue(from: Self.tokens(issuer: "else", clock: clock))
        #expect(throws: TokenError.issuer(found: "else", expected: "lamplighter")) {
            try tokens.verifyAccess(otherIssuer.accessToken)
        }
    }

    @Test("A token that was changed is refused", arguments: [0, 1])
    func changed(part: Int) throws {
        var parts = try issue().accessToken.split(separator: ".").map(String.init)
        var text = String(decoding: try #require(Base64URL.decode(parts[part])), as: UTF8.self)
        text = part == 0 ? text.replacing("at+jwt", with: "AT+jwt") : text.replacing("client-1", with: "client-2")
        parts[part] = Base64URL.encode(text.utf8)
        #expect(throws: TokenError.signature) { try tokens.verifyAccess(parts.joined(separator: ".")) }
    }

    @Test("A token that names another algorithm is refused", arguments: ["none", "HS256", "RS512"])
    func algorithm(name: String) throws {
        let payload = try issue().accessToken.split(separator: ".")[1]
        let header = Base64URL.encode(#"{"alg":"\#(name)","typ":"at+jwt"}"#.utf8)
        #expect(throws: TokenError.algorithm(found: name, accepted: ["RS256"])) {
            try tokens.verifyAccess("\(header).\(payload).AAAA")
        }
    }

    @Test("An id token does not serve as access token, nor the reverse")
    func kinds() throws {
        let issued = try issue()
        #expect(throws: TokenError.kind(found: "jwt", expected: "at+jwt")) { try tokens.verifyAccess(issued.idToken) }
        #expect(throws: TokenError.kind(found: "at+jwt", expected: "jwt")) {
            try tokens.verifyIdentity(issued.accessToken)
        }
    }

    @Test("The key in a token's own header is not the one it is verified with")
    func ownKey() throws {
        let payload = try issue().accessToken.split(separator: ".")[1]
        let header = #"{"alg":"RS256","typ":"at+jwt","jpk":\#(TestClient.first.jpk)}"#
        let claims = String(decoding: try #require(Base64URL.decode(payload)), as: UTF8.self)
        #expect(throws: TokenError.signature) {
            try tokens.verifyAccess(TestClient.first.sign(claims, header: header))
        }
    }

    @Test("Both tokens of a bearer header must be the same client's")
    func pair() throws {
        let first = try issue()
        let second = try issue(to: "client-2")
        let good = try #require(BearerTokens(header: "Bearer \(first.accessToken) \(first.idToken)"))
        #expect(try tokens.verify(good).identity?.user == user)
        let mixed = try #require(BearerTokens(header: "Bearer \(first.accessToken) \(second.idToken)"))
        #expect(throws: TokenError.mismatch("the access token and the id token are of different clients")) {
            try tokens.verify(mixed)
        }
    }

    @Test("The id token may be missing")
    func accessOnly() throws {
        let bearer = try #require(BearerTokens(header: "bearer  \(try issue().accessToken) "))
        let (access, identity) = try tokens.verify(bearer)
        #expect(access.clientId == "client-1")
        #expect(identity == nil)
    }

    @Test("Other headers are no bearer tokens", arguments: ["", "Bearer", "Basic abc", "Bearer a b c", #"{"a":1}"#])
    func header(text: String) {
        #expect(BearerTokens(header: text) == nil)
    }

    @Test("A token that would be too long to be read is not made")
    func tooLong() {
        #expect(throws: TokenError.tooLong("token", limit: 8192)) {
            try tokens.issue(to: .example(), scopes: (0..<200).map { scope("a-rather-long-scope-\($0)") })
        }
    }
}
