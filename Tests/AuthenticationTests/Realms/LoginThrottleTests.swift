import Core
import PushModel
import TestSupport
import Testing

@testable import Authentication

@Suite("The limit of login attempts", .defaultTimeLimit)
struct LoginThrottleTests {
    private let time = ManualTime()
    private let throttle: LoginThrottle
    /// The number of passwords that were checked.
    private let looked = AwaitableValue(0)

    init() {
        throttle = LoginThrottle(time: time)
    }

    private func attempt(
        _ outcome: LoginThrottle.Outcome, user: String? = "ann", realm: String = "R", network: String = "192.0.2.1"
    ) async throws {
        try await throttle.attempt(realm: realm, user: user, network: network) { [looked] in
            looked.update { $0 += 1 }
            return ((), outcome)
        }
    }

    /// Starts an attempt that pauses, and returns once it does.
    private func pausing(
        _ pause: Duration, _ outcome: LoginThrottle.Outcome, user: String? = "ann", network: String = "192.0.2.1",
        count: Int = 1
    ) async throws -> Task<Void, any Error> {
        let task = Task { try await attempt(outcome, user: user, network: network) }
        try await time.waitForSleeper(pause, count: count)
        return task
    }

    /// Guesses the passwords of different users.
    private func spray(_ count: Int, from first: Int = 0, network: String = "192.0.2.1") async throws {
        for number in first..<first + count { try await attempt(.refused, user: "user-\(number)", network: network) }
    }

    @Test("pauses 1, 2, 4, then 5 s after two refused passwords, before the password is checked")
    func pauses() async throws {
        for _ in 0..<2 { try await attempt(.refused) }
        for (number, pause) in [1, 2, 4, 5, 5].enumerated() {
            let task = try await pausing(.seconds(pause), .refused)
            #expect(looked.value == 2 + number)
            time.advance(by: .seconds(pause))
            try await task.value
        }
        #expect(looked.value == 7)
    }

    @Test("lets a right password wait as long as a wrong one, and then forgets the name's refusals")
    func right() async throws {
        for _ in 0..<2 { try await attempt(.refused) }
        let task = try await pausing(.seconds(1), .accepted)
        time.advance(by: .seconds(1))
        try await task.value
        for _ in 0..<2 { try await attempt(.refused) }
        #expect(looked.value == 5)
    }

    @Test("limits attempts without a name by their network only, and their success clears no refusals")
    func nameless() async throws {
        for _ in 0..<29 { try await attempt(.refused, user: nil) }
        try await attempt(.accepted, user: nil)
        try await attempt(.refused, user: nil)
        let task = try await pausing(.seconds(5), .accepted, user: nil)
        time.advance(by: .seconds(5))
        try await task.value
    }

    @Test("does not slow another name, another realm or another network")
    func others() async throws {
        for _ in 0..<2 { try await attempt(.refused) }
        try await attempt(.accepted, user: "bob")
        try await attempt(.accepted, realm: "S")
        try await attempt(.accepted, network: "192.0.2.2")
        #expect(looked.value == 5)
    }

    @Test(
        "takes spellings that directories take for one user for one name", arguments: ["ANN", " a n n ", "ánn", "ａnn"])
    func spellings(user: String) async throws {
        for _ in 0..<2 { try await attempt(.refused) }
        let task = try await pausing(.seconds(1), .accepted, user: user)
        time.advance(by: .seconds(1))
        try await task.value
    }

    @Test("lets five attempts for a name wait, one after the other, and refuses a sixth")
    func waiting() async throws {
        for _ in 0..<2 { try await attempt(.refused) }
        let outcomes = AwaitableValue<[String]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<7 {
                group.addTask {
                    do {
                        try await attempt(.refused)
                        outcomes.update { $0.append("looked at") }
                    } catch let error as TooManyLoginsError {
                        outcomes.update { $0.append("refused for \(error.retryAfter)") }
                    }
                }
            }
            try await outcomes.wait { $0 == ["refused for 5.0 seconds"] }
            for pause in [1, 2, 4, 5, 5, 5] {
                try await time.waitForSleeper(.seconds(pause), count: 1)
                time.advance(by: .seconds(pause))
            }
            try await group.waitForAll()
        }
        #expect(outcomes.value.count { $0 == "looked at" } == 6)
    }

    @Test("checks no more than two of many attempts at once without a pause")
    func atOnce() async throws {
        let (door, refused) = (Promise<Void>(), AwaitableValue(0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        try await throttle.attempt(realm: "R", user: "ann", network: "192.0.2.1") {
                            looked.update { $0 += 1 }
                            await door.get()
                            return ((), .refused)
                        }
                    } catch is TooManyLoginsError {
                        refused.update { $0 += 1 }
                    }
                }
            }
            try await looked.wait { $0 == 2 }
            door.fulfill(())
            try await refused.wait { $0 == 12 }
            for pause in [1, 2, 4, 5, 5, 5] {
                try await time.waitForSleeper(.seconds(pause), count: 1)
                time.advance(by: .seconds(pause))
            }
            try await group.waitForAll()
        }
        #expect(looked.value == 8)
    }

    @Test("does not slow many devices that log in to one account at once with the right password")
    func sharedAccount() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<500 { group.addTask { try await attempt(.accepted) } }
            try await group.waitForAll()
        }
        #expect(looked.value == 500)
    }

    @Test("pauses each attempt for 5 s after 30 refused passwords within a minute, 20 at a time")
    func network() async throws {
        try await spray(30)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 { group.addTask { try await attempt(.accepted, user: "other-\(number)") } }
            try await time.waitForSleeper(.seconds(5), count: 20)
            await #expect(throws: TooManyLoginsError.self) { try await attempt(.accepted, user: "bob") }
            try await attempt(.accepted, user: "bob", network: "192.0.2.2")
            #expect(looked.value == 31)
            time.advance(by: .seconds(5))
            try await group.waitForAll()
        }
        #expect(looked.value == 51)
    }

    @Test("forgets the refusals of a network after a minute, and those of a name after five")
    func forgetting() async throws {
        try await spray(30)
        for _ in 0..<2 {
            let task = try await pausing(.seconds(5), .refused)
            time.advance(by: .seconds(5))
            try await task.value
        }
        time.advance(by: .seconds(60))
        try await attempt(.accepted, user: "bob")
        let task = try await pausing(.seconds(1), .refused)
        time.advance(by: .seconds(1))
        try await task.value
        time.advance(by: .seconds(300))
        try await attempt(.refused)
    }

    @Test("checks 15 passwords of a name in the first minute for a guesser who hangs up, then 12 a minute")
    func oneName() async throws {
        var times = [0.0, 0.0]
        for _ in 0..<2 { try await attempt(.refused) }
        while times.count < 50 {
            let pause = [1, 2, 4][min(times.count - 2, 2)] + (times.count > 4 ? 1 : 0)
            let task = try await pausing(.seconds(pause), .refused)
            task.cancel()
            time.advance(by: .seconds(pause))
            try await task.value
            times.append(time.elapsed)
        }
        #expect(looked.value == 50)
        #expect(times.count { $0 < 60 } == 15)
        for minute in 1..<3 { #expect(times.count { Int($0) / 60 == minute } == 12) }
    }

    @Test("checks 270 passwords a minute for a guesser at one address")
    func allNames() async throws {
        try await spray(30)
        var number = 100
        while time.elapsed < 60 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<25 {
                    number += 1
                    group.addTask { [number] in try? await attempt(.refused, user: "user-\(number)") }
                }
                try await time.waitForSleeper(.seconds(5), count: 20)
                // Five were refused.
                for _ in 0..<5 { _ = try await group.next() }
                time.advance(by: .seconds(5))
                try await group.waitForAll()
            }
        }
        #expect(looked.value == 30 + 12 * 20)
    }

    @Test("counts no attempt whose back end cannot be reached")
    func outage() async throws {
        for number in 0..<1000 { try await attempt(.undecided, user: "user-\(number % 10)") }
        #expect(looked.value == 1000)
    }

    @Test("delays an adapter's login requests by 5 s after 30 within a minute, 20 at a time")
    func adapter() async throws {
        let network = "192.0.2.1"
        for _ in 0..<30 { await throttle.recordLoginRequest(by: "A", of: network) }
        try throttle.admitCall(of: "A", by: network)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<25 { group.addTask { await throttle.recordLoginRequest(by: "A", of: network) } }
            try await time.waitForSleeper(.seconds(5), count: 20)
            #expect(throws: TooManyLoginsError.self) { try throttle.admitCall(of: "A", by: network) }
            try throttle.admitCall(of: "B", by: network)
            try throttle.admitCall(of: "A", by: "192.0.2.2")
            time.advance(by: .seconds(5))
            try await time.waitForSleeper(.seconds(5), count: 5)
            try throttle.admitCall(of: "A", by: network)
            time.advance(by: .seconds(5))
            try await group.waitForAll()
        }
    }

    @Test("keeps a delayed response's slot when its client hangs up")
    func hangingUp() async throws {
        for _ in 0..<30 { await throttle.recordLoginRequest(by: "A", of: "192.0.2.1") }
        var tasks: [Task<Void, Never>] = []
        for count in 1...20 {
            let task = Task { await throttle.recordLoginRequest(by: "A", of: "192.0.2.1") }
            try await time.waitForSleeper(.seconds(5), count: count)
            task.cancel()
            tasks.append(task)
        }
        #expect(throws: TooManyLoginsError.self) { try throttle.admitCall(of: "A", by: "192.0.2.1") }
        time.advance(by: .seconds(5))
        for task in tasks { await task.value }
        try throttle.admitCall(of: "A", by: "192.0.2.1")
    }

    @Test("folds a name of many accents in no time")
    func manyAccents() {
        let marks = String(String.UnicodeScalarView((0..<1_000_000).map { $0 < 500_000 ? "\u{301}" : "\u{323}" }))
        #expect(LoginThrottle.folded("a" + marks) == "a")
        #expect(LoginThrottle.folded(String(repeating: " ", count: 255) + "bjones") == "bjones")
    }

    @Test("refuses the attempts of a network beyond a thousand that have not ended")
    func unfinished() async throws {
        let door = Promise<Void>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let refused = AwaitableValue(0)
            for number in 0..<1001 {
                group.addTask {
                    do {
                        try await throttle.attempt(realm: "R", user: "user-\(number)", network: "192.0.2.1") {
                            await door.get()
                            return ((), .undecided)
                        }
                    } catch is TooManyLoginsError {
                        refused.update { $0 += 1 }
                    }
                }
            }
            try await refused.wait { $0 == 1 }
            try await attempt(.accepted, network: "192.0.2.2")
            door.fulfill(())
            try await group.waitForAll()
        }
    }

    @Test("remembers a bounded number of names and networks")
    func bounded() async throws {
        let throttle = LoginThrottle(time: time, capacity: 100)
        for number in 0..<300 {
            try await throttle.attempt(realm: "R", user: "ann", network: "network \(number)") { ((), .refused) }
        }
        #expect(throttle.count <= 100)
    }
}
