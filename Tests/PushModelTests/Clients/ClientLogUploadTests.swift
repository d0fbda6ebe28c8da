import Core
import Foundation
import PushModel
import TestSupport
import Testing

@Suite("An upload of a client's log")
struct ClientLogUploadTests {
    private func upload(_ text: String) throws -> ClientLogUpload {
        try ClientLogUpload(
            body: ["__logdata": .string(text), "isAjaxRequest": "true", "x": "0.1"],
            receivedAt: Date(timeIntervalSince1970: 1_700_000_000),
            header: { $0 == "x-wl-clientlog-deviceid" ? "phone" : nil })
    }

    private func messages(_ text: String) throws -> [String] { try upload(text).entries.map(\.message) }

    @Test("An entry as native clients write it")
    func native() throws {
        let upload = try upload(
            #"""
            {"timestamp":"14-11-2023 05:41:18:18","level":"ERROR","pkg":"wl.request","msg":"a\/b {\"c\":1}, ",\#
            "threadid":7,"metadata":{"$class":"Main","$stacktrace":"at {x}\n,{"}},
            """#)
        #expect(upload.damaged == 0)
        #expect(!upload.isCut)
        #expect(
            upload.entries == [
                ClientLogEntry(
                    receivedAt: Date(timeIntervalSince1970: 1_700_000_000),
                    time: Date(timeIntervalSince1970: 1_699_940_478.018), level: .error, package: "wl.request",
                    message: "a/b {\"c\":1}, ", client: ClientLogSource(deviceID: "phone"),
                    metadata: ["$class": "Main", "$stacktrace": "at {x}\n,{"])
            ])
    }

    @Test(
        "Entries may be joined in any of the clients' ways",
        arguments: [
            #"{"msg":"a"},{"msg":"b"},"#, #"{"msg":"a"}, {"msg":"b"}"#, "\n{\"msg\":\"a\"}\r\n,\t{\"msg\":\"b\"},,",
            #"{"msg":"a"}{"msg":"b"}"#,
        ])
    func joined(text: String) throws {
        #expect(try messages(text) == ["a", "b"])
        #expect(try upload(text).damaged == 0)
    }

    @Test("Quotes, backslashes and braces in a string are part of it")
    func quoting() throws {
        let upload = try upload(##"{"msg":"\"{"},{"msg":"\\"},{"msg":"}\\\""},{"msg":"\u007b\","},"##)
        #expect(upload.entries.map(\.message) == ["\"{", "\\", "}\\\"", "{\","])
        #expect(upload.damaged == 0)
    }

    @Test("counts no damaged entry in an empty upload", arguments: ["", ",", " , "])
    func empty(text: String) throws {
        let upload = try upload(text)
        #expect(upload.entries.isEmpty && upload.damaged == 0)
    }

    @Test("Parts that are missing or of another kind do not lose an entry")
    func lenient() throws {
        let entries = try upload(
            #"{"msg":{"a":[1]},"level":null,"timestamp":12,"metadata":7},{"level":"odd"},{"pkg":"p"},"#
        ).entries
        #expect(entries.map(\.message) == [#"{"a":[1]}"#, "", ""])
        #expect(entries.map(\.level) == [.log, ClientLogLevel("ODD"), .log])
        #expect(entries.map(\.package) == ["", "", "p"])
        #expect(entries.map(\.time) == [nil, nil, nil])
        #expect(entries.map(\.metadata) == [7, [:], [:]])
    }

    @Test(
        "A damaged entry does not lose the others",
        arguments: [
            // Cut off at its end, in a string, behind a quote, behind a backslash, and in an object inside.
            #"{"msg":"a"},{"msg":"b"},{"msg":"lo"#, #"{"msg":"a"},{"msg":"lost,{"msg":"b"},"#,
            #"{"msg":"a"},{"msg":"lost",{"msg":"b"},"#, #"{"msg":"a"},{"msg":"lost\,{"msg":"b"},"#,
            #"{"msg":"a"},{"msg":"lost","metadata":{"x":1,{"msg":"b"},"#,
            // Closed, but no JSON, also with an object inside that is.
            #"{"msg":"a"},{"msg":lost},{"msg":"b"},"#, #"{"msg":"a"},{msg:1,"metadata":{"msg":"lost"}},{"msg":"b"},"#,
            // Something else altogether.
            #"{"msg":"a"},}}"]x,{"msg":"b"},"#, #"{"msg":"a"},{},{"msg":"b"},"#,
            #"{"msg":"a"},{"x":1},{},{"msg":"b"},"#,
            #"lost","x":1},{"msg":"a"},{"msg":"b"},"#,
        ])
    func damage(text: String) throws {
        #expect(try messages(text) == ["a", "b"])
        #expect(try upload(text).damaged == 1)
    }

    @Test("Two stretches of damage count twice")
    func twice() throws {
        let upload = try upload(#"{x},{"msg":"a"},{"y,{"msg":"b"},{"#)
        #expect(upload.entries.map(\.message) == ["a", "b"])
        #expect(upload.damaged == 3)
    }

    @Test("However many entries are cut off, those between them are kept")
    func muchDamage() throws {
        let text = (0..<300).map { #"{"msg":{"a":"lost,{"msg":"\#($0)"},"# }.joined()
        let upload = try upload(text)
        #expect(upload.entries.map(\.message) == (0..<300).map(String.init))
        #expect(upload.damaged == 300)
    }

    @Test("An entry nested too deep is damage, and its neighbours stay")
    func deep() throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        #expect(try messages(#"{"msg":"a"},{"metadata":\#(deep)},{"msg":"b"}"#) == ["a", "b"])
    }

    @Test("The first 10,000 entries of more are kept, and the upload says so")
    func tooMany() throws {
        let entry = #"{"msg":"a"},"#
        let whole = try upload(String(repeating: entry, count: 10_000))
        #expect(whole.entries.count == 10_000 && !whole.isCut)
        let cut = try upload(String(repeating: entry, count: 10_001))
        #expect(cut.entries.count == 10_000 && cut.isCut)
    }

    @Test(
        "Endless starts of an entry are abandoned, and not read to the end each time",
        arguments: ["{,", "x,{", #"{"a":[1,{"#])
    func hostile(pattern: String) throws {
        let upload = try upload(
            String(repeating: pattern, count: TestExtent.size(10_000, full: 40_000)) + #","},{"msg":"a"}"#)
        #expect(upload.entries.isEmpty)
        #expect(upload.damaged == 1)
    }

    @Test("A body without a string of entries is refused, and the error names the value found instead")
    func refused() {
        let bodies: [JSONValue] = [["x": "1"], ["__logdata": [["msg": "a"]]], "text", .null]
        let errors = bodies.map { body in
            #expect(throws: ClientLogUploadError.self) {
                try ClientLogUpload(body: body, receivedAt: Date(timeIntervalSince1970: 0), header: { _ in nil })
            }
        }
        #expect(errors.map { $0?.found } == ["no such member", "an array", "a string", "null"])
    }
}
