import Foundation
import NIOCore
import NIOPosix
import TestSupport
import WorklightClient

/// A server that says exactly what a test wants, however wrong.
final class ScriptedServer: Sendable {
    /// What it does with a request.
    enum Action: Sendable {
        /// Sends these bytes.
        case send(String)
        /// Sends these bytes, and never the rest.
        case sendAndStall(String)
        /// Sends these bytes, and closes the connection.
        case sendAndClose(String)
        case nothing

        static func json(_ body: String, status: Int = 200, headers: [String] = []) -> Action {
            .send(Self.http(status, "application/json; charset=UTF-8", "/*-secure-\n\(body)*/", headers))
        }

        static func html(_ body: String, status: Int = 200) -> Action {
            .send(Self.http(status, "text/html; charset=UTF-8", body, []))
        }

        static func http(_ status: Int, _ type: String, _ body: String, _ headers: [String]) -> String {
            let lines =
                [
                    "HTTP/1.1 \(status) X", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)",
                ] + headers
            return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
        }

        /// 401 with challenges.
        static func challenge(_ challenges: String, headers: [String] = []) -> Action {
            .json(
                #"{"challenges":\#(challenges)}"#, status: 401,
                headers: ["WWW-Authenticate: WL-Composite-Challenge"] + headers)
        }
    }

    /// The requests so far, as text.
    let requests = Watched<[String]>([])
    let port: Int
    private let channel: any Channel

    /// - Parameter answer: gets a request's number, from 0, and its text.
    init(_ answer: @escaping @Sendable (Int, String) -> Action) async throws {
        let requests = requests
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RequestHandler(requests: requests, answer: answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    deinit {
        channel.close(promise: nil)
    }
}

private final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let requests: Watched<[String]>
    private let answer: @Sendable (Int, String) -> ScriptedServer.Action
    private var received = ""

    init(requests: Watched<[String]>, answer: @escaping @Sendable (Int, String) -> ScriptedServer.Action) {
        self.requests = requests
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += String(buffer: unwrapInboundIn(data))
        guard let end = received.range(of: "\r\n\r\n") else { return }
        let length =
            received[..<end.lowerBound].split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        guard received[end.upperBound...].utf8.count >= length else { return }
        let request = received
        received = ""
        let number = requests.update { list in
            list.append(request)
            return list.count - 1
        }
        switch answer(number, request) {
        case .send(let text), .sendAndStall(let text):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        case .sendAndClose(let text):
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).whenComplete { _ in
                channel.close(promise: nil)
            }
        case .nothing: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

extension ScriptedServer {
    func client(environment: String = "iOSnative") throws -> TestClient {
        try TestClient(
            WorklightSettings(
                host: "127.0.0.1", port: port, context: "/wl", applicationID: "MyNative", environment: environment,
                requestTimeout: TestClient.patience))
    }
}

extension String {
    /// A header's value in a request's text.
    func header(_ name: String) -> String? {
        guard let end = range(of: "\r\n\r\n") else { return nil }
        return self[..<end.lowerBound].split(separator: "\r\n")
            .first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    /// A request's form.
    var form: [String: String] {
        guard let end = range(of: "\r\n\r\n") else { return [:] }
        let pairs = self[end.upperBound...].split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacing("+", with: " ").removingPercentEncoding ?? ""
            }
            return (halves[0], halves.count > 1 ? halves[1] : "")
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// A request's path.
    var path: String { String(split(separator: " ").dropFirst().first ?? "") }
}
