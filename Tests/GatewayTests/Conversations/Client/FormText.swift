/// A field of a form. Without a value it is written without `=`, as hybrid clients write what is undefined.
struct Field: Sendable {
    let name: String
    let value: String?

    init(_ name: String, _ value: String?) {
        (self.name, self.value) = (name, value)
    }
}

/// How clients encode forms.
enum FormText: Sendable {
    /// `encodeURIComponent`: a blank is `%20`.
    case javaScript
    /// `URLEncodedUtils`: a blank is `+`.
    case java

    func encode(_ fields: [Field]) -> String {
        fields.map { field in
            encode(field.name) + (field.value.map { "=" + encode($0) } ?? "")
        }.joined(separator: "&")
    }

    private func encode(_ text: String) -> String {
        let kept: String.UTF8View
        switch self {
        case .javaScript: kept = "-_.!~*'()".utf8
        case .java: kept = "-_.*".utf8
        }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: bytes.append(byte)
            case _ where kept.contains(byte): bytes.append(byte)
            case 0x20 where self == .java: bytes.append(UInt8(ascii: "+"))
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
