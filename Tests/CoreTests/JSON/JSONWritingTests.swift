import Core
import Testing

@Suite("Writing JSON")
struct JSONWritingTests {
    @Test("Values are written without blanks, members in order")
    func compact() {
        let value: JSONValue = ["z": [1, true, .null, "x"], "a": [:], "m": []]
        #expect(value.text == #"{"z":[1,true,null,"x"],"a":{},"m":[]}"#)
    }

    @Test(
        "Numbers are spelled as JavaScript spells them",
        arguments: [
            (0, "0"), (-0.0, "0"), (1, "1"), (-7, "-7"), (1.5, "1.5"), (-0.25, "-0.25"), (100, "100"),
            (0.1 + 0.2, "0.30000000000000004"), (9_007_199_254_740_991, "9007199254740991"),
            (9_007_199_254_740_992, "9007199254740992"),
            (123_456_789_012_345_683_968, "123456789012345680000"),
            (1e20, "100000000000000000000"), (1e21, "1e+21"), (1.5e21, "1.5e+21"), (-1.25e30, "-1.25e+30"),
            (0.000001, "0.000001"), (0.0000015, "0.0000015"), (1e-7, "1e-7"), (1.5e-7, "1.5e-7"),
            (.leastNonzeroMagnitude, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"), (1234.5678, "1234.5678"),
            (12345678.9, "12345678.9"), (4.35, "4.35"),
        ])
    func numbers(number: Double, text: String) {
        #expect(JSONValue.number(number).text == text)
    }

    @Test("A number that JSON lacks becomes null", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(number: Double) {
        #expect(JSONValue.number(number).text == "null")
    }

    @Test("Quotes, backslashes and control characters are escaped, and nothing else")
    func escapes() {
        let string = "\"\\/\u{8}\t\n\u{C}\r\u{1}\u{1F}\u{7F}é😀\u{2028}"
        #expect(JSONValue.string(string).text == #""\"\\/\b\t\n\f\r\u0001\u001f"# + "\u{7F}é😀\u{2028}\"")
    }

    @Test("Keys are escaped like strings")
    func keys() {
        #expect(JSONValue.object(["a\"b": 1]).text == #"{"a\"b":1}"#)
    }

    @Test("A written value is read as the same value")
    func roundTrip() throws {
        let value: JSONValue = ["a": ["é\n", 0.1, 1e300, -3, .null, true, [:], [[]]]]
        #expect(try JSONValue(parsing: value.text) == value)
    }

    @Test("The description is JSON")
    func description() {
        #expect("\(["a": 1] as JSONValue)" == #"{"a":1}"#)
    }

    @Test("A short value stays on one line when written for readers")
    func shortPretty() {
        #expect((["a": [1, 2]] as JSONValue).prettyText == #"{"a":[1,2]}"#)
    }

    @Test("A long value is written for readers with a member on each line")
    func longPretty() {
        let name = String(repeating: "x", count: 50)
        let value: JSONValue = ["name": .string(name), "list": [1, 2], "none": .null]
        let expected = """
            {
              "name": "\(name)",
              "list": [1,2],
              "none": null
            }
            """
        #expect(value.prettyText == expected)
    }

    @Test("A long list is written for readers with an element on each line")
    func longPrettyList() {
        let name = String(repeating: "x", count: 60)
        let value: JSONValue = [["name": .string(name)], 1]
        let expected = """
            [
              {
                "name": "\(name)"
              },
              1
            ]
            """
        #expect(value.prettyText == expected)
    }
}
