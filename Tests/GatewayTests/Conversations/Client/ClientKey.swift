import BigInt
import Crypto
import Foundation

/// The key of 512 bits of a native client of 7.1, which signs in base64url with padding (wire-protocol 8).
struct ClientKey: Sendable {
    private let modulus: BigUInt
    private let privateExponent: BigUInt

    static let first = ClientKey(
        modulus: "d41b030bec963b69de07cb9ce67324b7e412c704d6e1b07d6fcf96b06f9927f1"
            + "08984e3e0e99078b427066d72b2a481d96a8f48a3a3493148a0e75852bc0111d",
        privateExponent: "28a2f43678a15fc8acad39a959cd7d9f6da6db526608df5368f4909e450346cf"
            + "618850e7517893a961bcf16c3fe8dc7b282899312561fa8622f5157f03aea451")

    private init(modulus: String, privateExponent: String) {
        self.modulus = BigUInt(modulus, radix: 16)!
        self.privateExponent = BigUInt(privateExponent, radix: 16)!
    }

    /// Big-endian, without a sign.
    var modulusBytes: Data { modulus.serialize() }

    /// - Parameter payload: JSON.
    func sign(_ payload: String) -> String {
        // Two's complement, so with a zero in front.
        let jpk = #"{"alg":"RSA","mod":"\#(Self.padded(Data([0]) + modulusBytes))","exp":"AQAB"}"#
        let signed =
            Self.padded(Data(#"{"alg":"RS256","jpk":\#(jpk)}"#.utf8)) + "." + Self.padded(Data(payload.utf8))
        return signed + "." + Self.padded(signature(of: Data(signed.utf8)))
    }

    /// PKCS #1 1.5 with SHA-256.
    private func signature(of bytes: Data) -> Data {
        let algorithm: [UInt8] = [
            0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
            0x20,
        ]
        let block =
            [0x00, 0x01] + Array(repeating: 0xFF, count: 10) + [0x00] + algorithm + Array(SHA256.hash(data: bytes))
        let number = BigUInt(Data(block)).power(privateExponent, modulus: modulus).serialize()
        return Data(repeating: 0, count: 64 - number.count) + number
    }

    static func padded(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    }
}
