/// How paths and parameters are spelled in a request.
enum RequestTarget {
    /// The path as the script wrote it (since 5.0.6 nothing is encoded anew), with a leading `/`. Only what would break the
    /// request line – blanks, control characters and what is not ASCII – becomes `%XX` of its UTF-8.
    static func make(path: String, form: String) -> String {
        var target = encode(path, unless: { $0 > 0x20 && $0 < 0x7F })
        if !target.hasPrefix("/") { target = "/" + target }
        if !form.isEmpty { target += (target.contains("?") ? "&" : "?") + form }
        return target
    }

    /// `application/x-www-form-urlencoded` as browsers write it: a blank is `+`, letters, digits and `*-._` stay.
    static func form(_ parameters: [(String, String)]) -> String {
        parameters.map { "\(encodeForm($0.0))=\(encodeForm($0.1))" }.joined(separator: "&")
    }

    /// `text` with `%XX` for every byte of its UTF-8 that `isPlain` does not accept.
    static func encode(_ text: String, unless isPlain: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func encodeForm(_ text: String) -> String {
        encode(text) { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20: true
            default: "*-._".utf8.contains(byte)
            }
        }
        .split(separator: " ", omittingEmptySubsequences: false).joined(separator: "+")
    }
}
