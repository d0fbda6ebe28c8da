import Core
import Foundation
import TestSupport
import Testing

@Suite("The port of a server that starts", .defaultTimeLimit)
struct PortTests {
    @Test("refuses or serves each client, from the start of the process on")
    func clientDuringStart() async throws {
        let project = try makeProject("function run() {}")
        let port = try freePort()
        let isReady = AwaitableValue(false)
        let client = Task.detached {
            var answered = 0
            // The last connection is made once the server is ready.
            while true {
                let isLast = isReady.value
                // Refused as long as nobody listens.
                if let client = try? await RawClient(port: port) {
                    let answer = await client.exchange(
                        "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                    #expect(answer.hasPrefix("HTTP/1.1 "), "\(answer)")
                    answered += 1
                }
                if isLast { return answered }
            }
        }
        let server = try await ServerProcess(
            [project.path, "--port", "\(port)"], environment: ["LAMPLIGHTER_CONSOLE_PORT": "0"])
        isReady.update { $0 = true }
        #expect(await client.value > 0)
        #expect(await server.end(with: SIGTERM) == 0)
    }
}
