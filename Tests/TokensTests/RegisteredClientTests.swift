import Foundation
import TestSupport
import Testing

@testable import Tokens

@Suite struct RegisteredClientTests {
    @Test("A proof with another key than the registered one is refused")
    func otherKey() throws {
        let proof = TestClient.second.sign(#"{"code":"abc"}"#)
        #expect(throws: TokenError.key("it is not the key with which the client was registered")) {
            try RegisteredClient.example("client-1").checkAuthentication(proof, forCode: "abc")
        }
    }

    @Test("The registered key counts when the proof has none")
    func noKey() throws {
        let client = try RegisteredClient.example()
        let payload = #"{"code":"abc"}"#
        let header = #"{"alg":"RS256"}"#
        #expect(throws: Never.self) {
            try client.checkAuthentication(TestClient.first.sign(payload, header: header), forCode: "abc")
        }
        #expect(throws: TokenError.signature) {
            try client.checkAuthentication(TestClient.second.sign(payload, header: header), forCode: "abc")
        }
    }

    @Test("The code that was signed must be the one that is redeemed")
    func code() throws {
        let client = try RegisteredClient.example()
        let proof = TestClient.first.sign(#"{"code":"abc"}"#)
        #expect(throws: Never.self) { try client.checkAuthentication(proof, forCode: "abc") }
        #expect(throws: TokenError.mismatch("the client signed another authorization code than it sent")) {
            try client.checkAuthentication(proof, forCode: "abd")
        }
    }

    @Test("A proof of the client's id does not serve as one for a code")
    func wrongProof() throws {
        let proof = TestClient.first.sign(#"{"clientId":"client-1"}"#)
        #expect(throws: TokenError.missing("code")) {
            try RegisteredClient.example().checkAuthentication(proof, forCode: "abc")
        }
    }

    @Test("An empty proof is refused")
    func empty() {
        #expect(throws: TokenError.self) { try RegisteredClient.example().checkAuthentication("", forCode: "abc") }
    }

    @Test("A registered client survives a store")
    func coding() throws {
        let client = try RegisteredClient.example()
        #expect(try JSONDecoder().decode(RegisteredClient.self, from: JSONEncoder().encode(client)) == client)
    }
}
