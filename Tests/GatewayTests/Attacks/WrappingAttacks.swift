import NIOHTTP1
import PushModel
import TestSupport
import Testing

@Suite("Attacks on the wrapping of answers")
struct WrappingAttacks {
    @Test("Ending the comment from within a text")
    func endOfComment() async throws {
        try await RunningServer.attacked { (server) async throws in
            let answer = try await WireClient(server).call("echo", #"["*/alert(1)/*"]"#)
            #expect(answer.text.hasPrefix("/*-secure-\n"))
            #expect(answer.text.dropLast(2).contains("*/") == false)
            #expect(answer["got"] == ["*/alert(1)/*"])
            #expect(answer.headers["X-Content-Type-Options"] == ["nosniff"])
        }
    }
}
