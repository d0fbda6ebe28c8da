import AsyncHTTPClient
import Synchronization
import Testing

@testable import PushServices

@Suite("Connections that fall silent")
struct ServiceLinesTests {
    private final class Count: Sendable {
        let made = Mutex(0)
    }

    private func withLines(_ body: (ServiceLines, Count) async -> Void) async {
        let count = Count()
        let lines = ServiceLines {
            count.made.withLock { $0 += 1 }
            return HTTPClient(eventLoopGroupProvider: .singleton)
        }
        await body(lines, count)
        await lines.close()
    }

    private func request(_ lines: ServiceLines, isAnswered: Bool?) {
        lines.leave(lines.enter(), isAnswered: isAnswered)
    }

    @Test("New ones are made after three requests in a row without an answer, once")
    func replaced() async {
        await withLines { lines, count in
            let late = (0..<3).map { _ in lines.enter() }
            for _ in 0..<3 { request(lines, isAnswered: false) }
            #expect(count.made.withLock(\.self) == 2)
            // Those on the old ones say nothing about the new ones.
            for line in late { lines.leave(line, isAnswered: false) }
            #expect(count.made.withLock(\.self) == 2)
        }
    }

    @Test("An answer in between shows that they live")
    func alive() async {
        await withLines { lines, count in
            for isAnswered in [false, false, true, false, false] { request(lines, isAnswered: isAnswered) }
            #expect(count.made.withLock(\.self) == 1)
        }
    }

    @Test("Requests that were cancelled or could not connect say nothing")
    func nothing() async {
        await withLines { lines, count in
            for _ in 0..<10 { request(lines, isAnswered: nil) }
            #expect(count.made.withLock(\.self) == 1)
        }
    }

    @Test("Requests that end after the last have no new connections made, which nobody would close")
    func closed() async {
        await withLines { lines, count in
            let late = (0..<3).map { _ in lines.enter() }
            await lines.close()
            for line in late { lines.leave(line, isAnswered: false) }
            #expect(count.made.withLock(\.self) == 1)
        }
    }

    @Test("They are closed when nobody holds them any more")
    func dropped() async throws {
        let made = Mutex<HTTPClient?>(nil)
        do {
            _ = ServiceLines {
                let client = HTTPClient(eventLoopGroupProvider: .singleton)
                made.withLock { $0 = client }
                return client
            }
        }
        let client = try #require(made.withLock { $0 })
        await #expect(throws: HTTPClientError.alreadyShutdown) { try await client.shutdown() }
    }
}
