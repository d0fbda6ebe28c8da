import Core
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Push

@Suite("Access tokens", .defaultTimeLimit)
struct AccessTokenCacheTests {
    private static let failure = VerdictError(verdict: .retry("the endpoint is down"))

    /// A token endpoint that responds when the test allows it.
    private final class Endpoint: Sendable {
        struct State {
            var asked = 0
            var answers: [Result<AccessTokenCache.Grant, VerdictError>] = []
        }

        let state = AwaitableValue(State())

        func grant(_ token: String, seconds: Int = 3600) {
            state.update {
                $0.answers.append(.success(AccessTokenCache.Grant(token: token, lifetime: .seconds(seconds))))
            }
        }

        func fail() {
            state.update { $0.answers.append(.failure(AccessTokenCacheTests.failure)) }
        }

        func fetch() async throws(VerdictError) -> AccessTokenCache.Grant {
            let number = state.update { state in
                state.asked += 1
                return state.asked
            }
            do {
                try await state.wait { $0.answers.count >= number }
            } catch {
                throw AccessTokenCacheTests.failure
            }
            return try state.value.answers[number - 1].get()
        }
    }

    private let time = ManualTime()
    private let endpoint = Endpoint()
    private let log = LogRecorder()

    private func tokens() -> AccessTokenCache {
        AccessTokenCache(name: "FCM (test)", time: time, logger: log.logger) {
            [endpoint] () async throws(VerdictError) in try await endpoint.fetch()
        }
    }

    @Test("The token is fetched once and used until shortly before its end")
    func kept() async throws {
        let tokens = tokens()
        endpoint.grant("first")
        #expect(try await tokens.current().authorization == "Bearer first")
        time.advance(by: .seconds(3600 - 301))
        #expect(try await tokens.current().authorization == "Bearer first")
        #expect(endpoint.state.value.asked == 1)
    }

    @Test("Many who come at once wait for one fetch")
    func together() async throws {
        let tokens = tokens()
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await tokens.current().authorization } }
            endpoint.grant("first")
            for try await authorization in group { #expect(authorization == "Bearer first") }
        }
        #expect(endpoint.state.value.asked == 1)
    }

    @Test("The old token is used during a renewal")
    func renewal() async throws {
        let tokens = tokens()
        endpoint.grant("first")
        _ = try await tokens.current()
        time.advance(by: .seconds(3600 - 300))
        #expect(try await tokens.current().authorization == "Bearer first")
        #expect(try await tokens.current().authorization == "Bearer first")
        try await endpoint.state.wait { $0.asked == 2 }
        endpoint.grant("second")
        try await waitUntil { try await tokens.current().authorization != "Bearer first" }
        #expect(try await tokens.current().authorization == "Bearer second")
        #expect(endpoint.state.value.asked == 2)
    }

    @Test("A token that has ended is not used, even when the new one takes long")
    func ended() async throws {
        let tokens = tokens()
        endpoint.grant("first", seconds: 100)
        _ = try await tokens.current()
        time.advance(by: .seconds(100))
        async let next = tokens.current()
        try await endpoint.state.wait { $0.asked == 2 }
        endpoint.grant("second")
        #expect(try await next.authorization == "Bearer second")
    }

    @Test("A failed renewal is logged and retried half a minute later, and the old token stays in use")
    func failedRenewal() async throws {
        let tokens = tokens()
        endpoint.grant("first")
        _ = try await tokens.current()
        time.advance(by: .seconds(3600 - 300))
        endpoint.fail()
        #expect(try await tokens.current().authorization == "Bearer first")
        try await log.lines.wait { $0.contains { $0.level == .warning } }
        #expect(log.messages(at: .warning) == ["FCM (test): no access token: the endpoint is down"])
        time.advance(by: .seconds(29))
        #expect(try await tokens.current().authorization == "Bearer first")
        #expect(endpoint.state.value.asked == 2)
        time.advance(by: .seconds(1))
        #expect(try await tokens.current().authorization == "Bearer first")
        try await endpoint.state.wait { $0.asked == 3 }
    }

    @Test("A failure goes to all waiters, and the next call requests a token again")
    func failed() async throws {
        let tokens = tokens()
        endpoint.fail()
        await #expect(throws: Self.failure) { try await tokens.current() }
        endpoint.grant("second")
        #expect(try await tokens.current().authorization == "Bearer second")
    }

    @Test("A refused token is replaced once for any number of refusals")
    func refused() async throws {
        let tokens = tokens()
        endpoint.grant("first")
        let first = try await tokens.current()
        tokens.refused(first)
        endpoint.grant("second")
        let second = try await tokens.current()
        tokens.refused(first)
        #expect(try await tokens.current() == second)
        #expect(endpoint.state.value.asked == 2)
    }

    @Test("A cancelled waiter returns at once and takes nothing from the others")
    func cancelled() async throws {
        let tokens = tokens()
        let impatient = Task { try await tokens.current() }
        try await endpoint.state.wait { $0.asked == 1 }
        async let patient = tokens.current()
        impatient.cancel()
        await #expect(throws: VerdictError.self) { try await impatient.value }
        endpoint.grant("first")
        #expect(try await patient.authorization == "Bearer first")
    }

    @Test("Closing sends away who waits")
    func closed() async throws {
        let tokens = tokens()
        let waiting = Task { try await tokens.current() }
        try await endpoint.state.wait { $0.asked == 1 }
        tokens.close()
        await #expect(throws: VerdictError.self) { try await waiting.value }
        await #expect(throws: VerdictError.self) { try await tokens.current() }
    }

    @Test("A clock that jumps has no effect")
    func clockJump() async throws {
        let tokens = tokens()
        endpoint.grant("first")
        _ = try await tokens.current()
        time.setClock(forwardBy: 86400)
        #expect(try await tokens.current().authorization == "Bearer first")
        #expect(endpoint.state.value.asked == 1)
    }
}
