import Foundation
import TestSupport
import Testing

@testable import Tokens

@Suite struct RegisteredClientTests {
    @Test("A real client's proof of its id is accepted")
    func transcript() throws {
        let request = try ClientRegistrationRequest(csr: Transcript.csr)
        let client = RegisteredClient(
            clientId: Transcript.clientId, publicKey: request.publicKey, description: request.client)
        #expect(throws: Never.self) { try client.checkIdentity(Transcript.clientIdProof) }
    }

    @Test("A proof about another client's id is refused")
    func otherId() throws {
        let proof = TestClient.first.sign(#"{"clientId":"client-2"}"#)
        #expect(throws: TokenError.mismatch("the client signed another client id than its own")) {
            try RegisteredClient.example("client-1").checkIdentity(proof)
        }
    }

    @Test("A proof with another key than the registered one is refused")
    func otherKey() throws {
        let proof = TestClient.second.sign(#"{"clientId":"client-1"}"#)
        #expect(throws: TokenError.key("it is not the key with which the client was registered")) {
            try RegisteredClient.example("client-1").checkIdentity(proof)
        }
    }

    @Test("The registered key counts when the proof brings none")
    func noKey() throws {
        let client = try RegisteredClient.example()
        let payload = #"{"clientId":"client-1"}"#
        let header = #"{"alg":"RS256"}"#
        #expect(throws: Never.self) { try client.checkIdentity(TestClient.first.sign(payload, header: header)) }
        #expect(throws: TokenError.signature) {
            try client.checkIdentity(TestClient.second.sign(payload, header: header))
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
        #expect(throws: TokenError.self) { try RegisteredClient.example().checkIdentity("") }
    }

    @Test("A registered client survives a store")
    func coding() throws {
        let client = try RegisteredClient.example()
        #expect(try JSONDecoder().decode(RegisteredClient.self, from: JSONEncoder().encode(client)) == client)
    }
}
