import Testing

@testable import Push

@Suite("The wait before another attempt")
struct RetryPolicyTests {
    private let policy = RetryPolicy(base: .seconds(2), cap: .seconds(600))

    private func delay(
        _ attempt: Int, retryAfter: Duration? = nil, _ generator: ConstantGenerator = .longest
    ) -> Duration {
        var generator = generator
        return policy.delay(afterAttempt: attempt, retryAfter: retryAfter, using: &generator)
    }

    @Test(
        "The longest wait doubles with each attempt up to the cap",
        arguments: [(1, 2), (2, 4), (3, 8), (9, 512), (10, 600), (1000, 600), (0, 2), (-5, 2)])
    func longest(attempt: Int, seconds: Int) {
        #expect(delay(attempt) == .seconds(seconds))
    }

    @Test("The shortest wait is none, since the jitter is full", arguments: [1, 5, 50])
    func shortest(attempt: Int) {
        #expect(delay(attempt, .shortest) == .zero)
    }

    @Test("Waits are spread over the whole range")
    func spread() {
        var generator = SystemRandomNumberGenerator()
        let delays = (0..<1000).map { _ in policy.delay(afterAttempt: 3, retryAfter: nil, using: &generator) }
        #expect(delays.allSatisfy { $0 >= .zero && $0 <= .seconds(8) })
        #expect(delays.contains { $0 < .seconds(2) })
        #expect(delays.contains { $0 > .seconds(6) })
    }

    @Test("is never shorter than the service's Retry-After, even beyond the cap")
    func retryAfter() {
        #expect(delay(1, retryAfter: .seconds(60)) == .seconds(60))
        #expect(delay(1, retryAfter: .seconds(3600)) == .seconds(3600))
        #expect(delay(1, retryAfter: .seconds(1), .shortest) == .seconds(1))
    }

    @Test("A longer wait of the policy is kept")
    func ownWait() {
        #expect(delay(5, retryAfter: .seconds(1)) == .seconds(32))
    }
}
