import Core
import Foundation
import TestSupport
import Testing

@testable import Tokens

@Suite(.defaultTimeLimit) struct ProviderKeysTests {
    private static let discovery = "/.well-known/openid-configuration"

    private func keyFetches(_ fixture: OpenIDFixture) -> Int {
        fixture.provider.requests.filter { $0 == "/keys" }.count
    }

    @Test("The keys are found by discovery, fetched once and kept for many tokens at once")
    func once() async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"))
        let token = try key.token(fixture.claims())
        try await fixture.verifying { openID in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await openID.verify(token) } }
                try await group.waitForAll()
            }
        }
        #expect(fixture.provider.requests == [Self.discovery, "/keys"])
    }

    @Test("A setting with the keys' address skips discovery")
    func address() async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"))
        try await fixture.verifying(withJWKSURL: true) { openID in
            _ = try await openID.verify(key.token(fixture.claims()))
        }
        #expect(fixture.provider.requests == ["/keys"])
    }

    @Test(
        "Keys are kept for their max-age, from 5 minutes to a day, or an hour by default",
        arguments: [
            ("max-age=600", 600.0), ("public, Max-Age=\"600\", must-revalidate", 600), ("max-age=1", 300),
            ("max-age=99999999", 86_400), ("no-store", 3600), ("max-age=x", 3600),
        ])
    func maxAge(header: String, seconds: Double) async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"), headers: ["Cache-Control": header])
        let token = try key.token(fixture.claims(expires: 200_000))
        try await fixture.verifying { openID in
            _ = try await openID.verify(token)
            fixture.clock.advance(by: .seconds(seconds - 1))
            _ = try await openID.verify(token)
            #expect(keyFetches(fixture) == 1)
            fixture.clock.advance(by: .seconds(1))
            _ = try await openID.verify(token)
            #expect(keyFetches(fixture) == 2)
        }
    }

    @Test("A new key is found when a token names it")
    func rotation() async throws {
        let (old, new) = (try TestKey.make("ES256", id: "old"), try TestKey.make("ES256", id: "new"))
        let fixture = try OpenIDFixture(publishing: old)
        try await fixture.verifying { openID in
            _ = try await openID.verify(old.token(fixture.claims()))
            fixture.provider.publish([new])
            fixture.clock.advance(by: .seconds(60))
            _ = try await openID.verify(new.token(fixture.claims()))
            await #expect(throws: TokenError.unknownKey("old")) {
                try await openID.verify(old.token(fixture.claims()))
            }
        }
        #expect(keyFetches(fixture) == 2)
    }

    @Test("Tokens that name unknown keys cause one fetch a minute")
    func unknownKey() async throws {
        let (known, unknown) = (try TestKey.make("ES256"), try TestKey.make("ES256", id: "unknown"))
        let fixture = try OpenIDFixture(publishing: known)
        try await fixture.verifying { openID in
            _ = try await openID.verify(known.token(fixture.claims()))
            for (seconds, fetches) in [(0.0, 1), (59, 1), (1, 2), (0, 2), (59, 2), (1, 3)] {
                fixture.clock.advance(by: .seconds(seconds))
                await #expect(throws: TokenError.unknownKey("unknown")) {
                    try await openID.verify(unknown.token(fixture.claims()))
                }
                #expect(keyFetches(fixture) == fetches)
            }
        }
    }

    @Test(
        "A signature that does not match makes the verifier fetch the provider's keys again",
        arguments: [nil, "key-1"])
    func changedKey(id: String?) async throws {
        let (old, new) = (try TestKey.make("ES256", id: id), try TestKey.make("ES256", id: id))
        let fixture = try OpenIDFixture(publishing: old)
        try await fixture.verifying { openID in
            _ = try await openID.verify(old.token(fixture.claims()))
            fixture.provider.publish([new])
            fixture.clock.advance(by: .seconds(60))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await openID.verify(new.token(fixture.claims())) } }
                try await group.waitForAll()
            }
            await #expect(throws: TokenError.signature) { try await openID.verify(old.token(fixture.claims())) }
        }
        #expect(keyFetches(fixture) == 2)
    }

    @Test("Signatures that do not match cause one fetch a minute", arguments: [nil, "key-1"])
    func mismatches(id: String?) async throws {
        let (key, impostor) = (try TestKey.make("ES256", id: id), try TestKey.make("ES256", id: id))
        let fixture = try OpenIDFixture(publishing: key)
        try await fixture.verifying { openID in
            _ = try await openID.verify(key.token(fixture.claims()))
            for (seconds, fetches) in [(0.0, 1), (59, 1), (1, 2), (0, 2), (59, 2), (1, 3)] {
                fixture.clock.advance(by: .seconds(seconds))
                await #expect(throws: TokenError.signature) {
                    try await openID.verify(impostor.token(fixture.claims()))
                }
                _ = try await openID.verify(key.token(fixture.claims()))
                #expect(keyFetches(fixture) == fetches)
            }
        }
    }

    @Test("A provider that does not respond after a bad signature keeps its keys")
    func mismatchWhileDown() async throws {
        let (key, impostor) = (try TestKey.make("ES256", id: nil), try TestKey.make("ES256", id: nil))
        let fixture = try OpenIDFixture(publishing: key)
        try await fixture.verifying { openID in
            _ = try await openID.verify(key.token(fixture.claims()))
            fixture.provider.answer("/keys", with: .status(503))
            fixture.clock.advance(by: .seconds(60))
            await #expect(throws: TokenError.signature) { try await openID.verify(impostor.token(fixture.claims())) }
            #expect(keyFetches(fixture) == 2)
            _ = try await openID.verify(key.token(fixture.claims()))
        }
    }

    @Test("A clock that was set back does not keep new keys away")
    func clockSetBack() async throws {
        let (old, new) = (try TestKey.make("ES256", id: "old"), try TestKey.make("ES256", id: "new"))
        let fixture = try OpenIDFixture(publishing: old)
        try await fixture.verifying { openID in
            _ = try await openID.verify(old.token(fixture.claims()))
            fixture.provider.publish([new])
            fixture.clock.setClock(forwardBy: -50)
            _ = try await openID.verify(new.token(fixture.claims()))
        }
    }

    @Test("A token without 'kid' is verified when one key fits, and not when two do")
    func noKeyID() async throws {
        let fixture = try OpenIDFixture()
        let (first, second) = (try TestKey.make("ES256"), try TestKey.make("ES256", id: "key-2"))
        let other = try TestKey.make("EdDSA", id: "key-3")
        fixture.provider.publish([first, other])
        let token = try first.token(fixture.claims(), header: #"{"alg":"ES256"}"#)
        try await fixture.verifying { openID in
            await #expect(throws: Never.self) { try await openID.verify(token) }
        }
        fixture.provider.publish([first, second])
        try await fixture.verifying { openID in
            await #expect(throws: TokenError.unknownKey(nil)) { try await openID.verify(token) }
        }
    }

    @Test("Keys that cannot verify signatures are left out, and do not spoil the others")
    func otherKeys() async throws {
        let fixture = try OpenIDFixture()
        let key = try TestKey.make("ES256", id: "good")
        fixture.provider.publish([])
        fixture.provider.publishKeys([
            #"{"kty":"oct","kid":"good","k":"AAAA"}"#, "7", "null", #"{"kty":"future","kid":"good"}"#,
            try TestKey.make("ES256", id: "good", members: #","use":"enc""#).jwk,
            try TestKey.make("ES256", id: "good", members: #","key_ops":["sign"]"#).jwk,
            #"{"kty":"EC","crv":"P-256","kid":"good","x":"AAAA","y":"AAAA"}"#, key.jwk,
        ])
        try await fixture.verifying { openID in
            await #expect(throws: Never.self) { try await openID.verify(key.token(fixture.claims())) }
        }
    }

    @Test("An RSA key of 1024 bits is not used")
    func shortKey() throws {
        let modulus = Base64URL.encode(Data([UInt8(0xC1)] + Array(repeating: UInt8(0x55), count: 127)))
        let json = #"{"keys":[{"kty":"RSA","n":"\#(modulus)","e":"AQAB"}]}"#
        #expect(throws: ProviderError.answer("its key set has no key that verifies signatures")) {
            try JSONWebKeySet(json: Data(json.utf8))
        }
    }

    @Test("The old keys are used while the provider fails, and it is retried once a minute")
    func failsLater() async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"))
        let token = try key.token(fixture.claims(expires: 200_000))
        try await fixture.verifying { openID in
            _ = try await openID.verify(token)
            fixture.provider.answer("/keys", with: .status(503))
            fixture.clock.advance(by: .seconds(7200))
            for (seconds, fetches) in [(0.0, 2), (59, 2), (1, 3)] {
                fixture.clock.advance(by: .seconds(seconds))
                await #expect(throws: Never.self) { try await openID.verify(token) }
                #expect(keyFetches(fixture) == fetches)
            }
        }
    }

    @Test("A provider that fails from the start is retried after 5 seconds")
    func failsFirst() async throws {
        let fixture = try OpenIDFixture()
        let key = try TestKey.make("ES256")
        let token = try key.token(fixture.claims())
        fixture.provider.answer(Self.discovery, with: .status(500))
        try await fixture.verifying { openID in
            for seconds in [0.0, 4] {
                fixture.clock.advance(by: .seconds(seconds))
                await #expect(throws: ProviderError.self) { try await openID.verify(token) }
                #expect(fixture.provider.requests == [Self.discovery])
            }
            fixture.provider.publish([key])
            fixture.clock.advance(by: .seconds(1))
            await #expect(throws: Never.self) { try await openID.verify(token) }
        }
    }

    @Test("A key itself refuses the algorithms of other types", arguments: ["ES256", "EdDSA", "HS256", "none", ""])
    func otherAlgorithm(name: String) throws {
        let key = try TestKey.make("RS256")
        let token = try CompactJWS(key.token("{}"))
        let published = try #require(try JSONWebKeySet(json: Data(#"{"keys":[\#(key.jwk)]}"#.utf8)).keys.first)
        #expect(published.isValid(token.signature, of: token.signedBytes, algorithm: "RS256"))
        #expect(!published.isValid(token.signature, of: token.signedBytes, algorithm: name))
    }
}
