import Core
import Foundation

extension ServerKey {
    /// A token as RFC 7515 has it, without padding.
    ///
    /// - Parameter type: the header's `typ`, which tells the kinds of tokens apart.
    func token(_ payload: some Encodable, type: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let header = try encoder.encode(["alg": "RS256", "typ": type])
        let signed = Base64URL.encode(header) + "." + Base64URL.encode(try encoder.encode(payload))
        return signed + "." + Base64URL.encode(try signature(of: Data(signed.utf8)))
    }
}
