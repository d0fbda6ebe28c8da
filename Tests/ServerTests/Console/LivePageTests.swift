import Core
import Testing

@testable import Installation
@testable import Management

@Suite("Live pages of the console")
struct LivePageTests {
    private let time = ManualTime()
    private let sessions: ManagementSessions
    private let pages: LivePages
    private let key = LivePages.Key(path: ["deliveries"], query: "", role: .monitor)

    init() {
        sessions = ManagementSessions(time: time)
        pages = LivePages(sessions: sessions, time: time)
    }

    private func session(of account: String = "ann") throws -> String {
        ManagementAccess.hash(try #require(sessions.begin(account: account, role: .monitor, ends: sessions.ends)))
    }

    private func nextInterval() async throws {
        try await time.waitForSleeper(.seconds(2))
        time.advance(by: .seconds(2))
    }

    private static func event(_ html: String) -> String {
        "event: section\ndata: {\"id\":\"list\",\"html\":\"\(html)\"}\n\n"
    }

    @Test("A follower gets all sections at first, and then those that have changed; a page is rendered once for all")
    func changes() async throws {
        let text = AwaitableValue("one")
        let renderings = AwaitableValue(0)
        let render: @Sendable () async throws -> [(id: String, html: String)] = {
            renderings.update { $0 += 1 }
            return [("list", text.value)]
        }
        let session = try session()
        var first = try #require(pages.events(of: key, session: session, render: render)).makeAsyncIterator()
        #expect(await first.next() == Self.event("one"))
        var second = try #require(pages.events(of: key, session: session, render: render)).makeAsyncIterator()
        try await nextInterval()
        #expect(await second.next() == Self.event("one"))
        text.update { $0 = "two" }
        try await nextInterval()
        #expect(await first.next() == Self.event("two"))
        #expect(await second.next() == Self.event("two"))
        #expect(renderings.value == 3)
    }

    @Test("A stream ends with the session, and with the server")
    func ends() async throws {
        let session = try session()
        var events = try #require(pages.events(of: key, session: session) { [("list", "one")] }).makeAsyncIterator()
        #expect(await events.next() == Self.event("one"))
        sessions.end(hash: session)
        try await nextInterval()
        #expect(await events.next() == "event: end\ndata: {}\n\n")
        #expect(await events.next() == nil)
        var other = try #require(pages.events(of: key, session: try self.session()) { [] }).makeAsyncIterator()
        pages.close()
        // The page may have been rendered before.
        while await other.next() != nil {}
        #expect(pages.events(of: key, session: session) { [] } == nil)
    }

    @Test("A stream whose browser reads nothing ends, so that the browser reconnects")
    func backlog() async throws {
        let number = AwaitableValue(0)
        let idle = try #require(
            pages.events(of: key, session: try session()) {
                [("list", "\(number.update { count in count += 1; return count })")]
            })
        for _ in 0..<32 { try await nextInterval() }
        try await time.waitForSleeper(.seconds(2))
        var taken = 0
        for await _ in idle { taken += 1 }
        #expect(taken == 32)
    }

    @Test("The number of streams is at most 500, 20 of a session")
    func limit() throws {
        let session = try session()
        let own = (0..<30).compactMap { _ in pages.events(of: key, session: session) { [] } }
        #expect(own.count == LivePages.limitPerSession && pages.count == own.count)
        var streams = own
        for number in 1..<LivePages.limit / LivePages.limitPerSession {
            let other = try self.session(of: "account \(number)")
            streams += (0..<30).compactMap { _ in pages.events(of: key, session: other) { [] } }
        }
        #expect(streams.count == LivePages.limit && pages.count == LivePages.limit)
        #expect(pages.events(of: key, session: try self.session(of: "one more")) { [] } == nil)
        withExtendedLifetime(streams) {}
    }
}
