import Foundation
import TestSupport
import Testing

@testable import Tokens

@Suite(.defaultTimeLimit) struct ProviderAnswersTests {
    private static let discovery = "/.well-known/openid-configuration"

    private static func head(length: Int) -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n".utf8)
    }

    @Test("An unreachable provider is an error that says so")
    func notThere() async throws {
        let settings = try OpenIDSettings(issuer: "http://127.0.0.1:1", audiences: ["lamplighter"])
        let clock = ManualTime()
        let openID = OpenIDConnect(settings: settings, timeout: .noLimit, clock: { clock.now })
        let claims = #"{"iss":"http://127.0.0.1:1","sub":"a","aud":"lamplighter","exp":1800000000}"#
        let token = try TestKey.make("ES256").token(claims)
        let error = await #expect(throws: ProviderError.self) { try await openID.verify(token) }
        guard case .unreachable(let why) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(why.contains("http://127.0.0.1:1/.well-known/openid-configuration"))
        openID.shutdown()
    }

    @Test(
        "A provider that hangs is abandoned after the timeout, also in the middle of its response",
        arguments: [true, false])
    func hangs(fromTheStart: Bool) async throws {
        let fixture = try OpenIDFixture()
        let beginning = Self.head(length: 1000) + Array(#"{"issuer":"#.utf8)
        fixture.provider.answer(Self.discovery, with: fromTheStart ? .nothing : .keep(beginning))
        let token = try TestKey.make("ES256").token(fixture.claims())
        try await fixture.verifying(timeout: .milliseconds(300)) { openID in
            let url = "\(fixture.provider.issuer)\(Self.discovery)"
            await #expect(throws: ProviderError.unreachable("\(url) took longer than 0.3 seconds")) {
                try await openID.verify(token)
            }
        }
    }

    @Test("Requests at the same time share one request to the provider")
    func waiting() async throws {
        let (fixture, gate, asking) = (try OpenIDFixture(), Gate(), AwaitableValue(0))
        fixture.provider.answer(
            Self.discovery,
            with: .later {
                try? await gate.pass()
                return .status(500)
            })
        let token = try TestKey.make("ES256").token(fixture.claims())
        try await fixture.verifying { openID in
            let failures = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        asking.update { $0 += 1 }
                        return (try? await openID.verify(token)) == nil
                    }
                }
                try await gate.arrivals(1)
                try await asking.wait { $0 == 10 }
                gate.open()
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(failures == 10)
        }
        #expect(fixture.provider.requests.count == 1)
    }

    @Test("Only a little of a response of 1 GB is read")
    func flood() async throws {
        let fixture = try OpenIDFixture()
        let (head, chunk) = (Self.head(length: 1 << 30), [UInt8](repeating: 0x20, count: 65_536))
        fixture.provider.answer(Self.discovery, with: .flood(head: head, chunk: chunk))
        let token = try TestKey.make("ES256").token(fixture.claims())
        try await fixture.verifying { openID in
            let url = "\(fixture.provider.issuer)\(Self.discovery)"
            await #expect(throws: ProviderError.answer("\(url) sends more than 1048576 bytes")) {
                try await openID.verify(token)
            }
        }
        #expect(fixture.provider.bytesSent < 64 << 20)
    }

    @Test("A redirect is not followed")
    func redirect() async throws {
        let (fixture, key) = try OpenIDFixture.publishing(TestKey.make("ES256"))
        fixture.provider.answer("/keys", with: .status(302, headers: ["Location": "\(fixture.provider.issuer)/other"]))
        try await fixture.verifying { openID in
            let url = "\(fixture.provider.issuer)/keys"
            await #expect(throws: ProviderError.answer("\(url) returned status 302; expected: 200")) {
                try await openID.verify(key.token(fixture.claims()))
            }
        }
        #expect(!fixture.provider.requests.contains("/other"))
    }

    @Test(
        "A discovery document of another issuer, with unsafe addresses or without sense is refused",
        arguments: [
            #"{"issuer":"https://else","jwks_uri":"https://else/keys"}"#,
            #"{"issuer":"ISSUER","jwks_uri":"http://keys.example/keys"}"#,
            #"{"issuer":"ISSUER","jwks_uri":"file:///etc/passwd"}"#, #"{"issuer":"ISSUER"}"#, "[]", "",
        ])
    func discovery(document: String) async throws {
        let fixture = try OpenIDFixture()
        let text = document.replacing("ISSUER", with: fixture.provider.issuer)
        fixture.provider.answer(Self.discovery, with: .status(200, text))
        let token = try TestKey.make("ES256").token(fixture.claims())
        try await fixture.verifying { openID in
            let error = await #expect(throws: ProviderError.self) { try await openID.verify(token) }
            guard case .answer = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(fixture.provider.requests == [Self.discovery])
    }

    @Test(
        "A key set without sense is refused", arguments: ["", "[]", #"{"keys":{}}"#, #"{"keys":[]}"#, #"{"keys":[7]}"#])
    func keySet(json: String) {
        #expect(throws: ProviderError.self) { try JSONWebKeySet(json: Data(json.utf8)) }
    }

    @Test("A key set of more than 200 keys is refused")
    func manyKeys() throws {
        let keys = Array(repeating: try TestKey.make("ES256").jwk, count: 201).joined(separator: ",")
        #expect(throws: ProviderError.answer("its key set has more than 200 keys")) {
            try JSONWebKeySet(json: Data(#"{"keys":[\#(keys)]}"#.utf8))
        }
    }

    @Test(
        "A provider elsewhere names no address without https, and not this machine's",
        arguments: ["http://127.0.0.1/keys", "https://localhost/keys", "http://a.example/keys", "keys", ""])
    func keysElsewhere(url: String) throws {
        let address = try #require(URL(string: "https://a.example/.well-known/openid-configuration"))
        func document(_ url: String) -> Data { Data(#"{"issuer":"https://a.example","jwks_uri":"\#(url)"}"#.utf8) }
        #expect(throws: ProviderError.answer("the 'jwks_uri' of \(address) is not an https URL of another machine")) {
            try DiscoveryDocument(json: document(url), from: address, issuer: "https://a.example")
        }
        let good = try DiscoveryDocument(
            json: document("https://keys.example/keys"), from: address, issuer: "https://a.example")
        #expect(good.keysURL.host() == "keys.example")
    }
}
