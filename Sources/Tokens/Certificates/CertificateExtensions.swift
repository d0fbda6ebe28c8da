import Crypto
import Foundation
import SwiftASN1

/// The extensions of our certificates: as few as RFC 5280, 4.2 asks for.
struct CertificateExtensions: DERSerializable {
    let isAuthority: Bool
    /// The identifiers of the certificate's own key, and of the one that signs it.
    let keyIdentifier: [UInt8]
    let issuerKeyIdentifier: [UInt8]

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { list in
            try Self.serialize(.basicConstraints, isCritical: true, into: &list) { value in
                try value.appendConstructedNode(identifier: .sequence) { if isAuthority { try $0.serialize(true) } }
            }
            if isAuthority {
                try Self.serialize(.keyUsage, isCritical: true, into: &list) { value in
                    // The sixth bit: keyCertSign.
                    try value.serialize(ASN1BitString(bytes: [0b0000_0100], paddingBits: 2))
                }
            }
            try Self.serialize(.subjectKeyIdentifier, into: &list) { value in
                try value.serialize(ASN1OctetString(contentBytes: ArraySlice(keyIdentifier)))
            }
            try Self.serialize(.authorityKeyIdentifier, into: &list) { value in
                value.appendConstructedNode(identifier: .sequence) { sequence in
                    let tag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
                    sequence.appendPrimitiveNode(identifier: tag) { $0.append(contentsOf: issuerKeyIdentifier) }
                }
            }
        }
    }

    private static func serialize(
        _ type: ASN1ObjectIdentifier, isCritical: Bool = false, into list: inout DER.Serializer,
        _ writeValue: (inout DER.Serializer) throws -> Void
    ) throws {
        var value = DER.Serializer()
        try writeValue(&value)
        try list.appendConstructedNode(identifier: .sequence) { element in
            try element.serialize(type)
            if isCritical { try element.serialize(true) }
            try element.serialize(ASN1OctetString(contentBytes: ArraySlice(value.serializedBytes)))
        }
    }
}

extension ASN1ObjectIdentifier {
    fileprivate static let subjectKeyIdentifier: ASN1ObjectIdentifier = [2, 5, 29, 14]
    fileprivate static let keyUsage: ASN1ObjectIdentifier = [2, 5, 29, 15]
    fileprivate static let basicConstraints: ASN1ObjectIdentifier = [2, 5, 29, 19]
    fileprivate static let authorityKeyIdentifier: ASN1ObjectIdentifier = [2, 5, 29, 35]
}
