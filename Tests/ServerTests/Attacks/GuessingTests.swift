import Core
import Foundation
import HTTPServer
import Logging
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

@Suite("Guessing passwords, and the users whom its limit must not stop", .defaultTimeLimit)
struct GuessingTests {
    private static let success = "/*-secure-\n{}*/"

    private static let files = AttackedProject.files.merging([
        "adapters/L/L.xml": """
        <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="L">
        <procedure name="login"/><procedure name="everything"/><procedure name="getStores"/>
        <procedure name="password"/><procedure name="code"/><procedure name="guarded" securityTest="Adapters"/>
        </wl:adapter>
        """,
        "adapters/L/L-impl.js": """
        var user = null;
        function login(customer, name, secret) {
            if (secret !== 'right') return { authRequired: true, errorMessage: 'wrong' };
            WL.Server.setActiveUser('Adapters', { userId: customer + name });
            return { authRequired: false };
        }
        function everything(action) { return { action: action } }
        function getStores(pin) { return { stores: [] } }
        function password(name, secret) {
            if (secret !== 'right') return { authRequired: true, errorMessage: 'wrong' };
            user = name;
            return { authRequired: true, step: 'code' };
        }
        function code(text) {
            if (user === null || text !== '1234') return { authRequired: true, errorMessage: 'wrong' };
            WL.Server.setActiveUser('Adapters', { userId: user });
            return { authRequired: false };
        }
        function guarded() { return { reached: true } }
        """,
    ]) { $1 }

    /// Runs `body` against a server that believes what this machine says of where requests come from.
    private func run(
        time: ManualTime, log: LogRecorder? = nil, in folder: TemporaryFolder? = nil,
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let proxies = try TrustedProxies(["127.0.0.1"])
        try await RunningServer.run(
            files: Self.files, in: folder, time: time, log: log, change: { $0.trustedProxies = proxies },
            body)
    }

    private func client(_ server: RunningServer, at address: String = "192.0.2.1", device: String? = nil) -> WireClient
    {
        let client = WireClient(server, device: device)
        client.headers = [("X-Forwarded-For", address), ("Origin", server.url)]
        return client
    }

    /// A browser that has been shown the login page.
    private func asked(_ server: RunningServer, at address: String = "192.0.2.1") async throws -> WireClient {
        let client = client(server, at: address)
        #expect(try await client.call("ofForms").text.contains("j_security_check"))
        return client
    }

    /// Posts the form from an address, in a separate session.
    private func logIn(
        _ server: RunningServer, _ user: String, _ password: String, at address: String = "192.0.2.1"
    ) async throws -> WireClient.Answer {
        try await client(server, at: address).logIn(user, password)
    }

    /// Lets time go by until a task ends.
    ///
    /// - Returns: the task's value, and how long the task paused.
    private func pausing<Value: Sendable>(
        _ server: RunningServer, _ time: ManualTime, _ task: Task<Value, any Error>
    ) async throws -> (value: Value, pause: Double) {
        let (beginning, isDone) = (time.elapsed, AwaitableValue(false))
        Task {
            _ = await task.result
            isDone.update { $0 = true }
        }
        while !isDone.value {
            _ = try await server.send(.GET, "/apps/services/reach")
            if !isDone.value { time.advance(by: .milliseconds(100)) }
        }
        return (try await task.value, time.elapsed - beginning)
    }

    // MARK: Guessing

    @Test("Two refused passwords of a user slow the third attempt, and no other user or address")
    func form() async throws {
        let time = ManualTime()
        try await run(time: time) { (server) async throws in
            for _ in 0..<2 { #expect(try await logIn(server, "ann", "x").text.contains("is not right")) }
            // Another spelling is the same user.
            let third = Task { try await logIn(server, "ANN ", "x").text }
            #expect(try await logIn(server, "bob", "right-bob-secret").text == Self.success)
            #expect(try await logIn(server, "ann", "right-ann-secret", at: "192.0.2.2").text == Self.success)
            let (text, pause) = try await pausing(server, time, third)
            #expect(text.contains("is not right") && pause >= 0.99)
            let fourth = Task { try await logIn(server, "ann", "right-ann-secret").text }
            let (answer, longer) = try await pausing(server, time, fourth)
            #expect(answer == Self.success && longer >= 1.99)
        }
    }

    @Test("A guesser who hangs up and opens another connection still waits for the attempt before")
    func hangingUp() async throws {
        let time = ManualTime()
        try await run(time: time) { (server) async throws in
            for _ in 0..<4 { _ = try await pausing(server, time, Task { try await logIn(server, "ann", "x") }) }
            let fifth = Task { try await logIn(server, "ann", "x") }
            try await time.waitForSleeper(.seconds(4))
            fifth.cancel()
            _ = await fifth.result
            let sixth = Task { try await logIn(server, "ann", "right-ann-secret").text }
            let (text, pause) = try await pausing(server, time, sixth)
            // 4 s for the fifth, and 5 s for this attempt itself.
            #expect(text == Self.success && pause >= 8.99)
        }
    }

    @Test("A password in a header of Basic counts as one in the form does")
    func basic() async throws {
        let time = ManualTime()
        try await run(time: time) { (server) async throws in
            let client = self.client(server)
            // ann:wrong
            client.headers.append(("Authorization", "Basic YW5uOndyb25n"))
            for _ in 0..<2 { #expect(try await client.call("ofBasic").status == 401) }
            let third = Task { @Sendable in
                let other = self.client(server)
                other.headers.append(("Authorization", "Basic YW5uOnJpZ2h0LWFubi1zZWNyZXQ="))
                return try await other.call("ofBasic")["user"]
            }
            let (user, pause) = try await pausing(server, time, third)
            #expect(user == "ann" && pause >= 0.99)
        }
    }

    @Test("The seventh attempt at once for a user gets 429 with Retry-After")
    func atOnce() async throws {
        let time = ManualTime()
        try await run(time: time) { (server) async throws in
            for _ in 0..<2 { _ = try await logIn(server, "ann", "x") }
            let refused = AwaitableValue<[WireClient.Answer]>([])
            let tasks = (0..<7).map { _ in
                Task {
                    let answer = try await logIn(server, "ann", "x")
                    if answer.status == 429 { refused.update { $0.append(answer) } }
                }
            }
            try await refused.wait { $0.count == 1 }
            for task in tasks { _ = try await pausing(server, time, task) }
            #expect(refused.value.map { $0.headers["Retry-After"] } == [["5"]])
            // Clients know the form by its page.
            #expect(refused.value.first?.text.contains("j_security_check") == true)
            #expect(refused.value.first?.text.contains("Too many attempts. Try again in 5 s.") == true)
        }
    }

    @Test("One password for many users: the 31st from an address pauses, 20 at a time, and a flood gets 429")
    func flood() async throws {
        let (time, log) = (ManualTime(), LogRecorder())
        try await run(time: time, log: log) { (server) async throws in
            for number in 0..<30 { _ = try await logIn(server, "user-\(number)", "summer") }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<20 {
                    group.addTask { try await logIn(server, "other-\(number)", "summer").status }
                }
                try await time.waitForSleeper(.seconds(5), count: 20)
                #expect(try await logIn(server, "bob", "right-bob-secret").status == 429)
                #expect(try await logIn(server, "bob", "right-bob-secret", at: "192.0.2.2").text == Self.success)
                time.advance(by: .seconds(5))
                for try await status in group { #expect(status == 200) }
            }
            #expect(
                log.messages(at: .warning).contains(
                    "refused a login to 'Forms' with 429: the limit 'limits.loginsPerAddress' is reached "
                        + "(1 time, last by 192.0.2.1)"))
        }
    }

    @Test("An address in a header that no trusted proxy has set is not believed")
    func otherAddresses() async throws {
        let time = ManualTime()
        try await RunningServer.attacked(time: time) { (server) async throws in
            for number in 0..<30 { _ = try await logIn(server, "user-\(number)", "summer", at: "10.0.0.\(number)") }
            let next = Task { try await logIn(server, "bob", "right-bob-secret", at: "10.0.1.1").text }
            try await time.waitForSleeper(.seconds(5), count: 1)
            time.advance(by: .seconds(5))
            #expect(try await next.value == Self.success)
        }
    }

    @Test("Login requests of an adapter slow down after 30, and further calls from the address get 429")
    func adapter() async throws {
        let time = ManualTime()
        try await run(time: time) { (server) async throws in
            let known = client(server)
            _ = try await known.call("login", #"["acme", "ann", "right"]"#, adapter: "L")
            for number in 0..<30 {
                let answer = try await client(server).call("login", #"["acme", "user-\#(number)", "x"]"#, adapter: "L")
                #expect(answer["authRequired"] == true)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        _ = try? await client(server).call("login", #"["acme", "user-\#(number)", "x"]"#, adapter: "L")
                    }
                }
                try await time.waitForSleeper(.seconds(5), count: 20)
                // The clients hang up, and their slots stay taken.
                group.cancelAll()
                try await group.waitForAll()
            }
            let right = #"["acme", "bob", "right"]"#
            #expect(try await client(server).call("login", right, adapter: "L").status == 429)
            #expect(try await known.call("everything", adapter: "L").status == 200)
            #expect(try await client(server).call("echo").status == 200)
            #expect(
                try await client(server, at: "192.0.2.2").call("login", right, adapter: "L")["authRequired"] == false)
            time.advance(by: .seconds(5))
            try await time.waitForNoSleeper(.zero)
            #expect(try await client(server).call("login", right, adapter: "L")["authRequired"] == false)
        }
    }

    @Test("A logged-in user guesses no faster, and blocks no other user at the address")
    func account() async throws {
        let time = ManualTime()
        try await run(time: time) { (server) async throws in
            func logIn(_ user: String) async throws -> WireClient {
                let client = client(server)
                let answer = try await client.call("login", #"["acme", "\#(user)", "right"]"#, adapter: "L")
                #expect(answer["authRequired"] == false)
                return client
            }
            let guess = #"["acme", "ann", "x"]"#
            let guesser = try await logIn("mallory")
            for _ in 0..<30 { _ = try await guesser.call("login", guess, adapter: "L") }
            let (cookies, instanceID) = (guesser.cookies, guesser.instanceID)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let own = client(server)
                        (own.cookies, own.instanceID) = (cookies, instanceID)
                        _ = try await own.call("login", guess, adapter: "L")
                    }
                }
                try await time.waitForSleeper(.seconds(5), count: 20)
                #expect(try await guesser.call("login", guess, adapter: "L").status == 429)
                #expect(try await logIn("ann").call("everything", adapter: "L").status == 200)
                time.advance(by: .seconds(5))
                try await group.waitForAll()
            }
        }
    }

    // MARK: Honest users

    @Test("Everybody with a right password is let in at once after an outage of the directory")
    func outage() async throws {
        let time = ManualTime()
        let folder = try TemporaryFolder()
        try await run(time: time, in: folder) { (server) async throws in
            let users = folder.url.appending(path: "server/conf/users").path
            let addresses = (0..<1000).map { $0 < 500 ? "192.0.2.1" : "198.51.\($0 / 250).\($0 % 250)" }
            func tryAll() async throws -> Int {
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    var entered = 0
                    for (number, address) in addresses.enumerated() {
                        if number >= 20 { entered += try await group.next() == true ? 1 : 0 }
                        group.addTask {
                            try await logIn(server, "ann", "right-ann-secret", at: address).text == Self.success
                        }
                    }
                    for try await isIn in group { entered += isIn ? 1 : 0 }
                    return entered
                }
            }
            let text = try String(contentsOfFile: users, encoding: .utf8)
            try FileManager.default.removeItem(atPath: users)
            // The server checks the file once a second.
            while try await logIn(server, "ann", "right-ann-secret", at: "203.0.113.1").text == Self.success {}
            #expect(try await tryAll() == 0)
            try folder.write(text, to: "server/conf/users")
            while try await logIn(server, "ann", "right-ann-secret", at: "203.0.113.1").text != Self.success {}
            #expect(try await tryAll() == 1000)
        }
    }

    @Test("500 phones behind one address, of which every seventh user mistypes, all get in within five minutes")
    func office() async throws {
        let time = ManualTime()
        try await run(time: time) { (server) async throws in
            for number in 0..<500 {
                if number.isMultiple(of: 7) {
                    #expect(try await logIn(server, "user-\(number)", "x").text.contains("is not right"))
                }
                #expect(try await logIn(server, "bob", "right-bob-secret").text == Self.success)
                time.advance(by: .milliseconds(600))
            }
        }
    }

    @Test("Five colleagues mistype, and the customer, whose name they share, logs in from everywhere")
    func colleagues() async throws {
        try await run(time: ManualTime()) { (server) async throws in
            for number in 0..<5 {
                let phone = client(server, device: "phone-\(number)")
                let answer = try await phone.call("login", #"["acme", "user-\#(number)", "x"]"#, adapter: "L")
                #expect(answer["authRequired"] == true)
            }
            for address in ["192.0.2.1", "192.0.2.2"] {
                let answer = try await client(server, at: address).call(
                    "login", #"["acme", "ann", "right"]"#, adapter: "L")
                #expect(answer["authRequired"] == false)
            }
        }
    }

    @Test("Calls without a login do not count: 30 guests at once, 60 look-ups by PIN, 60 challenges")
    func guests() async throws {
        try await run(time: ManualTime()) { (server) async throws in
            try await withThrowingTaskGroup(of: WireClient.Answer.self) { group in
                for number in 0..<30 {
                    group.addTask { try await client(server).call("everything", #"["\#(number)"]"#, adapter: "L") }
                }
                for try await answer in group { #expect(answer["action"] != nil) }
            }
            let guest = client(server)
            for number in 0..<60 {
                #expect(try await guest.call("getStores", #"["\#(number)"]"#, adapter: "L")["stores"] == [])
                // Here the realm asks, and not the procedure.
                #expect(try await guest.call("guarded", adapter: "L")["authRequired"] == true)
            }
            #expect(try await logIn(server, "bob", "right-bob-secret").text == Self.success)
            #expect(
                try await client(server).call("login", #"["acme", "ann", "right"]"#, adapter: "L")["authRequired"]
                    == false)
        }
    }

    @Test("A login in two steps, each of which was mistyped twice, passes at the third try")
    func steps() async throws {
        try await run(time: ManualTime()) { (server) async throws in
            let client = self.client(server)
            for secret in ["x", "y", "right"] {
                let answer = try await client.call("password", #"["ann", "\#(secret)"]"#, adapter: "L")
                #expect((answer["step"] == "code") == (secret == "right"))
            }
            for code in ["1", "2", "1234"] {
                let answer = try await client.call("code", #"["\#(code)"]"#, adapter: "L")
                #expect(answer["authRequired"] == .bool(code != "1234"))
            }
        }
    }
}
