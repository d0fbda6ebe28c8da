import Foundation

/// What can be told of a PKCS#12 file without its password.
///
/// NIOSSL ends the process when it opens a file that has no key or no certificate, so that has to be known before. The object
/// identifiers by which the parts of a file are found stand in it in clear, but for certificates that are encrypted whole.
struct PKCS12Contents {
    private static let bags: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x0A, 0x01]
    private static let keyBag = bags + [1]
    private static let encryptedKeyBag = bags + [2]
    private static let certificateBag = bags + [3]
    private static let encryptedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x06]

    private let bytes: Data

    init(_ bytes: Data) {
        self.bytes = bytes
    }

    /// What is missing, and what to do; nil when everything seems to be there.
    var problem: String? {
        if !has(Self.keyBag), !has(Self.encryptedKeyBag) {
            return "expected a certificate with its key in the .p12 file, found no key; export it with its key"
        }
        if !has(Self.certificateBag), !has(Self.encryptedData) {
            return "expected a certificate with its key in the .p12 file, found no certificate; export both together"
        }
        return nil
    }

    private func has(_ identifier: [UInt8]) -> Bool { bytes.range(of: Data(identifier)) != nil }
}
