import struct Foundation.UUID

/// An array as an argument, in the form that PostgreSQL reads: `{"a","b",NULL}`. The statement must name the type: `?::text[]`.
struct PostgreSQLArray: StoreArgument {
    private var bytes = [UInt8(ascii: "{")]

    var stored: StoreValue { .text(String(decoding: bytes, as: UTF8.self) + "}") }

    var isEmpty: Bool { bytes.count == 1 }

    init() {}

    init(_ numbers: some Sequence<Int64>) {
        for number in numbers { append(number) }
    }

    mutating func append(_ text: String?) {
        begin()
        guard let text else { return bytes.append(contentsOf: "NULL".utf8) }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func append(_ number: Int64) {
        begin()
        bytes.append(contentsOf: String(number).utf8)
    }

    mutating func append(_ number: Double?) {
        begin()
        bytes.append(contentsOf: (number.map { "\($0)" } ?? "NULL").utf8)
    }

    mutating func append(_ bool: Bool?) {
        begin()
        bytes.append(contentsOf: (bool.map { $0 ? "t" : "f" } ?? "NULL").utf8)
    }

    mutating func append(_ id: UUID) {
        begin()
        bytes.append(contentsOf: id.uuidString.utf8)
    }

    private mutating func begin() {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
    }
}
