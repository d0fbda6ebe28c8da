import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Synchronization
import Testing

@testable import Transport

/// What the test server has seen.
final class Seen: Sendable {
    private let state = Mutex<[String]>([])

    var all: [String] { state.withLock { $0 } }

    func add(_ text: String) { state.withLock { $0.append(text) } }
}

extension TransportSettings {
    /// With limits that only a fault reaches, where a test is not about them: on a busy machine a header that is sent byte
    /// by byte takes more than the ten seconds of others.
    static var patient: Self {
        var settings = Self()
        settings.headerTime = .seconds(240)
        settings.handshakeTime = .seconds(240)
        settings.bodyIdleTime = .seconds(240)
        settings.bodyTimePerMegabyte = .seconds(240)
        settings.keepAliveTime = .seconds(240)
        settings.stalledResponseTime = .seconds(240)
        return settings
    }
}

/// A Hummingbird application on a free port, for as long as the body runs. It answers
/// - `GET` of anything with the method and the target, but of `/stream/` with a body of unknown length;
/// - `POST /size` with the length of a body of up to 4 MB, and with 413 for a longer or a broken one;
/// - `POST /ignore` without looking at the body.
func withServer<Result: Sendable>(
    settings: TransportSettings = .patient, certificate: ServerCertificate? = nil,
    direct: DirectAnswers? = nil,
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, seen: Seen = Seen(),
    _ body: (_ port: Int) async throws -> Result
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
    router.post("ignore") { _, _ in
        Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "<ignored>")))
    }
    let (ports, continuation) = AsyncStream<Int>.makeStream()
    let application = Application(
        router: router,
        server: .transport(settings: settings, certificate: certificate, direct: direct, logger: logger),
        configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
        onServerRunning: { channel in continuation.yield(channel.localAddress?.port ?? 0) },
        logger: Logger(label: "hummingbird") { _ in SwiftLogNoOpLogHandler() })
    let server = Task { try await application.run() }
    defer { server.cancel() }
    var iterator = ports.makeAsyncIterator()
    let port = try #require(await iterator.next())
    return try await body(port)
}
