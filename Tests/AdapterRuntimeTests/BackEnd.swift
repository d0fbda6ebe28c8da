import Hummingbird
import Logging
import NIOCore
import TestSupport
import Testing
import Transport

/// A back end on a free port, and what to write into an adapter's XML to reach it.
struct BackEnd: Sendable {
    let port: Int

    func connectivity(timeout: Int = 120_000, more: String = "") -> String {
        """
        <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType">
        <domain>127.0.0.1</domain><port>\(port)</port>
        <connectionTimeoutInMilliseconds>\(timeout)</connectionTimeoutInMilliseconds>
        <socketTimeoutInMilliseconds>\(timeout)</socketTimeoutInMilliseconds>
        \(more)</connectionPolicy></connectivity>
        """
    }

    /// Runs `body` while a back end with these routes answers.
    static func serving(
        _ router: Router<BasicRequestContext>, _ body: @Sendable @escaping (BackEnd) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream<Int>.makeStream()
        let quiet = Logger(label: "backend") { _ in SwiftLogNoOpLogHandler() }
        // Hummingbird's own HTTP/1 ends the process when it is cancelled with connections that it has not begun to serve.
        let application = Application(
            router: router, server: .transport(logger: quiet),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            try await body(BackEnd(port: try #require(await ports.first { _ in true })))
            group.cancelAll()
        }
    }

    static func response(_ type: String, _ body: String, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: [.contentType: type], body: .init(byteBuffer: ByteBuffer(string: body)))
    }
}

/// Holds up requests until the test lets them go, and knows how many have come.
struct Gate: Sendable {
    private struct State {
        var arrivals = 0
        var isOpen = false
    }

    private let state = Watched(State())

    func pass() async throws {
        state.update { $0.arrivals += 1 }
        try await state.wait { $0.isOpen }
    }

    func open() {
        state.update { $0.isOpen = true }
    }

    /// Returns once so many requests have come.
    func arrivals(_ count: Int) async throws {
        try await state.wait { $0.arrivals >= count }
    }
}
