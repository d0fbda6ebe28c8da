import Core
import Testing

@Suite("Strings that are not JSON")
struct JSONSyntaxErrorTests {
    @Test(
        "The error says what is wrong and at which byte",
        arguments: [
            ("", "expected a value, found the end at byte 0"),
            ("  ", "expected a value, found the end at byte 2"),
            ("x", "expected a value at byte 0"),
            ("nul", "expected a value at byte 0"),
            ("1 2", "unexpected characters after the value at byte 2"),
            ("{", "expected a key in double quotes, found the end at byte 1"),
            ("{a:1}", "expected a key in double quotes at byte 1"),
            ("{'a':1}", "expected a key in double quotes at byte 1"),
            (#"{"a" 1}"#, "expected ':' after the key at byte 5"),
            (#"{"a":1 "b":2}"#, "expected ',' or '}' at byte 7"),
            (#"{"a":1,}"#, "expected a key in double quotes at byte 7"),
            ("[1 2]", "expected ',' or ']' at byte 3"),
            ("[1,]", "expected a value at byte 3"),
            ("[1", "expected ',' or ']', found the end at byte 2"),
            ("-", "expected a digit, found the end at byte 1"),
            ("01", "unexpected characters after the value at byte 1"),
            ("1.", "expected a digit, found the end at byte 2"),
            ("1e", "expected a digit, found the end at byte 2"),
            ("+1", "expected a value at byte 0"),
            ("1e999", "number out of range at byte 0"),
            ("\"a", "unterminated string, found the end at byte 2"),
            ("\"a\\", "unterminated string, found the end at byte 3"),
            (#""\x""#, "unknown escape at byte 2"),
            (#""\u12g4""#, "expected four hexadecimal digits at byte 3"),
            (#""\u12"#, "expected four hexadecimal digits at byte 3"),
            ("\"a\nb\"", "control character in a string must be escaped at byte 2"),
        ])
    func places(text: String, description: String) {
        #expect {
            try JSONValue(parsing: text)
        } throws: { error in
            "\(error)" == description
        }
    }

    @Test(
        "A check throws the same error as reading",
        arguments: [
            "", "{", "[1,]", "{\"a\"}", "01", "[1 2]", "\"\\x\"", "tru", "{} {}", "[\"\t\"]", "-", "1.", "{\"a\":1,}",
        ])
    func check(text: String) {
        let found = #expect(throws: JSONSyntaxError.self) { try JSONValue.check(text) }
        let expected = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
        #expect(found == expected)
    }

    @Test(
        "A check accepts JSON, also with a number out of the range of Double",
        arguments: ["1", " [1,{\"a\":[\"\\u00e9\",{}],\"a\":null}] ", "[1e999,-1e999]"])
    func accepted(text: String) {
        #expect(throws: Never.self) { try JSONValue.check(text) }
    }

    @Test("Nesting beyond the limit is refused instead of risking the stack")
    func tooDeep() {
        let text = String(repeating: "[", count: 100_000)
        #expect {
            try JSONValue(parsing: text)
        } throws: { error in
            "\(error)" == "nested deeper than 512 levels at byte 512"
        }
        #expect(throws: JSONSyntaxError.self) { try JSONValue.check(text) }
    }

    @Test("A string that is not UTF-8 is refused", arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: [0x22] + bytes + [0x22]) }
    }
}
