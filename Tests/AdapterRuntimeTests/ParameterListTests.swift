import AdapterRuntime
import Testing

@Suite("Parameters")
struct ParameterListTests {
    @Test(
        "The spellings that clients and tools use become a JSON array",
        arguments: [
            (#"["a",1]"#, #"["a",1]"#), ("", "[]"), ("  ", "[]"), (#""bjones", "hello!""#, #"["bjones", "hello!"]"#),
            ("['a','b']", #"["a","b"]"#), ("'it''s'", nil), (#"['it\'s']"#, #"["it's"]"#),
            (#"['say "x"']"#, #"["say \"x\""]"#),
            (#"["it's"]"#, #"["it's"]"#), ("5", "[5]"), (#"[{"a":[1]}]"#, #"[{"a":[1]}]"#), ("[1", nil),
            ("bjones", nil),
            ("{\"a\":1}", #"[{"a":1}]"#),
        ] as [(String, String?)])
    func spellings(text: String, json: String?) {
        #expect((try? ParameterList(text))?.json == json)
    }

    @Test("What is no list is told with what was expected")
    func error() throws {
        let error = try #require(throws: ParameterError.self) { try ParameterList("[1") }
        #expect(
            error.description
                == #"parameters are not a JSON array: [1 (expected ',' or ']', found the end at byte 2); expected something like ["bjones","hello"]"#
        )
    }
}
