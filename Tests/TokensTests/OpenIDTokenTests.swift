import Core
import Crypto
import Foundation
import TestSupport
import Testing

@testable import Tokens

@Suite(.defaultTimeLimit) struct OpenIDTokenTests {
    @Test("A token of each algorithm is accepted", arguments: TestKey.kinds)
    func algorithms(name: String) async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make(name))
        try await fixture.verifying { openID in
            let identity = try await openID.verify(key.token(fixture.claims(more: #","roles":["a"]"#)))
            #expect(identity.user == "bjones")
            #expect(identity.subject == "bjones")
            #expect(identity.issuer == fixture.provider.issuer)
            #expect(identity.expires == ManualTime.start.addingTimeInterval(3600))
            #expect(String(decoding: identity.payload, as: UTF8.self).contains(#""roles":["a"]"#))
        }
    }

    @Test("A signature by another key of the same name is refused", arguments: TestKey.kinds)
    func otherKey(name: String) async throws {
        let fixture = try OpenIDFixture()
        fixture.provider.publish([try TestKey.make(name)])
        let impostor = try TestKey.make(name, isOther: true)
        try await fixture.verifying { openID in
            await #expect(throws: TokenError.signature) { try await openID.verify(impostor.token(fixture.claims())) }
        }
    }

    @Test("A token whose claims were changed is refused")
    func changed() async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"))
        try await fixture.verifying { openID in
            let parts = try key.token(fixture.claims()).split(separator: ".")
            let other = Base64URL.encode(fixture.claims(expires: 7200).utf8)
            await #expect(throws: TokenError.signature) {
                try await openID.verify("\(parts[0]).\(other).\(parts[2])")
            }
        }
    }

    @Test("A token that is refused for its claims has no keys fetched")
    func claims() async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"))
        let start = ManualTime.start
        let cases: [(String, TokenError)] = [
            (fixture.claims(issuer: "https://else"), .issuer(found: "https://else", expected: fixture.provider.issuer)),
            (fixture.claims(audience: #""else""#), .audience(found: ["else"], expected: ["lamplighter"])),
            (fixture.claims(audience: "[]"), .audience(found: [], expected: ["lamplighter"])),
            (fixture.claims(expires: -60), .expired(start.addingTimeInterval(-60))),
            (fixture.claims(notBefore: 61), .notYetValid(start.addingTimeInterval(61))),
            (#"{"iss":"\#(fixture.provider.issuer)","sub":"a","aud":"lamplighter"}"#, .missing("exp")),
            (#"{"sub":"a","aud":"lamplighter","exp":1}"#, .issuer(found: "", expected: fixture.provider.issuer)),
        ]
        try await fixture.verifying { openID in
            for (claims, error) in cases {
                await #expect(throws: error) { try await openID.verify(key.token(claims)) }
            }
        }
        #expect(fixture.provider.requests.isEmpty)
    }

    @Test("A time beyond all calendars is refused as any other", arguments: ["1e300", "-1e300", "1e400"])
    func immenseTime(number: String) async throws {
        let fixture = try OpenIDFixture()
        let claims = #"{"iss":"\#(fixture.provider.issuer)","aud":"lamplighter","exp":2e9,"nbf":\#(number)}"#
        let token = try TestKey.make("ES256").token(
            number.hasPrefix("-") ? claims.replacing("2e9", with: number) : claims)
        try await fixture.verifying { openID in
            let error = await #expect(throws: TokenError.self) { try await openID.verify(token) }
            #expect(error?.description.isEmpty == false)
        }
    }

    @Test("The clocks may differ by a minute")
    func skew() async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"))
        try await fixture.verifying { openID in
            for claims in [fixture.claims(expires: -59), fixture.claims(notBefore: 60)] {
                await #expect(throws: Never.self) { try await openID.verify(key.token(claims)) }
            }
        }
    }

    @Test("One audience of several is enough, on either side")
    func audiences() async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"))
        let token = try key.token(fixture.claims(audience: #"["else","lamplighter"]"#))
        for audiences in [["lamplighter"], ["mine", "else"]] {
            try await fixture.verifying(audiences: audiences) { openID in
                await #expect(throws: Never.self) { try await openID.verify(token) }
            }
        }
    }

    @Test("HS256 with the public key as its secret is refused")
    func confusion() async throws {
        let fixture = try OpenIDFixture()
        fixture.provider.publish([try TestKey.make("RS256")])
        let signed =
            Base64URL.encode(#"{"alg":"HS256","kid":"key-1"}"#.utf8) + "." + Base64URL.encode(fixture.claims().utf8)
        let secret = SymmetricKey(data: Data(TestKey.publicPEM.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: secret)
        try await fixture.verifying { openID in
            await #expect(throws: TokenError.algorithm(found: "HS256", accepted: ProviderKey.algorithms)) {
                try await openID.verify(signed + "." + Base64URL.encode(Data(code)))
            }
        }
    }

    @Test("'none' is refused", arguments: ["AAAA", ""])
    func none(signature: String) async throws {
        let fixture = try OpenIDFixture()
        let header = Base64URL.encode(#"{"alg":"none"}"#.utf8)
        let token = "\(header).\(Base64URL.encode(fixture.claims().utf8)).\(signature)"
        try await fixture.verifying { openID in
            await #expect(throws: TokenError.algorithm(found: "none", accepted: ProviderKey.algorithms)) {
                try await openID.verify(token)
            }
        }
    }

    @Test("A key is used for no algorithm but those of its type", arguments: ["RS256", "ES384", "EdDSA"])
    func algorithmOfType(name: String) async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"))
        try await fixture.verifying { openID in
            await #expect(throws: TokenError.unknownKey("key-1")) {
                try await openID.verify(
                    key.token(fixture.claims(), header: #"{"alg":"\#(name)","kid":"key-1"}"#))
            }
        }
    }

    @Test("A key is used for no algorithm but the one that its provider names")
    func namedAlgorithm() async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("RS512", members: #","alg":"RS256""#))
        try await fixture.verifying { openID in
            await #expect(throws: TokenError.unknownKey("key-1")) {
                try await openID.verify(key.token(fixture.claims()))
            }
        }
    }

    @Test("A header with 'crit' is refused")
    func critical() async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"))
        try await fixture.verifying { openID in
            await #expect(throws: TokenError.criticalExtensions) {
                try await openID.verify(
                    key.token(fixture.claims(), header: #"{"alg":"ES256","kid":"key-1","crit":["exp"],"exp":1}"#))
            }
        }
    }

    @Test("A token for another purpose is refused")
    func otherType() async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"))
        try await fixture.verifying { openID in
            await #expect(throws: TokenError.kind(found: "logout+jwt", expected: "JWT or at+jwt")) {
                try await openID.verify(
                    key.token(fixture.claims(), header: #"{"alg":"ES256","kid":"key-1","typ":"logout+jwt"}"#))
            }
        }
    }

    @Test("The settings' claim names the user")
    func userClaim() async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"))
        try await fixture.verifying(userClaim: "preferred_username") { openID in
            let good = try key.token(fixture.claims(more: #","preferred_username":"bob""#))
            #expect(try await openID.verify(good).user == "bob")
            for more in ["", #","preferred_username":"""#, #","preferred_username":7"#] {
                await #expect(throws: TokenError.missing("preferred_username")) {
                    try await openID.verify(key.token(fixture.claims(more: more)))
                }
            }
        }
    }

    @Test(
        "A 'sub' or a user with a control character is refused, and named without it",
        arguments: [#"\u0000"#, #"\n"#, #"\r"#, #"\u001b"#, #"\u007f"#, #"\u0085"#, #"\u2028"#])
    func controlCharacters(escape: String) async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"))
        let bad = #"bjo\#(escape)nes"#
        for (claim, claims) in [
            ("sub", fixture.claims(more: #","name":"bob""#).replacing("bjones", with: bad)),
            ("name", fixture.claims(more: #","name":"\#(bad)""#)),
        ] {
            try await fixture.verifying(userClaim: "name") { openID in
                let error = await #expect(throws: TokenError.self) { try await openID.verify(key.token(claims)) }
                let words = try #require(error?.description)
                #expect(words.hasPrefix("the token's '\(claim)' has a control character"))
                #expect(!words.unicodeScalars.contains { $0.properties.generalCategory == .control })
            }
        }
    }
}
