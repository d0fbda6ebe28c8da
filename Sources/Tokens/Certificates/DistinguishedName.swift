import SwiftASN1

/// A name of one attribute, as the subject `UID=…`.
struct DistinguishedName: DERSerializable {
    let type: ASN1ObjectIdentifier
    let value: String

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { name in
            try name.appendConstructedNode(identifier: .set) { element in
                try element.appendConstructedNode(identifier: .sequence) { attribute in
                    try attribute.serialize(type)
                    try attribute.serialize(ASN1UTF8String(value))
                }
            }
        }
    }
}

extension ASN1ObjectIdentifier {
    /// `CN`.
    static let commonName: ASN1ObjectIdentifier = [2, 5, 4, 3]
    /// `UID` (RFC 4519, 2.39).
    static let userId: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]
}
