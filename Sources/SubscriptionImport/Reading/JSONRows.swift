import Core

/// Objects of a JSON file: an array of objects, or one object after the other, as with one on each line.
struct JSONRows {
    private let bytes: FileBytes

    init(_ bytes: FileBytes) { self.bytes = bytes }

    /// Reads the file twice: first for the names of the members, which are the columns.
    static func read(
        _ open: () throws(SubscriptionImportError) -> FileBytes, table: String, to receiver: some RowReceiver
    ) throws {
        var columns: [String] = []
        var known: Set<String> = []
        let bytes = try open()
        let expected = "expected objects with 1 to 200 different members"
        try JSONRows(try open()).forEachObject { object, line in
            for member in object.members where known.insert(member.key).inserted { columns.append(member.key) }
            guard columns.count <= 200 else { throw SubscriptionImportError(bytes.name, line: line, expected) }
        }
        guard !columns.isEmpty else { throw SubscriptionImportError(bytes.name, expected) }
        try receiver.begin(table: table, columns: columns, line: 1)
        try JSONRows(bytes).forEachObject { object, line in
            try receiver.add(columns.map { object[$0].flatMap(Self.text) }, line: line)
        }
    }

    private static func text(_ value: JSONValue) -> String? {
        if case .null = value { return nil }
        return value.string ?? value.text
    }

    private func forEachObject(_ body: (JSONObject, _ line: Int) throws -> Void) throws {
        var isArray = false
        var isEnded = false
        while let byte = bytes.next() {
            let line = bytes.line
            switch byte {
            case _ where byte.isBlank, UInt8(ascii: ","): continue
            case UInt8(ascii: "[") where !isArray && !isEnded: isArray = true
            case UInt8(ascii: "]") where isArray: (isArray, isEnded) = (false, true)
            case UInt8(ascii: "{") where !isEnded:
                let text = try object(from: line)
                let value: JSONValue
                do {
                    value = try JSONValue(parsing: text)
                } catch {
                    throw SubscriptionImportError(bytes.name, line: line, "expected a JSON object: \(error)")
                }
                if let object = value.object { try body(object, line) }
            default:
                throw SubscriptionImportError(
                    bytes.name, line: line, "expected an array of JSON objects, or a JSON object on each line")
            }
        }
        guard !isArray else {
            throw SubscriptionImportError(
                bytes.name, line: bytes.line, "the array does not end; the file may be cut off")
        }
    }

    /// The bytes of an object whose brace has been read.
    private func object(from line: Int) throws(SubscriptionImportError) -> [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "{")]
        var depth = 1
        var isString = false
        while let byte = bytes.next() {
            text.append(byte)
            switch byte {
            case UInt8(ascii: "\\") where isString: if let escaped = bytes.next() { text.append(escaped) }
            case UInt8(ascii: "\""): isString.toggle()
            case UInt8(ascii: "{") where !isString: depth += 1
            case UInt8(ascii: "}") where !isString: depth -= 1
            default: break
            }
            if depth == 0 { return text }
        }
        throw SubscriptionImportError(
            bytes.name, line: line, "the object that begins here does not end; the file may be cut off")
    }
}
