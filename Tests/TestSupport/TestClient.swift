public import BigInt
import Core
import Crypto
public import Foundation

/// A client with a key of 512 bits, which signs as the native SDK of 7.1 does: base64url with padding.
public struct TestClient: Sendable {
    public let modulus: BigUInt
    public let privateExponent: BigUInt

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

    public init(modulus: String, privateExponent: String) {
        self.modulus = BigUInt(modulus, radix: 16)!
        self.privateExponent = BigUInt(privateExponent, radix: 16)!
    }

    /// The key as the header has it: two's complement, so with a zero in front.
    public var jpk: String {
        #"{"alg":"RSA","mod":"\#(Base64URL.encode(Data([0]) + modulus.serialize(), isPadded: true))","exp":"AQAB"}"#
    }

    /// - Parameters:
    ///   - payload: JSON.
    ///   - header: JSON; without one, `alg` and `jpk` as the SDK has them.
    public func sign(_ payload: String, header: String? = nil) -> String {
        let header = header ?? #"{"alg":"RS256","jpk":\#(jpk)}"#
        let signed = [header, payload].map { Base64URL.encode($0.utf8, isPadded: true) }.joined(separator: ".")
        return signed + "." + Base64URL.encode(signature(of: Data(signed.utf8)), isPadded: true)
    }

    public func signature(of bytes: Data) -> [UInt8] {
        let prefix: [UInt8] = [
            0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
            0x20,
        ]
        let digest = Array(SHA256.hash(data: bytes))
        return raise([0x00, 0x01] + Array(repeating: 0xFF, count: 10) + [0x00] + prefix + digest)
    }

    /// The private operation on a block of 64 bytes.
    public func raise(_ block: [UInt8]) -> [UInt8] {
        let number = Array(BigUInt(Data(block)).power(privateExponent, modulus: modulus).serialize())
        return Array(repeating: 0, count: 64 - number.count) + number
    }
}
