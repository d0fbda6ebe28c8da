import Core
import Foundation
import Testing

@testable import Tokens

@Suite struct CompactJWSTests {
    private func token(_ header: String, _ payload: String = "{}") -> String {
        "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(payload.utf8)).AAAA"
    }

    @Test("A real client's token is parsed, with its key")
    func transcript() throws {
        let token = try CompactJWS(Transcript.clientIdProof)
        #expect(String(decoding: token.payload, as: UTF8.self) == #"{"clientId":"\#(Transcript.clientId)"}"#)
        #expect(token.signature.count == 64)
        #expect(token.header.publicKey?.modulus.count == 64)
    }

    @Test("Wrong base64url is refused")
    func badBase64() {
        #expect(throws: TokenError.malformed("the token's payload is not base64url")) {
            try CompactJWS(token(#"{"alg":"RS256"}"#).replacing(".e30.", with: ".AB+/."))
        }
    }

    @Test("An algorithm that is not expected is refused", arguments: ["none", "None", "HS256", "RS512", "ES256", ""])
    func algorithm(name: String) {
        #expect(throws: TokenError.algorithm(found: name, accepted: ["RS256"])) {
            try CompactJWS(token(#"{"alg":"\#(name)"}"#))
        }
    }

    @Test("'none' is refused even if a caller accepts it")
    func none() {
        #expect(throws: TokenError.algorithm(found: "none", accepted: ["none"])) {
            try CompactJWS(token(#"{"alg":"none"}"#), accepting: ["none"])
        }
    }

    @Test("A header with 'crit' is refused", arguments: [#"["b64"]"#, "[]", "null"])
    func critical(value: String) {
        #expect(throws: TokenError.criticalExtensions) {
            try CompactJWS(token(#"{"alg":"RS256","crit":\#(value)}"#))
        }
    }

    @Test("A token with too few or too many parts is refused", arguments: ["", "a", "a.b", "a.b.c.d", "..."])
    func parts(text: String) {
        #expect(throws: TokenError.self) { try CompactJWS(text) }
    }

    @Test("A token without a signature is refused")
    func noSignature() {
        #expect(throws: TokenError.malformed("the token's signature is empty")) {
            try CompactJWS(String(token(#"{"alg":"RS256"}"#).dropLast(4)))
        }
    }

    @Test("8 KB are read, and a byte more is not")
    func size() throws {
        let head = Base64URL.encode(#"{"alg":"RS256"}"#.utf8) + ".AAAA."
        let longest = head + String(repeating: "A", count: 8192 - head.utf8.count)
        #expect(try CompactJWS(longest).payload == [0, 0, 0])
        #expect(throws: TokenError.tooLong("token", limit: 8192)) { try CompactJWS(longest + "A") }
    }

    @Test(
        "A header that is not a JSON object of the right types is refused",
        arguments: [
            "[]", "{", "7", #"{"alg":7}"#, #"{"alg":"RS256","kid":{}}"#, #"{"alg":"RS256","jpk":"x"}"#,
            String(repeating: "[", count: 3000),
        ])
    func header(json: String) {
        #expect(throws: TokenError.self) { try CompactJWS(token(json)) }
    }

    @Test("The type is read in small letters and without 'application/'", arguments: ["AT+JWT", "application/at+jwt"])
    func type(name: String) throws {
        #expect(try CompactJWS(token(#"{"alg":"RS256","typ":"\#(name)"}"#)).header.type == "at+jwt")
    }

    @Test("A token's quote in an error is short and has no control characters")
    func quoting() {
        let error = TokenError.algorithm(found: String(repeating: "\n", count: 5000), accepted: ["RS256"])
        #expect(error.description.count < 400)
        #expect(!error.description.contains("\n"))
    }
}
