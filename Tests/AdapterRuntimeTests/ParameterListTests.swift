import Testing

@Suite("Parameters")
struct ParameterListTests {
    private static let echo = "function run() { return { list: Array.prototype.slice.call(arguments) } }"

    @Test(
        "The spellings that clients and tools use become a list of arguments",
        arguments: [
            (#"["a",1]"#, #"["a",1]"#), ("", "[]"), ("  ", "[]"), (#""bjones", "hello!""#, #"["bjones","hello!"]"#),
            ("['a','b']", #"["a","b"]"#), (#"['it\'s']"#, #"["it's"]"#), (#"['say "x"']"#, #"["say \"x\""]"#),
            (#"["it's"]"#, #"["it's"]"#), ("5", "[5]"), (#" [{"a":[1]}]"#, #"[{"a":[1]}]"#),
            ("{\"a\":1}", #"[{"a":1}]"#), ("'bjones', 'hello!'", #"["bjones","hello!"]"#),
        ])
    func spellings(text: String, list: String) async throws {
        let project = try await TestProject(Self.echo)
        #expect(await project.call(text) == #"{"isSuccessful":true,"list":\#(list)}"#)
    }

    @Test(
        "Parameters that are not a list are an error",
        arguments: ["'it''s'", "[1", "bjones", "[1],[2]", "1]", #"["a""#])
    func wrong(text: String) async throws {
        let project = try await TestProject(Self.echo)
        #expect(await project.call(text).contains("Runtime: parameters are not a JSON array"))
    }

    @Test("The error names the expected value and its position")
    func error() async throws {
        let project = try await TestProject(Self.echo)
        #expect(
            await project.call("[1").contains(
                #"[1 (expected ',' or ']', found the end at byte 2); expected something like [\"bjones\",\"hello\"]"#))
    }
}
