import Testing

@testable import Credentials

@Suite("Guessing of passwords")
struct BruteForceGuardTests {
    let clock = ManualClock()

    private func makeGuard(_ change: (inout BruteForceGuard.Limits) -> Void = { _ in }) -> BruteForceGuard {
        var limits = BruteForceGuard.Limits()
        change(&limits)
        return BruteForceGuard(limits: limits, now: { [clock] in clock.now })
    }

    /// - Returns: `nil` when the try was let through.
    private func fail(
        _ gate: BruteForceGuard, _ user: String = "bob", realm: String = "R", from address: String = "192.0.2.1"
    ) -> TooManyFailures? {
        do throws(TooManyFailures) {
            let attempt = try gate.admit(realm: realm, user: user, address: address)
            attempt.failed()
            return nil
        } catch {
            return error
        }
    }

    private func succeed(_ gate: BruteForceGuard, _ user: String = "bob", from address: String = "192.0.2.1") throws {
        let attempt = try gate.admit(realm: "R", user: user, address: address)
        attempt.succeeded()
    }

    @Test("The fifth failure of a user within five minutes closes the door for a second")
    func threshold() {
        let gate = makeGuard()
        for _ in 0..<5 { #expect(fail(gate) == nil) }
        #expect(fail(gate) == TooManyFailures(cause: .user, retryAfter: .seconds(1)))
        clock.advance(by: .milliseconds(400))
        #expect(fail(gate) == TooManyFailures(cause: .user, retryAfter: .milliseconds(600)))
        clock.advance(by: .milliseconds(600))
        #expect(fail(gate) == nil)
    }

    @Test("Each further failure doubles the time, up to fifteen minutes")
    func doubling() {
        let gate = makeGuard()
        for _ in 0..<5 { #expect(fail(gate) == nil) }
        for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            #expect(fail(gate)?.retryAfter == .seconds(seconds))
            clock.advance(by: .seconds(seconds))
            #expect(fail(gate) == nil)
        }
    }

    @Test("Failures that are older than the window do not count")
    func window() {
        let gate = makeGuard()
        for _ in 0..<4 { #expect(fail(gate) == nil) }
        clock.advance(by: .seconds(300))
        for _ in 0..<5 { #expect(fail(gate) == nil) }
        #expect(fail(gate) != nil)
    }

    @Test("A success clears the user's failures, but not the address's")
    func success() throws {
        let gate = makeGuard { $0.failuresPerAddress = 6 }
        for _ in 0..<4 { #expect(fail(gate) == nil) }
        try succeed(gate)
        #expect(fail(gate) == nil)
        #expect(fail(gate) == nil)
        #expect(fail(gate)?.cause == .address)
        // From elsewhere the user has two failures only.
        for _ in 0..<3 { #expect(fail(gate, from: "192.0.2.2") == nil) }
        #expect(fail(gate, from: "192.0.2.2")?.cause == .user)
    }

    @Test("After a quiet time all is forgotten")
    func quiet() {
        let gate = makeGuard()
        for _ in 0..<5 { #expect(fail(gate) == nil) }
        clock.advance(by: .seconds(901))
        for _ in 0..<5 { #expect(fail(gate) == nil) }
        #expect(fail(gate)?.retryAfter == .seconds(1))
    }

    @Test("Users are counted by realm, and addresses over all users")
    func separation() {
        let gate = makeGuard { $0.failuresPerAddress = 12 }
        for _ in 0..<5 { #expect(fail(gate) == nil) }
        #expect(fail(gate) != nil)
        #expect(fail(gate, realm: "Other") == nil)
        #expect(fail(gate, "alice") == nil)
        for number in 0..<5 { #expect(fail(gate, "user\(number)") == nil) }
        #expect(fail(gate, "kim")?.cause == .address)
        #expect(fail(gate, "kim", from: "192.0.2.9") == nil)
    }

    @Test("Tries at the same time do not all get through")
    func concurrency() throws {
        let gate = makeGuard()
        let first = try gate.admit(realm: "R", user: "bob", address: "192.0.2.1")
        let second = try gate.admit(realm: "R", user: "bob", address: "192.0.2.1")
        for _ in 0..<3 { #expect(fail(gate) == nil) }
        #expect(fail(gate) != nil)
        second.succeeded()
        first.failed()
        #expect(fail(gate) == nil)
    }

    @Test("A try without an outcome counts neither way")
    func undecided() throws {
        let gate = makeGuard()
        for _ in 0..<4 { #expect(fail(gate) == nil) }
        for _ in 0..<10 { _ = try gate.admit(realm: "R", user: "bob", address: "192.0.2.1") }
        #expect(fail(gate) == nil)
        #expect(fail(gate) != nil)
    }

    @Test(
        "Spellings that directories take for the same name count together",
        arguments: ["BOB", " bob", "b ob", "ｂｏｂ", "bo\u{AD}b", "bob\0", "b\u{F6}b", "bo\u{301}b"])
    func spellings(name: String) {
        let gate = makeGuard()
        for _ in 0..<5 { #expect(fail(gate) == nil) }
        #expect(fail(gate, name) != nil)
    }

    @Test(
        "Addresses of one IPv6 network count together, others do not",
        arguments: [
            ("2001:db8::1", "2001:db8::ffff:1", true), ("2001:db8::1", "2001:db8:0:1::1", false),
            ("::ffff:192.0.2.1", "192.0.2.1", true), ("[2001:db8::1]", "2001:db8::2", true),
            ("192.0.2.1", "192.0.2.2", false),
        ])
    func addresses(one: String, other: String, areSame: Bool) {
        let gate = makeGuard { $0.failuresPerAddress = 1 }
        #expect(fail(gate, "a", from: one) == nil)
        #expect((fail(gate, "b", from: other) != nil) == areSame)
    }

    @Test("Memory is bounded: the oldest go")
    func capacity() {
        let gate = makeGuard {
            $0.capacity = 100
            $0.failuresInAll = 10_000
        }
        for number in 0..<1000 {
            #expect(fail(gate, "user\(number)", from: "10.0.\(number / 250).\(number % 250)") == nil)
            clock.advance(by: .milliseconds(1))
        }
        #expect(gate.size.users <= 100)
        #expect(gate.size.addresses <= 100)
        for _ in 0..<4 { #expect(fail(gate, "user999", from: "192.0.2.1") == nil) }
        #expect(fail(gate, "user999", from: "192.0.2.1") != nil)
    }

    @Test("Successes leave nothing behind")
    func tidiness() throws {
        let gate = makeGuard()
        for number in 0..<50 { try succeed(gate, "user\(number)", from: "10.0.0.\(number)") }
        #expect(gate.size == (0, 0))
    }

    @Test("A directory is not asked when the door is closed, and an unreachable one does not close it")
    func directory() async throws {
        struct Broken: PasswordDirectory {
            func user(named name: String, password: String) async throws(DirectoryError) -> DirectoryUser? {
                guard name != "bob" else { throw DirectoryError(.unreachable, "down") }
                return password == "right" ? DirectoryUser(name: name) : nil
            }
        }
        let gate = makeGuard()
        func login(_ name: String, _ password: String) async throws -> DirectoryUser? {
            try await gate.user(named: name, password: password, realm: "R", address: "192.0.2.1", in: Broken())
        }
        for _ in 0..<10 { await #expect(throws: DirectoryError.self) { try await login("bob", "x") } }
        #expect(try await login("kim", "right") == DirectoryUser(name: "kim"))
        for _ in 0..<5 { #expect(try await login("kim", "wrong") == nil) }
        await #expect(throws: TooManyFailures.self) { try await login("kim", "right") }
    }

    @Test("When logins fail everywhere, an address may fail once, and whoever is right at the first try gets in")
    func inAll() throws {
        let gate = makeGuard { $0.failuresInAll = 10 }
        for number in 0..<10 { #expect(fail(gate, "user-\(number)", from: "10.0.0.\(number)") == nil) }
        #expect(fail(gate, "ann", from: "10.0.0.1") == TooManyFailures(cause: .all, retryAfter: .seconds(300)))
        try succeed(gate, "ann", from: "192.0.2.1")
        try succeed(gate, "bob", from: "192.0.2.1")
        #expect(fail(gate, "ann", from: "192.0.2.1") == nil)
        #expect(fail(gate, "bob", from: "192.0.2.1")?.cause == .all)
        clock.advance(by: .seconds(300))
        #expect(fail(gate, "ann", from: "10.0.0.1") == nil)
    }

    @Test("A failure that is taken back counts for nobody")
    func forgiven() throws {
        let gate = makeGuard { $0.failuresInAll = 10 }
        let forgive = {
            gate.forgive(realm: "R", LoginSubjects(users: ["bob"]), loggedIn: ["Bob "], address: "192.0.2.1")
        }
        for _ in 0..<60 {
            #expect(fail(gate) == nil)
            forgive()
        }
        #expect(gate.size == (users: 0, addresses: 0))
        for _ in 0..<5 { #expect(fail(gate) == nil) }
        #expect(fail(gate)?.cause == .user)
        forgive()
        #expect(fail(gate) == nil)
    }

    @Test("A failure stays with a user when somebody else has logged in")
    func forgivenToOthers() throws {
        let gate = makeGuard()
        for _ in 0..<5 {
            #expect(fail(gate) == nil)
            gate.forgive(realm: "R", LoginSubjects(users: ["bob"]), loggedIn: ["eve"], address: "192.0.2.1")
        }
        #expect(fail(gate)?.cause == .user)
        #expect(gate.size == (users: 1, addresses: 1))
    }

    @Test("A login that may be about several users counts for each, and once for the address")
    func severalUsers() throws {
        let gate = makeGuard { $0.failuresPerAddress = 6 }
        for _ in 0..<5 {
            let attempt = try gate.admit(realm: "R", LoginSubjects(users: ["ann", "bob", "ANN"]), address: "192.0.2.1")
            attempt.failed()
        }
        #expect(fail(gate, "ann", from: "192.0.2.2")?.cause == .user)
        #expect(fail(gate, "bob", from: "192.0.2.2")?.cause == .user)
        #expect(fail(gate, "eve") == nil)
        #expect(fail(gate, "eve")?.cause == .address)
        clock.advance(by: .seconds(1))
        let attempt = try gate.admit(realm: "R", LoginSubjects(users: ["ann", "bob"]), address: "192.0.2.2")
        attempt.succeeded()
        for user in ["ann", "bob"] { #expect(fail(gate, user, from: "192.0.2.2") == nil) }
    }

    @Test("A login that succeeds for one of several users forgets the failures of that one")
    func oneOfSeveral() throws {
        let gate = makeGuard()
        for user in ["ann", "bob"] {
            for _ in 0..<4 { #expect(fail(gate, user) == nil) }
        }
        let attempt = try gate.admit(realm: "R", LoginSubjects(users: ["ann", "bob"]), address: "192.0.2.1")
        attempt.succeeded(as: ["Bob", "eve"])
        #expect(fail(gate, "ann") == nil)
        #expect(fail(gate, "ann")?.cause == .user)
        for _ in 0..<5 { #expect(fail(gate, "bob") == nil) }
    }

    @Test(
        "Other ways to write a number count together",
        arguments: ["12345.0", "1.2345e4", "+12345", "0012345", " 12345 "])
    func numbers(name: String) {
        let gate = makeGuard()
        for _ in 0..<5 { #expect(fail(gate, "12345") == nil) }
        #expect(fail(gate, name) != nil)
        #expect(fail(gate, "12346") == nil)
    }

    @Test("Numbers with more digits than a double holds are names of different users")
    func longNumbers() {
        let gate = makeGuard()
        for _ in 0..<5 { #expect(fail(gate, "9007199254740993") == nil) }
        #expect(fail(gate, "+09007199254740993.0") != nil)
        #expect(fail(gate, "9007199254740992") == nil)
        #expect(!BruteForceGuard.isSameUser("12345678901234567", "12345678901234568"))
    }

    // MARK: Texts that may be names

    private func fail(
        _ gate: BruteForceGuard, texts: Set<String>, from address: String, certainty: LoginCertainty = .certain
    ) -> TooManyFailures? {
        do throws(TooManyFailures) {
            let subjects = LoginSubjects(texts: texts)
            let attempt = try gate.admit(realm: "R", subjects, address: address, certainty: certainty)
            attempt.failed()
            return nil
        } catch {
            return error
        }
    }

    @Test("Five failures with a text that may be a name stop it from their network, and not from others")
    func textsOfNetwork() {
        let gate = makeGuard()
        for number in 0..<5 { #expect(fail(gate, texts: ["bob", "junk-\(number)"], from: "192.0.2.1") == nil) }
        #expect(fail(gate, texts: ["Bob", "junk"], from: "192.0.2.1")?.cause == .user)
        #expect(fail(gate, texts: ["junk"], from: "192.0.2.1") == nil)
        #expect(fail(gate, texts: ["bob"], from: "192.0.2.2") == nil)
    }

    @Test("Fifty failures with a text that may be a name stop it from all networks")
    func textsOfAll() {
        let gate = makeGuard()
        for number in 0..<50 { #expect(fail(gate, texts: ["bob"], from: "10.0.\(number).1") == nil) }
        #expect(fail(gate, texts: ["bob"], from: "192.0.2.1")?.cause == .user)
        #expect(fail(gate, texts: ["kim"], from: "192.0.2.1") == nil)
    }

    @Test("What may be no login counts only when it has failed")
    func uncertain() throws {
        let gate = makeGuard()
        var open = 0
        for _ in 0..<20 {
            let attempt = try gate.admit(
                realm: "R", LoginSubjects(texts: ["news"]), address: "192.0.2.1", certainty: .unlikely)
            #expect(fail(gate, texts: ["other-\(open)"], from: "192.0.2.1") == nil)
            open += 1
            _ = consume attempt
        }
        for _ in 0..<5 { #expect(fail(gate, texts: ["news"], from: "192.0.2.1", certainty: .unlikely) == nil) }
        #expect(fail(gate, texts: ["news"], from: "192.0.2.1", certainty: .unlikely) != nil)
    }

    @Test("Calls that may be no logins count neither for their address nor in all")
    func uncertainForAddress() {
        let gate = makeGuard { ($0.failuresPerAddress, $0.failuresInAll) = (6, 8) }
        for number in 0..<20 {
            #expect(fail(gate, texts: ["x\(number)"], from: "192.0.2.1", certainty: .unlikely) == nil)
            #expect(fail(gate, texts: ["y\(number)"], from: "192.0.2.1", certainty: .possible) == nil)
        }
        #expect(fail(gate, "ann", from: "192.0.2.1") == nil)
        #expect(fail(gate, "ann", from: "192.0.2.1") == nil)
    }

    @Test("Of calls that may be logins twenty with the same text are under way at most, and one when some have failed")
    func possibleAtOnce() throws {
        let gate = makeGuard()
        func admit() throws(TooManyFailures) -> LoginAttempt {
            try gate.admit(realm: "R", LoginSubjects(texts: ["ann"]), address: "192.0.2.1", certainty: .possible)
        }
        func isAdmitted() -> Bool {
            do {
                _ = try admit()
                return true
            } catch {
                return false
            }
        }
        func hold(_ count: Int, _ body: () -> Void) throws {
            guard count > 0 else { return body() }
            let held = try admit()
            try hold(count - 1, body)
            _ = consume held
        }
        try hold(20) { #expect(!isAdmitted()) }
        for _ in 0..<5 { #expect(fail(gate, texts: ["ann"], from: "192.0.2.1", certainty: .possible) == nil) }
        #expect(!isAdmitted())
        clock.advance(by: .seconds(1))
        try hold(1) { #expect(!isAdmitted()) }
    }

    @Test("Tries that fail after the refusals have begun do not make them longer")
    func burst() throws {
        let gate = makeGuard()
        func burst(_ count: Int) {
            guard count > 0 else { return }
            guard
                let attempt = try? gate.admit(
                    realm: "R", LoginSubjects(texts: ["ann"]), address: "192.0.2.1", certainty: .possible)
            else { return }
            burst(count - 1)
            attempt.failed()
        }
        burst(20)
        #expect(
            fail(gate, texts: ["ann"], from: "192.0.2.1", certainty: .possible)?.retryAfter == .seconds(1))
    }

    @Test("A text counts for all networks only where the login has no name of a user")
    func textsBesideUsers() throws {
        let gate = makeGuard()
        for number in 0..<60 {
            let subjects = LoginSubjects(users: ["user-\(number)"], texts: ["ACME"])
            try gate.admit(realm: "R", subjects, address: "10.0.\(number).1").failed()
        }
        let subjects = LoginSubjects(users: ["honest"], texts: ["ACME"])
        try gate.admit(realm: "R", subjects, address: "192.0.2.1").succeeded()
    }

    @Test("Made-up texts do not make room for guesses of a user's password")
    func textsFlush() {
        let gate = makeGuard { $0.capacity = 100 }
        for _ in 0..<5 { #expect(fail(gate, "ned") == nil) }
        for number in 0..<1000 {
            for _ in 0..<5 { _ = fail(gate, texts: ["t\(number)"], from: "192.0.2.1", certainty: .unlikely) }
        }
        #expect(fail(gate, "ned")?.cause == .user)
    }

    @Test("A failed step of the login itself does not refuse its next step when logins fail everywhere")
    func ownSteps() throws {
        let gate = makeGuard { $0.failuresInAll = 10 }
        for number in 0..<10 { #expect(fail(gate, "user\(number)", from: "10.0.\(number).1") == nil) }
        #expect(fail(gate, "ann", from: "192.0.2.1") == nil)
        #expect(fail(gate, "ann", from: "192.0.2.1")?.cause == .all)
        let attempt = try gate.admit(
            realm: "R", LoginSubjects(users: ["ann"]), address: "192.0.2.1", ownFailures: 1)
        attempt.succeeded()
    }

    @Test("Fifty refusals of a user who is logged in stop this user at this address alone, for a minute at most")
    func accounts() throws {
        let gate = makeGuard()
        func fail(_ account: String, from address: String = "192.0.2.1") -> Duration? {
            do throws(TooManyFailures) {
                let attempt = try gate.admit(realm: "R", account: account, address: address)
                attempt.failed()
                return nil
            } catch {
                return error.retryAfter
            }
        }
        for _ in 0..<50 { #expect(fail("eve") == nil) }
        #expect(fail("eve") == .seconds(1))
        #expect(fail("ann") == nil)
        #expect(fail("eve", from: "192.0.2.2") == nil)
        try succeed(gate, "eve")
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(fail("eve") == .seconds(seconds))
            clock.advance(by: .seconds(seconds))
            #expect(fail("eve") == nil)
        }
    }

    @Test("A name that has failed more than once stays when made-up names fill the memory")
    func flushing() {
        let gate = makeGuard {
            $0.capacity = 100
            $0.failuresInAll = 10_000
        }
        for _ in 0..<4 { #expect(fail(gate, from: "192.0.2.1") == nil) }
        for number in 0..<1000 {
            clock.advance(by: .milliseconds(1))
            #expect(fail(gate, "user\(number)", from: "10.0.\(number / 250).\(number % 250)") == nil)
        }
        #expect(fail(gate) == nil)
        #expect(fail(gate)?.cause == .user)
    }
}
