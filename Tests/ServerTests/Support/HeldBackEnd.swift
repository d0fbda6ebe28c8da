import TestSupport

/// A back end whose answers a test holds back, and that knows how many requests have come.
final class HeldBackEnd: Sendable {
    private let gate = Gate()
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer(behind: gate) }

    var connectivity: String { server.connectivity }

    /// Answers what has come and what comes.
    func open() { gate.open() }

    /// Returns once so many requests have come.
    func arrivals(_ count: Int) async throws { try await gate.arrivals(count) }
}
