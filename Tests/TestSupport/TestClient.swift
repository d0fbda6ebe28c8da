import COpenSSL
import Core
import Crypto
public import Foundation

/// A client with a key of 512 bits, which signs as the native SDK of 7.1 does: base64url with padding.
public struct TestClient: Sendable {
    /// Big-endian, 64 bytes.
    public let modulus: [UInt8]
    private let privateExponent: [UInt8]

    public static let first = TestClient(
        modulus: "d41b030bec963b69de07cb9ce67324b7e412c704d6e1b07d6fcf96b06f9927f1"
            + "08984e3e0e99078b427066d72b2a481d96a8f48a3a3493148a0e75852bc0111d",
        privateExponent: "28a2f43678a15fc8acad39a959cd7d9f6da6db526608df5368f4909e450346cf"
            + "618850e7517893a961bcf16c3fe8dc7b282899312561fa8622f5157f03aea451")
    public static let second = TestClient(
        modulus: "af38ab4ebd59104514ca0eb022e42bae375685ee4bab4424920278221302680f"
            + "96a07380e3a7733c9e905bd6eb66cda593540852f9ce9daf311e001e54ae9d6b",
        privateExponent: "b646ed6e6beb4ad1925ee008bb43416d6a83c7afad67eceb5e38d3601f0651d8"
            + "ac2652c0c101be7447da13d7542161e1ec58dba67dc348be742dbd5b04fce01")

    private init(modulus: String, privateExponent: String) {
        self.modulus = [UInt8](hex: modulus)
        self.privateExponent = [UInt8](hex: privateExponent)
    }

    /// The key as the header has it: two's complement, so with a zero in front.
    public var jpk: String {
        #"{"alg":"RSA","mod":"\#(Base64URL.encode([0] + modulus, isPadded: true))","exp":"AQAB"}"#
    }

    /// - Parameters:
    ///   - payload: JSON.
    ///   - header: JSON; without one, `alg` and `jpk` as the SDK has them.
    public func sign(_ payload: String, header: String? = nil) -> String {
        let header = header ?? #"{"alg":"RS256","jpk":\#(jpk)}"#
        let signed = [header, payload].map { Base64URL.encode($0.utf8, isPadded: true) }.joined(separator: ".")
        return signed + "." + Base64URL.encode(signature(of: Data(signed.utf8)), isPadded: true)
    }

    public func signature(of bytes: Data) -> [UInt8] { raise(block(for: bytes)) }

    /// The block that a signature of the bytes is made of (RFC 8017, 9.2).
    public func block(for bytes: Data) -> [UInt8] {
        let prefix: [UInt8] = [
            0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
            0x20,
        ]
        let digest = Array(SHA256.hash(data: bytes))
        return [0x00, 0x01] + Array(repeating: 0xFF, count: 10) + [0x00] + prefix + digest
    }

    /// The private operation on a block of 64 bytes.
    public func raise(_ block: [UInt8]) -> [UInt8] {
        let numbers = [block, privateExponent, modulus].map { (bytes: [UInt8]) in
            BN_bin2bn(bytes, Int32(bytes.count), nil)
        }
        let (context, result) = (BN_CTX_new(), BN_new())
        defer {
            for number in numbers + [result] { BN_free(number) }
            BN_CTX_free(context)
        }
        var bytes = [UInt8](repeating: 0, count: modulus.count)
        guard BN_mod_exp(result, numbers[0], numbers[1], numbers[2], context) == 1,
            BN_bn2binpad(result, &bytes, Int32(bytes.count)) == bytes.count
        else { preconditionFailure("OpenSSL does not raise the block") }
        return bytes
    }
}

extension [UInt8] {
    /// Reads hexadecimal digits; a zero is put in front of an odd number of them.
    public init(hex: String) {
        let digits = hex.count.isMultiple(of: 2) ? [Character](hex) : ["0"] + hex
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16)! }
    }
}
