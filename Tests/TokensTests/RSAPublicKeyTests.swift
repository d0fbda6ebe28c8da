import Foundation
import TestSupport
import Testing

@testable import Tokens

@Suite struct RSAPublicKeyTests {
    @Test(
        "A signature that openssl made is valid, and one bit changed it is not",
        arguments: TestExtent.size([512, 1023, 2048], full: [512, 768, 1023, 1024, 2048, 4096]),
        TestExtent.size([65537], full: [3, 65537]))
    func openSSL(bits: Int, exponent: Int) async throws {
        let folder = try TemporaryFolder()
        let key = folder.path("key.pem")
        try await OpenSSL.run(
            "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)", "-pkeyopt",
            "rsa_keygen_pubexp:\(exponent)", "-out", key)
        let message = Data("the message".utf8)
        let file = try folder.write(message, to: "message")
        try await OpenSSL.run("dgst", "-sha256", "-sign", key, "-out", folder.path("signature"), file)
        let line = try await OpenSSL.run("rsa", "-in", key, "-noout", "-modulus")
        let hex = line.split(separator: "=").last!.trimmingCharacters(in: .whitespacesAndNewlines)
        let publicKey = try RSAPublicKey(
            modulus: [UInt8](hex: hex), exponent: withUnsafeBytes(of: UInt32(exponent).bigEndian) { Array($0) })
        var signature = Array(try Data(contentsOf: folder.url.appending(path: "signature")))

        #expect(publicKey.isValidSignature(signature, of: Array(message)))
        #expect(!publicKey.isValidSignature(signature, of: Array(message) + [0]))
        signature[signature.count / 2] ^= 1
        #expect(!publicKey.isValidSignature(signature, of: Array(message)))
    }

    @Test("A signature of another length, zero or not below the modulus is not valid")
    func oddSignatures() throws {
        let key = try TestClient.first.publicKey
        let message = Array("the message".utf8)
        let signature = TestClient.first.signature(of: Data(message))
        #expect(key.isValidSignature(signature, of: message))
        #expect(!key.isValidSignature([0] + signature, of: message))
        #expect(!key.isValidSignature(Array(signature.dropLast()), of: message))
        #expect(!key.isValidSignature([], of: message))
        #expect(!key.isValidSignature(Array(repeating: 0, count: 64), of: message))
    }

    @Test("A signature to which the modulus was added is not valid")
    func aboveModulus() throws {
        // A signature that is as long with the modulus as without; one in five is.
        for number in 0..<500 {
            let message = Data("message \(number)".utf8)
            var carry = 0
            let sum = zip(TestClient.first.signature(of: message), TestClient.first.modulus).reversed().map { pair in
                let digit = Int(pair.0) + Int(pair.1) + carry
                carry = digit >> 8
                return UInt8(truncatingIfNeeded: digit)
            }
            guard carry == 0 else { continue }
            #expect(try !TestClient.first.publicKey.isValidSignature(sum.reversed(), of: Array(message)))
            return
        }
        Issue.record("no signature is small enough")
    }

    @Test("A block that only ends or only begins as it should is not valid")
    func forgedBlocks() throws {
        let key = try TestClient.first.publicKey
        let message = Data("the message".utf8)
        let right = TestClient.first.block(for: message)
        let shortPadding = [0x00, 0x01, 0xFF, 0x00] + right.suffix(51) + Array(repeating: 0x07, count: 9)
        let otherPadding = [0x00, 0x01] + Array(repeating: UInt8(0xFE), count: 10) + right.suffix(52)
        let encryption = [0x00, 0x02] + right.suffix(62)
        for block in [shortPadding, otherPadding, encryption] {
            #expect(block.count == 64)
            #expect(!key.isValidSignature(TestClient.first.raise(block), of: Array(message)))
        }
    }

    @Test("A key that is too short, too long or even is refused", arguments: [511, 4097, 8192, 0])
    func sizes(bits: Int) {
        var modulus = [UInt8](repeating: 0, count: bits == 0 ? 64 : (bits + 7) / 8)
        modulus[0] = bits == 0 ? 0x80 : 1 << ((bits - 1) % 8)
        if bits > 0 { modulus[modulus.count - 1] = 1 }
        #expect(throws: TokenError.self) { try RSAPublicKey(modulus: modulus, exponent: [1, 0, 1]) }
    }

    @Test("No modulus, or one of zeros, is refused", arguments: [[], [0], [0, 0], [0, 0, 0xC1]])
    func noModulus(modulus: [UInt8]) {
        #expect(throws: TokenError.self) { try RSAPublicKey(modulus: modulus, exponent: [3]) }
    }

    @Test(
        "A silly exponent is refused",
        arguments: [
            [], [0], [1], [2], [4], [1, 0, 0, 0, 1 << 1, 0], [1, 0, 0, 0, 1], Array(repeating: 0xFF, count: 600),
        ])
    func exponents(exponent: [UInt8]) throws {
        let modulus = TestClient.first.modulus
        #expect(throws: TokenError.key("its exponent is not an odd number from 3 to 2^32")) {
            try RSAPublicKey(modulus: modulus, exponent: exponent)
        }
    }

    @Test("The largest exponent is used")
    func largestExponent() throws {
        let modulus = TestClient.first.modulus
        #expect(try RSAPublicKey(modulus: modulus, exponent: [0xFF, 0xFF, 0xFF, 0xFF]).exponent == 0xFFFF_FFFF)
    }

    @Test("A key survives a store, and is the same with and without the zero of two's complement")
    func coding() throws {
        let key = try TestClient.first.publicKey
        #expect(try JSONDecoder().decode(RSAPublicKey.self, from: JSONEncoder().encode(key)) == key)
        #expect(try JSONDecoder().decode(RSAPublicKey.self, from: Data(TestClient.first.jpk.utf8)) == key)
    }

    @Test("A damaged key in a store is refused")
    func damaged() {
        let json = #"{"alg":"EC","mod":"AQAB","exp":"AQAB"}"#
        #expect(throws: TokenError.key(#"its 'alg' is "EC"; expected: RSA"#)) {
            try JSONDecoder().decode(RSAPublicKey.self, from: Data(json.utf8))
        }
    }
}
