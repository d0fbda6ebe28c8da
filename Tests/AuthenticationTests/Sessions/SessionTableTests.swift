import AdapterRuntime
import Authentication
import Core
import TestSupport
import Testing

@Suite("The session table")
struct SessionTableTests {
    private let time = ManualTime()
    private let ended = AwaitableValue<[String]>([])

    private func table(limit: Int = 100, perNetwork: Int = 100, idle: Duration = .seconds(600)) -> SessionTable {
        var settings = SessionSettings()
        settings.limit = limit
        settings.limitPerNetwork = perNetwork
        settings.idleTimeout = idle
        return SessionTable(settings: settings, time: time) { [ended] session in
            ended.update { $0.append(session.persistentID) }
        }
    }

    /// Returns a description of the session of an id.
    private func find(_ id: String, in table: SessionTable) -> String {
        switch table.find([id[...]]) {
        case .session(let session): "session of \(session.persistentID)"
        case .renamed(let session): "renamed session of \(session.persistentID)"
        case .nothing: "nothing"
        }
    }

    /// Returns a session whose client has proven its instance id.
    private func established(_ name: String, in table: SessionTable) -> ServerSession {
        let session = table.begin(persistentID: name)
        #expect(session.proves(instanceID: session.instanceID))
        // Seen by the table with the next use.
        #expect(find(session.id, in: table) == "session of \(name)")
        return session
    }

    @Test("A session is found by its id until it was idle for the timeout")
    func idle() {
        let table = table()
        let session = table.begin(persistentID: "a")
        time.advance(by: .seconds(599))
        #expect(find(session.id, in: table) == "session of a")
        time.advance(by: .seconds(600))
        #expect(find(session.id, in: table) == "nothing")
    }

    @Test("Each use restarts the idle time")
    func use() {
        let table = table()
        let session = table.begin(persistentID: "a")
        for _ in 0..<10 {
            time.advance(by: .seconds(400))
            #expect(find(session.id, in: table) == "session of a")
        }
        table.sweep()
        #expect(table.count == 1)
    }

    @Test("A sweep ends what was idle for too long, strangers and others, and nothing else")
    func sweep() {
        let table = table()
        _ = table.begin(persistentID: "stranger")
        _ = established("known", in: table)
        time.advance(by: .seconds(300))
        _ = table.begin(persistentID: "young")
        time.advance(by: .seconds(300))
        table.sweep()
        #expect(ended.value == ["stranger", "known"])
        #expect(table.count == 1)
    }

    @Test("Setting the machine's clock ends no session")
    func clock() {
        let table = table()
        let session = table.begin(persistentID: "a")
        time.setClock(forwardBy: 100_000)
        table.sweep()
        #expect(find(session.id, in: table) == "session of a")
    }

    @Test("An id that was never issued names no session, and becomes none")
    func unknown() {
        let table = table()
        for id in ["", "0000", "0000abc", "client x", String(repeating: "a", count: 10_000)] {
            #expect(find(id, in: table) == "nothing")
        }
        #expect(table.count == 0)
    }

    @Test("Ids are long, and no two are the same")
    func ids() {
        let table = table(limit: 10_000)
        let sessions = (0..<1000).map { table.begin(persistentID: "\($0)") }
        #expect(Set(sessions.map(\.id)).count == 1000)
        #expect(Set(sessions.map(\.instanceID)).count == 1000)
        #expect(Set(sessions.map(\.deviceToken)).count == 1000)
        #expect(sessions.allSatisfy { $0.id.count == 36 && $0.id.hasPrefix("0000") })
        #expect(sessions.allSatisfy { $0.instanceID.wholeMatch(of: /[a-z0-9]{26}/) != nil })
        #expect(sessions.allSatisfy { $0.client.id != $0.id })
    }

    @Test("The first of several ids that names a session counts, a renamed one last")
    func several() {
        let table = table()
        let (first, second) = (table.begin(persistentID: "a"), table.begin(persistentID: "b"))
        let old = second.id
        table.renew(second, from: second.id)
        guard case .session(let found) = table.find(["x", old[...], first.id[...]]) else {
            Issue.record("expected a session")
            return
        }
        #expect(found.persistentID == "a")
    }

    @Test("The stranger idle longest is removed at the limit, though others are idle longer")
    func ceiling() {
        let table = table(limit: 3)
        _ = established("known", in: table)
        let first = table.begin(persistentID: "first stranger")
        _ = table.begin(persistentID: "second stranger")
        // The first one is used, so that the second is idle longest.
        #expect(find(first.id, in: table) == "session of first stranger")
        _ = table.begin(persistentID: "new")
        #expect(ended.value == ["second stranger"])
        _ = table.begin(persistentID: "newer")
        #expect(ended.value == ["second stranger", "first stranger"])
        #expect(table.count == 3)
    }

    @Test("The established session idle longest is removed only when no strangers are left")
    func ceilingOfEstablished() {
        let table = table(limit: 2)
        let first = established("first", in: table)
        _ = established("second", in: table)
        #expect(find(first.id, in: table) == "session of first")
        _ = table.begin(persistentID: "new")
        #expect(ended.value == ["second"])
    }

    @Test("Sessions with a user are removed last, though idle longest, and those of clients before them")
    func ceilingOfUsers() {
        let table = table(limit: 3)
        let user = table.begin(persistentID: "user")
        user.logIn(["userId": "ann"], to: "R", until: nil)
        // The login counts without another request of the client.
        for number in 0..<5 { _ = established("client \(number)", in: table) }
        #expect(find(user.id, in: table) == "session of user")
        #expect(ended.value == ["client 0", "client 1", "client 2"])
        user.logOut(of: "R")
        #expect(find(user.id, in: table) == "session of user")
        for number in 5..<9 { _ = established("client \(number)", in: table) }
        #expect(ended.value.contains("user"))
    }

    @Test("A network with too many sessions loses its own, strangers first, and no other network does")
    func ceilingOfNetwork() {
        let table = table(limit: 100, perNetwork: 3)
        _ = table.begin(persistentID: "elsewhere", at: "b")
        let user = table.begin(persistentID: "user", at: "a")
        user.logIn(["userId": "ann"], to: "R", until: nil)
        for number in 0..<5 { _ = table.begin(persistentID: "\(number)", at: "a") }
        #expect(ended.value == ["0", "1", "2"])
        #expect(table.count == 4)
        // Those that end make room.
        table.end(user)
        _ = table.begin(persistentID: "5", at: "a")
        #expect(ended.value == ["0", "1", "2", "user"])
    }

    @Test("A renewed session counts for its network still, and sessions of no network are not counted")
    func renewedInNetwork() {
        let table = table(limit: 100, perNetwork: 2)
        let session = table.begin(persistentID: "a", at: "n")
        table.renew(session, from: session.id)
        _ = table.begin(persistentID: "b", at: "n")
        _ = table.begin(persistentID: "c", at: "n")
        #expect(ended.value == ["a"])
        for number in 0..<5 { _ = table.begin(persistentID: "\(number)") }
        #expect(ended.value == ["a"])
        _ = table.session(ofClient: "t", at: "n")
        #expect(ended.value == ["a", "b"])
    }

    @Test("A login or an OAuth client makes a session established, too")
    func establishing() {
        let table = table(limit: 3)
        let user = table.begin(persistentID: "user")
        user.logIn(["userId": "ann"], to: "R", until: nil)
        let client = table.begin(persistentID: "client")
        client.oauthClient = "c"
        for session in [user, client] { #expect(find(session.id, in: table) != "nothing") }
        for number in 0..<5 { _ = table.begin(persistentID: "\(number)") }
        #expect(find(user.id, in: table) == "session of user")
        #expect(find(client.id, in: table) == "session of client")
    }

    @Test("A renewed session has another id; the old one says so for a minute, and then nothing")
    func renew() {
        let table = table()
        let session = established("a", in: table)
        let (old, scope, instance) = (session.id, session.client.id, session.instanceID)
        table.renew(session, from: session.id)
        #expect(session.id != old)
        #expect(session.client.id == scope && session.instanceID == instance)
        #expect(find(session.id, in: table) == "session of a")
        #expect(find(old, in: table) == "renamed session of a")
        time.advance(by: .seconds(59))
        #expect(find(old, in: table) == "renamed session of a")
        time.advance(by: .seconds(1))
        #expect(find(old, in: table) == "nothing")
        #expect(ended.value.isEmpty && table.count == 1)
    }

    @Test("A client that keeps sending a former id finds no session in the end")
    func formerWithoutEnd() {
        let table = table()
        let session = established("a", in: table)
        let old = session.id
        table.renew(session, from: session.id)
        for _ in 0..<10 { #expect(find(old, in: table) == "renamed session of a") }
        #expect(find(old, in: table) == "nothing")
        #expect(find(session.id, in: table) == "session of a")
    }

    @Test("A session that is over is not renewed back to life")
    func renewEnded() {
        let table = table()
        let session = table.begin(persistentID: "a")
        let id = session.id
        table.end(session)
        table.renew(session, from: session.id)
        #expect(table.count == 0)
        #expect(find(id, in: table) == "nothing")
        #expect(ended.value == ["a"])
    }

    @Test("reports each limit that a client reaches, with the client's address")
    func limits() {
        let reached = AwaitableValue<[String]>([])
        var settings = SessionSettings()
        (settings.limit, settings.limitPerNetwork) = (3, 2)
        let table = SessionTable(settings: settings, time: time) { _ in
        } onLimit: { limit, address in
            reached.update { $0.append("\(limit) \(address ?? "-")") }
        }
        for network in ["a", "a", "a", "b"] { _ = table.begin(persistentID: "p", at: network) }
        let last = table.begin(persistentID: "q")
        let former = last.id
        table.renew(last, from: former)
        for _ in 1...11 { _ = table.find([former[...]], from: "c") }
        #expect(reached.value == ["sessionsPerNetwork a", "sessions -", "formerID c"])
    }

    @Test("A session ends once")
    func endTwice() {
        let table = table()
        let session = table.begin(persistentID: "a")
        table.end(session)
        table.end(session)
        #expect(ended.value == ["a"])
    }

    @Test("A token's client has one session until it is idle for too long, and then a new one")
    func tokenClient() {
        let table = table()
        let first = table.session(ofClient: "c")
        #expect(table.session(ofClient: "c") === first)
        #expect(table.session(ofClient: "d") !== first)
        time.advance(by: .seconds(600))
        #expect(table.session(ofClient: "c") !== first)
        #expect(ended.value == ["c"])
    }

    @Test("No cookie names the session of a token's client")
    func tokenClientByCookie() {
        let table = table()
        let session = table.session(ofClient: "c")
        #expect(find(session.id, in: table) == "nothing")
    }

    @Test("Tokens' clients count towards the limit")
    func tokenClientLimit() {
        let table = table(limit: 2)
        for name in ["a", "b", "c"] { _ = table.session(ofClient: name) }
        #expect(table.count == 2)
        #expect(ended.value == ["a"])
    }

    @Test("The sweep repeats until it is cancelled", .defaultTimeLimit)
    func runSweeper() async throws {
        let table = table(idle: .seconds(20))
        _ = table.begin(persistentID: "a")
        let sweeping = Task { try await table.runSweeper() }
        for _ in 0..<4 {
            try await time.waitForSleepers(.seconds(5))
            time.advance(by: .seconds(5))
        }
        try await ended.wait { $0 == ["a"] }
        sweeping.cancel()
        await #expect(throws: CancellationError.self) { try await sweeping.value }
    }
}
