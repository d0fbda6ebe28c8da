/// The names of functions' parameters in a script without a syntax tree, found by the marks `function` and `=>`.
enum ParameterNames {
    private static let keyword = Array("function".utf8)
    private static let async = Array("async".utf8)

    /// Returns the parameters of named functions, by name: `function f(a, b)`, `f = function (a)`, `f = (a) =>`.
    static func read(_ source: String) -> [String: [String]] {
        let bytes = Array(source.utf8)
        var result: [String: [String]] = [:]
        for index in bytes.indices {
            switch bytes[index] {
            case keyword[0] where bytes[index...].starts(with: keyword):
                let own = bytes[(index + keyword.count)...].drop { isSpace($0) || $0 == UInt8(ascii: "*") }
                let name = own.prefix(while: isName)
                let list = own[name.endIndex...].drop(while: isSpace)
                guard list.first == UInt8(ascii: "(") else { continue }
                note(list.dropFirst().prefix { $0 != UInt8(ascii: ")") }, name.isEmpty ? target(bytes[..<index]) : name)
            case UInt8(ascii: "=") where bytes[index...].dropFirst().first == UInt8(ascii: ">"):
                let before = trimmed(bytes[..<index])
                guard before.last == UInt8(ascii: ")") else {
                    let parameter = lastName(of: before)
                    note(parameter, target(bytes[..<parameter.startIndex]))
                    continue
                }
                guard let open = before.lastIndex(of: UInt8(ascii: "(")) else { continue }
                note(before[open...].dropFirst().dropLast(), target(bytes[..<open]))
            default: continue
            }
        }
        func note(_ list: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) {
            guard !name.isEmpty else { return }
            result[String(decoding: name, as: UTF8.self)] = String(decoding: list, as: UTF8.self)
                .split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        }
        return result
    }

    /// Returns the variable or member that a function is assigned to; empty when there is none.
    private static func target(_ before: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var before = trimmed(before)
        if lastName(of: before).elementsEqual(async) { before = trimmed(before.dropLast(async.count)) }
        guard before.last == UInt8(ascii: "=") || before.last == UInt8(ascii: ":") else { return [] }
        return lastName(of: trimmed(before.dropLast()))
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes[..<(bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? bytes.startIndex)]
    }

    private static func lastName(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes[(bytes.lastIndex { !isName($0) }.map { $0 + 1 } ?? bytes.startIndex)...]
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }
}
