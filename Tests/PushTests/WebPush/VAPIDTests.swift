import Core
import Crypto
import Foundation
import JWTKit
import TestSupport
import Testing

@testable import Push

private struct Claims: JWTPayload {
    let aud: String
    let exp: Int
    let sub: String

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

@Suite("The server's token for push services")
struct VAPIDTests {
    private func tokens(_ time: ManualTime, key: VAPIDKey = VAPIDKey()) throws -> VAPIDTokens {
        VAPIDTokens(try WebPushCredentials(key: key, contact: "mailto:push@example.com"), time: time)
    }

    @Test("A token is signed with the key beside it, and names audience, expiry and contact")
    func contents() async throws {
        let key = VAPIDKey()
        let header = try await tokens(ManualTime(), key: key).authorization(for: "https://push.example.com")
        let match = try #require(header.wholeMatch(of: /vapid t=([^,]+), k=([A-Za-z0-9_-]+)/))
        #expect(match.2 == key.publicKey)
        let point = try P256.Signing.PublicKey(x963Representation: Base64URL.decode(match.2)!)
        let keys = await JWTKeyCollection().add(ecdsa: try ES256PublicKey(backing: point))
        let claims = try await keys.verify(String(match.1), as: Claims.self)
        #expect(claims.aud == "https://push.example.com")
        #expect(claims.exp == 1_700_000_000 + 12 * 3600)
        #expect(claims.sub == "mailto:push@example.com")
        let head = Base64URL.decode(match.1.prefix { $0 != "." }) ?? []
        let json = try JSONValue(parsing: String(decoding: head, as: UTF8.self))
        #expect(json["alg"] == "ES256" && json["typ"] == "JWT")
    }

    @Test("A service gets the same token again until it is six hours old")
    func reuse() async throws {
        let time = ManualTime()
        let tokens = try tokens(time)
        let first = try await tokens.authorization(for: "https://a.example")
        time.advance(by: .seconds(6 * 3600 - 1))
        #expect(try await tokens.authorization(for: "https://a.example") == first)
        time.advance(by: .seconds(1))
        #expect(try await tokens.authorization(for: "https://a.example") != first)
    }

    @Test("The next token follows the clock when the machine's clock is set", arguments: [-86_400.0, 86_400])
    func clock(jump: Double) async throws {
        let time = ManualTime()
        let tokens = try tokens(time)
        let first = try await tokens.authorization(for: "https://a.example")
        time.setClock(forwardBy: jump)
        #expect(try await tokens.authorization(for: "https://a.example") != first)
    }

    @Test("Each service has its own")
    func audiences() async throws {
        let tokens = try tokens(ManualTime())
        #expect(
            try await tokens.authorization(for: "https://a.example") != tokens.authorization(for: "https://b.example"))
    }

    @Test("One that was refused is not used again")
    func forgotten() async throws {
        let tokens = try tokens(ManualTime())
        let first = try await tokens.authorization(for: "https://a.example")
        await tokens.forget("https://a.example")
        // The same claims get another signature.
        #expect(try await tokens.authorization(for: "https://a.example") != first)
    }

    @Test(
        "A contact is a mail address or a page",
        arguments: ["mailto:a@example.com", "https://example.com", "https://example.com/push?x"])
    func contact(text: String) throws {
        #expect(try WebPushCredentials(key: VAPIDKey(), contact: text).contact == text)
    }

    @Test(
        "An address that is not reachable by mail or web is not a contact",
        arguments: [
            "", "a@example.com", "mailto:", "mailto:@example.com", "mailto:a@localhost", "https://localhost",
            "http://example.com", "https://", "mailto:a@example.com\r\nx:y", "https://x.localhost/",
        ])
    func badContact(text: String) {
        #expect {
            try WebPushCredentials(key: VAPIDKey(), contact: text)
        } throws: { error in
            "\(error)".contains("expected an address that push services can write to, like mailto:push@example.com")
        }
    }
}

@Suite("The server's key for push services")
struct VAPIDKeyTests {
    @Test("is made once, and only its owner may read the file")
    func file() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "web-push-key.pem").path
        let first = try VAPIDKey(file: path)
        #expect(try VAPIDKey(file: path).publicKey == first.publicKey)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("Many that make it at once all get the same")
    func together() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "key.pem").path
        let keys = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try VAPIDKey(file: path).publicKey } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
    }

    @Test("refuses a file that others may read, and names the remedy")
    func open() throws {
        let folder = try TemporaryFolder(["key.pem": "x"])
        let path = folder.url.appending(path: "key.pem").path
        chmod(path, 0o644)
        #expect {
            try VAPIDKey(file: path)
        } throws: { error in
            "\(error)".contains("'chmod 600'") && "\(error)".hasPrefix(path)
        }
    }

    @Test("A key is read as PEM and as web-push prints it")
    func spellings() throws {
        let key = P256.Signing.PrivateKey()
        for text in [key.pemRepresentation, Base64URL.encode(key.rawRepresentation) + "\n"] {
            #expect(try VAPIDKey(text, source: "test").publicKey == VAPIDKey(key).publicKey)
        }
    }

    @Test(
        "An invalid key is refused with the expected form, and is not repeated",
        arguments: ["", "secret-secret", "AAAA", P256.Signing.PrivateKey().publicKey.pemRepresentation])
    func noKey(text: String) {
        #expect {
            try VAPIDKey(text, source: "webPush.key")
        } throws: { error in
            "\(error)".hasPrefix("webPush.key holds no private key of Web Push: expected one on P-256 in PEM")
                && !"\(error)".contains("secret-secret")
        }
    }
}
