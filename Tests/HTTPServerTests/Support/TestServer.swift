import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// The requests that the test server has seen.
final class Seen: Sendable {
    private let state = Mutex<[String]>([])

    var all: [String] { state.withLock { $0 } }

    func add(_ text: String) { state.withLock { $0.append(text) } }
}

extension HTTPServerSettings {
    /// With limits that only a fault reaches, where a test is not about them: on a busy machine a header that is sent byte
    /// by byte takes more than the ten seconds of others.
    static var patient: Self {
        var settings = Self()
        settings.headerTime = .noLimit
        settings.handshakeTime = .noLimit
        settings.bodyIdleTime = .noLimit
        settings.bodyTimePerMegabyte = .noLimit
        settings.keepAliveTime = .noLimit
        settings.stalledResponseTime = .noLimit
        settings.goAwayGracePeriod = .noLimit
        return settings
    }
}

/// A Hummingbird application on a free port, for as long as the body runs. It responds to - `GET` of anything with the method and the target, but of
/// `/stream/` with a body of unknown length, and of `/big/N` with
///   N bytes (``bigBody(_:)``);
/// - `POST /size` with the length of a body of up to 4 MB, and with 413 for a longer or a broken one;
/// - `POST /arriving` as `/size`, and notes how many bytes have arrived as they do;
/// - `POST /ignore` without reading the body.
func withServer<Result: Sendable>(
    settings: HTTPServerSettings = .patient, certificate: ServerCertificate? = nil,
    direct: DirectAnswers? = nil, bodies: RequestBodyRules? = nil,
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, seen: Seen = Seen(),
    _ body: (_ port: Int) async throws -> Result
) async throws -> Result {
    try await withStoppableServer(
        settings: settings, certificate: certificate, direct: direct, bodies: bodies, logger: logger, seen: seen
    ) { port, _ in
        try await body(port)
    }
}

/// Runs ``withServer(settings:certificate:direct:bodies:logger:seen:_:)`` with a client of HTTP/2, closed in the end.
func withFrameClient(
    settings: HTTPServerSettings = .patient, certificate: ServerCertificate, seen: Seen = Seen(),
    _ body: (_ client: FrameClient, _ port: Int) async throws -> Void
) async throws {
    try await withServer(settings: settings, certificate: certificate, seen: seen) { port in
        let client = try await FrameClient(port: port)
        try await body(client, port)
        await client.raw.close()
    }
}

/// Likewise, with a client that sends what the test writes.
func withRawClient(
    settings: HTTPServerSettings = .patient, direct: DirectAnswers? = nil, seen: Seen = Seen(),
    _ body: (_ client: RawClient, _ port: Int) async throws -> Void
) async throws {
    try await withServer(settings: settings, direct: direct, seen: seen) { port in
        let client = try await RawClient(port: port)
        try await body(client, port)
        await client.close()
    }
}

/// N bytes, none of which is like those around it.
///
/// Copied from a pattern: servers make it on their event loops, which other tests need, and one by one 5 MB take two seconds.
func bigBody(_ size: Int) -> [UInt8] {
    let pattern = Array(repeatElement((0..<251).map { UInt8($0) }, count: 256).joined())
    var body: [UInt8] = []
    body.reserveCapacity(size + pattern.count)
    while body.count < size { body += pattern }
    body.removeLast(body.count - size)
    return body
}

/// Returns whether `bytes` are the `size` bytes of ``bigBody(_:)``. For expectations, which would show every byte of the arrays.
func isBigBody(_ bytes: some Collection<UInt8>, _ size: Int) -> Bool { Array(bytes) == bigBody(size) }

/// Runs ``withServer(settings:certificate:direct:bodies:logger:seen:_:)``; `stop` makes the server stop gracefully.
func withStoppableServer<Result: Sendable>(
    settings: HTTPServerSettings = .patient, certificate: ServerCertificate? = nil,
    direct: DirectAnswers? = nil, bodies: RequestBodyRules? = nil,
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, seen: Seen = Seen(),
    _ body: (_ port: Int, _ stop: () async -> Void) async throws -> Result
) async throws -> Result {
    let router = Router()
    router.get("**") { request, _ in
        seen.add("GET \(request.uri.string)")
        return Response(
            status: .ok, body: .init(byteBuffer: ByteBuffer(string: "<\(request.method) \(request.uri.string)>")))
    }
    router.get("stream/**") { _, _ in
        Response(
            status: .ok,
            body: .init { writer in
                for text in ["<one>", "<two>"] { try await writer.write(ByteBuffer(string: text)) }
                try await writer.finish(nil)
            })
    }
    router.get("big/:size") { _, context in
        let size = context.parameters.get("size").flatMap { Int($0) } ?? 0
        seen.add("big")
        return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: bigBody(size))))
    }
    router.post("size") { request, _ in
        do {
            let body = try await request.body.collect(upTo: 4 << 20)
            seen.add("POST \(body.readableBytes)")
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "<\(body.readableBytes) bytes>")))
        } catch {
            seen.add("POST \(type(of: error))")
            return Response(status: .contentTooLarge, body: .init(byteBuffer: ByteBuffer(string: "<too long>")))
        }
    }
    router.post("arriving") { request, _ in
        var count = 0
        do {
            for try await part in request.body {
                count += part.readableBytes
                seen.add("\(count) arrived")
            }
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "<\(count) bytes>")))
        } catch {
            return Response(status: .contentTooLarge, body: .init(byteBuffer: ByteBuffer(string: "<too long>")))
        }
    }
    router.post("ignore") { _, _ in
        Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "<ignored>")))
    }
    let (ports, continuation) = AsyncStream<Int>.makeStream()
    let application = Application(
        router: router,
        server: .transport(
            settings: settings, certificate: certificate, direct: direct, bodies: bodies, logger: logger),
        configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
        onServerRunning: { channel in continuation.yield(channel.localAddress?.port ?? 0) },
        logger: Logger(label: "hummingbird") { _ in SwiftLogNoOpLogHandler() })
    let quiet = Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
    let group = ServiceGroup(configuration: .init(services: [application], logger: quiet))
    let server = Task { try await group.run() }
    defer { server.cancel() }
    var iterator = ports.makeAsyncIterator()
    let port = try #require(await iterator.next())
    return try await body(port) { await group.triggerGracefulShutdown() }
}
