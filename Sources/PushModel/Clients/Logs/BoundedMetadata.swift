import Core

extension JSONValue {
    /// Returns the value, shortened if its JSON has more than `limit` bytes of UTF-8: see ``ClientLogEntry/metadataBytes``.
    func bounded(toTextBytes limit: Int) -> JSONValue {
        let size = text.utf8.count
        guard size > limit else { return self }
        let cut = JSONObject.Member(key: "$cut", value: .number(Double(size)))
        // The two braces and the member `$cut`.
        var room = limit - 2 - cut.textBytes
        var kept = JSONObject()
        for member in object?.members ?? [] where member.key != cut.key {
            guard let fitting = member.fitting(bytes: room - 1) else { continue }
            room -= fitting.textBytes + 1
            kept.appendUnchecked(fitting)
        }
        kept.appendUnchecked(cut)
        return .object(kept)
    }

    /// Returns the longest prefix of `string` whose JSON form without quotes has at most `bytes` bytes.
    fileprivate static func start(of string: String, textBytes bytes: Int) -> String {
        var used = 0
        var end = 0
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: used += 2
            case 0..<0x20: used += 6
            default: used += 1
            }
            guard used <= bytes else { break }
            end += 1
        }
        return string.start(ofBytes: end)
    }
}

extension JSONObject.Member {
    /// The size of its JSON in bytes, including the colon.
    fileprivate var textBytes: Int { JSONValue.string(key).text.utf8.count + 1 + value.text.utf8.count }

    /// Returns the member if its JSON has at most `bytes` bytes; else with a shortened value if that is a string, else `nil`.
    fileprivate func fitting(bytes: Int) -> JSONObject.Member? {
        let surplus = textBytes - bytes
        guard surplus > 0 else { return self }
        guard let string = value.string else { return nil }
        // Key, colon, two quotes and the ellipsis of three bytes.
        let room = bytes - JSONValue.string(key).text.utf8.count - 6
        guard room > 0 else { return nil }
        return JSONObject.Member(key: key, value: .string(JSONValue.start(of: string, textBytes: room) + "…"))
    }
}

extension String {
    /// Returns a client's string in the form that is stored: at most `bytes` bytes of UTF-8, and U+FFFD for every NUL character.
    ///
    /// A longer string is cut between two Unicode scalars and ends in `mark`, which counts among the bytes.
    func bounded(toBytes bytes: Int, mark: String = "…") -> String {
        let text = utf8.contains(0) ? String(map { $0 == "\0" ? "\u{FFFD}" : $0 }) : self
        guard text.utf8.count > bytes else { return text }
        return text.start(ofBytes: bytes - mark.utf8.count) + mark
    }

    /// Returns the longest prefix of whole Unicode scalars with at most `bytes` bytes of UTF-8.
    func start(ofBytes bytes: Int) -> String {
        guard let end = utf8.index(startIndex, offsetBy: max(bytes, 0), limitedBy: utf8.endIndex) else { return self }
        // A slice that would begin or end inside a scalar begins or ends before it.
        return String(self[..<end])
    }
}
