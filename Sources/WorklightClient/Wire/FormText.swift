/// A form's text, as native clients write it (wire-protocol 2): UTF-8 in percent encoding, a space as `+`.
enum FormText {
    static func encode(_ fields: [WireField]) -> String {
        fields.map { "\(encoded($0.name, space: "+"))=\(encoded($0.value, space: "+"))" }.joined(separator: "&")
    }

    /// - Parameter space: what stands for a space; paths know no `+`.
    static func encoded(_ text: String, space: String = "%20") -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + text.utf8.count / 4)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "*"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: " "): result += space
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}

/// One name and its value in a form.
struct WireField: Sendable, Equatable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
