import NIOHTTP1
import TestSupport
import Testing

@Suite("Attacks on the wrapping of responses")
struct WrappingAttackTests {
    @Test(
        "a string cannot end the comment around the response",
        arguments: WireProtocol.allCases)
    func endOfComment(version: WireProtocol) async throws {
        let cases: [String] = ["*/alert(1)/*", "*/\u{300}alert(1)/*", "**//"]
        try await RunningServer.attacked(over: version) { (server) async throws in
            for text in version.some(of: cases) {
                let answer = try await WireClient(server).call("echo", "[\"\(text)\"]")
                #expect(answer.text.hasPrefix("/*-secure-\n"), "\(text)")
                let bytes = Array(answer.text.utf8)
                #expect(zip(bytes, bytes.dropFirst()).filter { $0 == (0x2A, 0x2F) }.count == 1, "\(text)")
                #expect(answer["got"] == [.string(text)], "\(text)")
                #expect(answer.headers["X-Content-Type-Options"] == ["nosniff"], "\(text)")
            }
        }
    }
}
