import TestSupport

/// A back end whose responses a test holds back, and that knows how many requests have come.
final class HeldBackEnd: Sendable {
    private let gate = Gate()
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer(behind: gate) }

    var connectivity: String { server.connectivity }

    /// Responds to all requests, past and future.
    func open() { gate.open() }

    /// Returns once so many requests have come.
    func arrivals(_ count: Int) async throws { try await gate.arrivals(count) }
}
