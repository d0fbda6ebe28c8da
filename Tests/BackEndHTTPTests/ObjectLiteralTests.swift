import Core
import Testing

@testable import BackEndHTTP

@Suite("JavaScript object literals")
struct ObjectLiteralTests {
    @Test(
        "A literal becomes JSON",
        arguments: [
            ("{ 'Items': [ {'title': 'a'}, ] }", #"{"Items":[{"title":"a"}]}"#),
            ("{items: [{title: 'a', n: 1,}, {$x_1: \"b\"},],}", #"{"items":[{"title":"a","n":1},{"$x_1":"b"}]}"#),
            (#"{"a":[1,2.5e3,true,false,null,"x\u00e9\n"]}"#, #"{"a":[1,2.5e3,true,false,null,"x\u00e9\n"]}"#),
            ("{}", "{}"), ("[]", "[]"), (" [ 1 , [ ] , { } ] ", "[1,[],{}]"), ("[,]", "[null]"),
            ("[1,,2]", "[1,null,2]"), ("{1: 2, .5: 3, größe: 4}", #"{"1":2,"0.5":3,"größe":4}"#),
            ("{a: 'it\\'s \"so\"'}", #"{"a":"it's \"so\""}"#), ("{a: \"it's\"}", #"{"a":"it's"}"#),
            ("{a: 'one\ntwo\r\nthree\tfour'}", #"{"a":"one\u000atwo\u000d\u000athree\u0009four"}"#),
            (#"{a: '\x41\u00e9\v\0\q\/'}"#, #"{"a":"\u0041\u00e9\u000b\u0000q/"}"#),
            (#"{a: '\101\0\07\3778\400\8'}"#, #"{"a":"\u0041\u0000\u0007\u00ff8\u002008"}"#),
            ("{a: 'one\\\ntwo\\\r\nthree'}", #"{"a":"onetwothree"}"#),
            (#"{a: '\ud83d'}"#, #"{"a":"\ud83d"}"#),
            (
                "{a: NaN, b: Infinity, c: -Infinity, d: undefined, e: [undefined]}",
                #"{"a":null,"b":null,"c":null,"e":[null]}"#
            ),
            ("{d: undefined}", "{}"), ("{d: undefined, a: 1}", #"{"a":1}"#),
            (
                "[+1, -2, .5, 5., 0x1F, 017, 1e400, 12345678901234567890]",
                "[1,-2,0.5,5,31,15,null,12345678901234567890]"
            ),
            ("/* a */ { // b\n a: 1 /* c */ } // d", #"{"a":1}"#), ("\u{FEFF}\u{A0}{}", "{}"),
            ("{__proto__: {a: 1}}", #"{"__proto__":{"a":1}}"#),
        ])
    func literals(text: String, json: String) throws {
        let found = try ObjectLiteral.json(text)
        #expect(found == json)
        // The strict reader accepts the output as JSON.
        #expect(throws: Never.self) { try JSONValue(parsing: json) }
    }

    @Test("Blanks and comments alone are nil", arguments: ["", " \n\t", "/* a */ // b"])
    func nothing(text: String) throws {
        #expect(try ObjectLiteral.json(text) == nil)
    }

    @Test(
        "All else is an error with its line, column and the found string",
        arguments: [
            ("oops", "expected '{' or '[', at line 1, column 1 of the output, near 'oops'"),
            ("'text'", "expected '{' or '[', at line 1, column 1 of the output, near ''text''"),
            (
                "<?xml version='1.0'?>{}",
                "expected '{' or '['; if this is XML, <xsl:output method=\"text\"/> is missing, at line 1"
            ),
            ("{\n  a: ,\n}", "expected a value, at line 2, column 6 of the output, near 'a: ,'"),
            ("{a: b}", "expected a value; a string must be in quotes, at line 1, column 5 of the output"),
            ("{a: 1.2.3}", "expected a number; a string must be in quotes, at line 1, column 5 of the output"),
            ("{a: 2014-09-03}", "expected ',' or '}', at line 1, column 9 of the output"),
            ("{a: 12px}", "expected a number; a string must be in quotes, at line 1, column 5 of the output"),
            ("{a: 1,, b: 2}", "expected a name, at line 1, column 7 of the output"),
            ("{a 1}", "expected ':', at line 1, column 4"),
            ("{a: 1 b: 2}", "expected ',' or '}', at line 1, column 7 of the output"),
            ("[1 2]", "expected ',' or ']', at line 1, column 4 of the output"),
            ("{a: 1", "expected ',' or '}', at line 1, column 6 of the output"),
            ("{} x", "expected the end, at line 1, column 4"),
            ("{}{}", "expected the end, at line 1, column 3 of the output"),
            ("{a: 'x}", "the string that begins here has no end, at line 1, column 5 of the output"),
            (
                "{a: 'it's cold'}",
                "a single quote in it must be escaped, as \\', by the stylesheet, at line 1, column 9 of the output"
            ),
            ("{a: 'größe', b: x}", "line 1, column 17"),
            ("{a: '\\u12'}", "expected 4 hexadecimal digits, at line 1, column 8 of the output"),
            ("/* ", "the comment that begins here has no end, at line 1, column 1 of the output"),
            ("{a: function () {}}", "expected a value; a string must be in quotes"),
            ("{a: (1)}", "expected a value, at"),
            ("{a: alert(1)}", "expected a value; a string must be in quotes"),
        ])
    func errors(text: String, message: String) throws {
        let error = #expect(throws: ObjectLiteralError.self) { try ObjectLiteral.json(text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("Nesting beyond the limit is an error, not a crash")
    func depth() {
        #expect(throws: Never.self) {
            try ObjectLiteral.json(String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
        }
        for text in ["[", "{a:"] {
            let error = #expect(throws: ObjectLiteralError.self) {
                try ObjectLiteral.json(String(repeating: text, count: 100_000))
            }
            #expect(error?.reason.hasPrefix("more than 512") == true)
        }
    }
}
