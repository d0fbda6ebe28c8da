import Core
import Foundation
import TestSupport
import Testing

@testable import Tokens

@Suite struct AuthorizationCodesTests {
    private let clock = ManualTime()

    private func store(limit: Int = 100) -> AuthorizationCodes {
        AuthorizationCodes(limit: limit, clock: { [clock] in clock.now })
    }

    private func grant(_ clientId: String = "client-1") -> AuthorizationGrant {
        AuthorizationGrant(
            clientId: clientId, redirectURI: "http://mfpredirecturi",
            scopes: [
                GrantedScope("RegisteredClient", expires: ManualTime.start),
                GrantedScope("MyRealm", expires: ManualTime.start, login: "login-1"),
            ])
    }

    private func redeem(
        _ code: String, from codes: AuthorizationCodes, clientId: String = "client-1",
        redirectURI: String = "http://mfpredirecturi"
    ) throws -> AuthorizationGrant {
        try codes.redeem(code, clientId: clientId, redirectURI: redirectURI)
    }

    @Test("A code returns its grant once")
    func once() throws {
        let codes = store()
        let code = try codes.makeCode(for: grant())
        #expect(try redeem(code, from: codes) == grant())
        #expect(throws: AuthorizationCodeError.unknown) { try redeem(code, from: codes) }
    }

    @Test("A code has 256 bits, and no two are the same")
    func random() throws {
        let codes = store()
        let made = try Set((0..<100).map { try codes.makeCode(for: grant("client-\($0)")) })
        #expect(made.count == 100)
        #expect(made.allSatisfy { Base64URL.decode($0)?.count == 32 })
    }

    @Test("One of several simultaneous uses of a code gets the grant")
    func race() async throws {
        let codes = store()
        let code = try codes.makeCode(for: grant())
        let granted = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (try? codes.redeem(code, clientId: "client-1", redirectURI: "http://mfpredirecturi")) == nil ? 0 : 1
                }
            }
            return await group.reduce(0, +)
        }
        #expect(granted == 1)
    }

    @Test("A code holds for a minute and not a second longer", arguments: [59.0, 60])
    func expiry(seconds: Double) throws {
        let codes = store()
        let code = try codes.makeCode(for: grant())
        clock.advance(by: .seconds(seconds))
        if seconds < 60 {
            #expect(throws: Never.self) { try redeem(code, from: codes) }
        } else {
            #expect(throws: AuthorizationCodeError.unknown) { try redeem(code, from: codes) }
        }
    }

    @Test("Another client, or another redirect URI, gets no grant and spends the code")
    func bound() throws {
        let codes = store()
        let first = try codes.makeCode(for: grant())
        #expect(throws: AuthorizationCodeError.client) { try redeem(first, from: codes, clientId: "client-2") }
        #expect(throws: AuthorizationCodeError.unknown) { try redeem(first, from: codes) }
        let second = try codes.makeCode(for: grant())
        #expect(throws: AuthorizationCodeError.redirectURI) {
            try redeem(second, from: codes, redirectURI: "http://mfpredirecturi/")
        }
        #expect(throws: AuthorizationCodeError.unknown) { try redeem(second, from: codes) }
    }

    @Test("A client's ninth code replaces its first, and no other client's")
    func perClient() throws {
        let codes = store()
        let other = try codes.makeCode(for: grant("client-2"))
        let made = try (0..<9).map { _ in try codes.makeCode(for: grant()) }
        #expect(throws: AuthorizationCodeError.unknown) { try redeem(made[0], from: codes) }
        #expect(throws: Never.self) { try redeem(made[1], from: codes) }
        #expect(throws: Never.self) { try redeem(other, from: codes, clientId: "client-2") }
    }

    @Test("A full store makes no more codes until some have expired")
    func full() throws {
        let codes = store(limit: 3)
        for number in 0..<3 { _ = try codes.makeCode(for: grant("client-\(number)")) }
        #expect(throws: AuthorizationCodeError.tooMany) { try codes.makeCode(for: grant("client-4")) }
        clock.advance(by: .seconds(60))
        #expect(throws: Never.self) { try codes.makeCode(for: grant("client-4")) }
    }
}
