import Foundation

/// Character encodings, by the C library's converter.
package enum Charset {
    /// The encodings that browsers and Java use for a name: often a superset of the named one.
    private static let supersets = [
        "utf8": "utf-8", "shift_jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "windows-31j": "cp932",
        "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "gb2312": "gb18030", "gbk": "gb18030", "big5": "cp950",
        "us-ascii": "windows-1252", "ascii": "windows-1252",
    ]

    /// Returns true if strings in the encoding `name` can be read.
    package static func isKnown(_ name: String) -> Bool {
        let resolved = resolve(name)
        if resolved == "utf-8" { return true }
        guard let converter = open(to: "utf-8", from: resolved) else { return false }
        iconv_close(converter)
        return true
    }

    /// Decodes `bytes`. The encoding is the requested one; else that of the byte order mark, of the header, of the XML declaration (or HTML's
    /// `meta`); else UTF-8. Bytes that are not in the encoding become U+FFFD.
    ///
    /// - Parameter onWrongBytes: called when bytes are not in the encoding.
    package static func decode(
        _ bytes: [UInt8], requested: String?, header: String?, isMarkup: Bool, onWrongBytes: () -> Void = {}
    ) -> String {
        let candidates = [requested, byteOrderMark(bytes), header, isMarkup ? declared(in: bytes) : nil]
        let name = candidates.compactMap(\.self).first(where: isKnown) ?? "utf-8"
        let text = decode(bytes, as: name, onWrongBytes: onWrongBytes)
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// Like ``decode(_:requested:header:isMarkup:)``, but returns UTF-8 without a byte order mark. Bytes in UTF-8 are returned unchanged, whether
    /// they are valid or not.
    package static func utf8(
        _ bytes: [UInt8], requested: String?, header: String?, onWrongBytes: () -> Void = {}
    ) -> [UInt8] {
        let mark = byteOrderMark(bytes)
        let name = [requested, mark, header].compactMap(\.self).first(where: isKnown) ?? "utf-8"
        guard resolve(name) == "utf-8" else {
            return Array(
                decode(bytes, requested: name, header: nil, isMarkup: false, onWrongBytes: onWrongBytes).utf8)
        }
        return mark == "utf-8" ? Array(bytes.dropFirst(3)) : bytes
    }

    /// Decodes `bytes` from the encoding `name`; from UTF-8 when it is unknown.
    package static func decode(_ bytes: [UInt8], as name: String, onWrongBytes: () -> Void = {}) -> String {
        let resolved = resolve(name)
        guard resolved != "utf-8", let converter = open(to: "utf-8", from: resolved) else {
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            onWrongBytes()
            return String(decoding: bytes, as: UTF8.self)
        }
        defer { iconv_close(converter) }
        let text = convert(
            bytes, with: converter, replacement: [0xEF, 0xBF, 0xBD], onReplacement: onWrongBytes)
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes `bytes` from the encoding `name`; returns `nil` when some of them are not in it, or it is unknown.
    static func decodeStrictly(_ bytes: [UInt8], as name: String) -> String? {
        let resolved = resolve(name)
        guard resolved != "utf-8" else { return String(validating: bytes, as: UTF8.self) }
        guard let converter = open(to: "utf-8", from: resolved) else { return nil }
        defer { iconv_close(converter) }
        var isComplete = true
        let text = convert(bytes, with: converter, replacement: []) { isComplete = false }
        return isComplete ? String(decoding: text, as: UTF8.self) : nil
    }

    /// Encodes `text` in the encoding `name`, in UTF-8 when it is unknown. Characters that the encoding lacks become `?`.
    package static func encode(_ text: String, as name: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        let resolved = resolve(name)
        guard resolved != "utf-8", let converter = open(to: resolved, from: "utf-8") else { return bytes }
        defer { iconv_close(converter) }
        return convert(bytes, with: converter, replacement: [UInt8(ascii: "?")], skipsSequences: true)
    }

    private static func resolve(_ name: String) -> String {
        if name == "utf-8" || name == "UTF-8" { return "utf-8" }
        let plain = name.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        return supersets[plain] ?? plain
    }

    private static func open(to target: String, from source: String) -> iconv_t? {
        let isName = { (name: String) in
            !name.isEmpty
                && name.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                    default: "-_.:+".utf8.contains(byte)
                    }
                }
        }
        guard isName(target), isName(source) else { return nil }
        let converter = iconv_open(target, source)
        return converter == iconv_t(bitPattern: -1) ? nil : converter
    }

    /// Returns the encoding whose byte order mark the bytes begin with.
    static func byteOrderMark(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return "utf-8" }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return "utf-32le" }
        if bytes.starts(with: [0xFF, 0xFE]) { return "utf-16le" }
        if bytes.starts(with: [0xFE, 0xFF]) { return "utf-16be" }
        return nil
    }

    /// The encoding that an XML declaration, or HTML's `meta`, names.
    static func declared(in bytes: [UInt8]) -> String? {
        let head = String(decoding: bytes.prefix(1024).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self).lowercased()
        if head.hasPrefix("<?xml"), let end = head.range(of: "?>") {
            if let name = name(after: "encoding", in: String(head[..<end.lowerBound])) { return name }
        }
        return head.contains("<meta") ? name(after: "charset", in: head) : nil
    }

    private static func name(after word: String, in text: String) -> String? {
        guard let place = text.range(of: word) else { return nil }
        let rest = text[place.upperBound...].drop(while: \.isWhitespace)
        guard rest.hasPrefix("=") else { return nil }
        let value = rest.dropFirst().drop(while: \.isWhitespace).drop { $0 == "\"" || $0 == "'" }
        let name = value.prefix { $0.isLetter || $0.isNumber || "-_.:+".contains($0) }
        // A declaration that can be read byte by byte is not in UTF-16.
        return name.isEmpty || name.hasPrefix("utf-16") ? nil : String(name)
    }

    private static func convert(
        _ bytes: [UInt8], with converter: iconv_t, replacement: [UInt8], skipsSequences: Bool = false,
        onReplacement: () -> Void = {}
    ) -> [UInt8] {
        var input = bytes
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 2)
        var buffer = [UInt8](repeating: 0, count: 32_768)
        input.withUnsafeMutableBufferPointer { input in
            buffer.withUnsafeMutableBufferPointer { buffer in
                guard let inputStart = input.baseAddress, let bufferStart = buffer.baseAddress else { return }
                var next: UnsafeMutablePointer<CChar>? = UnsafeMutableRawPointer(inputStart)
                    .assumingMemoryBound(to: CChar.self)
                var left = input.count
                while true {
                    var output: UnsafeMutablePointer<CChar>? = UnsafeMutableRawPointer(bufferStart)
                        .assumingMemoryBound(to: CChar.self)
                    var room = buffer.count
                    let isFlush = left == 0
                    let outcome =
                        isFlush
                        ? iconv(converter, nil, nil, &output, &room) : iconv(converter, &next, &left, &output, &room)
                    let reason = errno
                    result.append(contentsOf: buffer[..<(buffer.count - room)])
                    if outcome != -1 {
                        if isFlush { return }
                        continue
                    }
                    if reason == E2BIG { continue }
                    // EILSEQ or EINVAL: skip one byte, or one whole character of UTF-8.
                    result.append(contentsOf: replacement)
                    onReplacement()
                    repeat {
                        next = next?.advanced(by: 1)
                        left -= 1
                    } while skipsSequences && left > 0
                        && (next.map { UInt8(bitPattern: $0.pointee) & 0xC0 == 0x80 } ?? false)
                }
            }
        }
        return result
    }
}
