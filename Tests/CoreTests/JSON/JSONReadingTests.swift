import Core
import Testing

@Suite("Reading JSON")
struct JSONReadingTests {
    @Test(
        "Every kind of value is read",
        arguments: [
            ("null", JSONValue.null), ("true", true), ("false", false), ("\"a\"", "a"), ("[]", []), ("{}", [:]),
            ("[1,[null]]", [1, [.null]]), ("{\"a\":{\"b\":[true]}}", ["a": ["b": [true]]]),
        ] as [(String, JSONValue)])
    func kinds(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(
        "Numbers are read in every spelling that JSON has",
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-12.5", -12.5), ("1e3", 1000), ("1E+3", 1000), ("25e-2", 0.25),
            ("9007199254740993", 9_007_199_254_740_992), ("5e-324", .leastNonzeroMagnitude),
        ])
    func numbers(text: String, number: Double) throws {
        #expect(try JSONValue(parsing: text) == .number(number))
    }

    @Test("Blanks, tabs and line ends are allowed between all tokens")
    func whitespace() throws {
        #expect(try JSONValue(parsing: " \t\r\n{ \"a\" : [ 1 , 2 ] } \n") == ["a": [1, 2]])
    }

    @Test(
        "Escapes in strings are resolved",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\ud83d\ude00""#, "😀"), (#""\u0000""#, "\u{0}"),
        ])
    func escapes(text: String, string: String) throws {
        #expect(try JSONValue(parsing: text) == .string(string))
    }

    @Test(
        "A surrogate without its other half becomes the replacement character",
        arguments: [
            (#""\ud83d""#, "\u{FFFD}"), (#""\ude00x""#, "\u{FFFD}x"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
            (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
        ])
    func loneSurrogates(text: String, string: String) throws {
        #expect(try JSONValue(parsing: text) == .string(string))
    }

    @Test("Characters beyond ASCII are read unchanged")
    func unicode() throws {
        #expect(try JSONValue(parsing: "\"Grüße, 世界 😀\"").string == "Grüße, 世界 😀")
    }

    @Test("Members keep their order")
    func order() throws {
        #expect(try JSONValue(parsing: #"{"z":1,"a":2,"m":3}"#).object?.keys == ["z", "a", "m"])
    }

    @Test("A key that occurs twice keeps its first position and its last value")
    func duplicateKeys() throws {
        #expect(try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#) == .object(["a": 3, "b": 2]))
    }

    @Test("Arrays and objects may nest as deep as the limit")
    func deepest() throws {
        let depth = JSONValue.maximumDepth
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(try JSONValue(parsing: text).text == text)
    }

    @Test("Bytes are read as UTF-8")
    func bytes() throws {
        #expect(try JSONValue(parsing: [0x22, 0xC3, 0xA9, 0x22]) == "é")
    }
}
