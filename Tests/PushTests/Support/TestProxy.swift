import Foundation
import NIOCore
import NIOPosix
import Push
import Synchronization
import TestSupport

/// A proxy on 127.0.0.1 that connects to the requested address: HTTP's `CONNECT`, or SOCKS 5.
final class TestProxy: Sendable {
    let kind: EgressProxy.Kind
    /// The requested targets, as `host:port`, in order.
    let tunnels: AwaitableValue<[String]>
    private let server: any Channel
    private let open: AwaitableValue<[any Channel]>
    private let isFrozen: ProxyFlag

    /// - Parameters:
    ///   - login: what it wants to see before it does anything.
    ///   - refuses: whether it refuses every connection.
    static func start(
        _ kind: EgressProxy.Kind, login: EgressProxy.Login? = nil, refuses: Bool = false
    ) async throws -> TestProxy {
        let tunnels = AwaitableValue<[String]>([])
        let open = AwaitableValue<[any Channel]>([])
        let isFrozen = ProxyFlag()
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                open.update { $0.append(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        TestProxyHandler(
                            kind: kind, login: login, refuses: refuses, tunnels: tunnels, isFrozen: isFrozen))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return TestProxy(kind: kind, server: server, tunnels: tunnels, open: open, isFrozen: isFrozen)
    }

    private init(
        kind: EgressProxy.Kind, server: any Channel, tunnels: AwaitableValue<[String]>,
        open: AwaitableValue<[any Channel]>,
        isFrozen: ProxyFlag
    ) {
        self.kind = kind
        self.server = server
        self.tunnels = tunnels
        self.open = open
        self.isFrozen = isFrozen
    }

    var port: Int { server.localAddress?.port ?? 0 }

    func address(login: EgressProxy.Login? = nil) -> EgressProxy {
        EgressProxy(kind, host: "127.0.0.1", port: port, login: login)
    }

    /// Stops all traffic in both directions without a notice, like a pulled cable.
    func freeze() {
        isFrozen.set()
    }

    /// Returns once `count` bytes from clients have been dropped.
    func waitForLoss(of count: Int) async throws {
        try await isFrozen.lost.wait { $0 >= count }
    }

    /// Closes every connection through it, as a proxy that is restarted.
    func cut() {
        for channel in open.update({ channels in
            defer { channels = [] }; return channels
        }) { channel.close(promise: nil) }
    }

    func stop() async {
        try? await server.close()
        cut()
    }
}

/// Something that happens once.
final class ProxyFlag: Sendable {
    /// The number of bytes from clients that came afterwards and were dropped.
    let lost = AwaitableValue(0)
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

    func set() {
        value.store(true, ordering: .sequentiallyConsistent)
    }
}

/// Reads what the client wants of the proxy, and then only passes bytes on.
private final class TestProxyHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        case start, login, request, connecting
    }

    private let kind: EgressProxy.Kind
    private let login: EgressProxy.Login?
    private let refuses: Bool
    private let tunnels: AwaitableValue<[String]>
    private let isFrozen: ProxyFlag
    private var phase = Phase.start
    private var received = ByteBuffer()

    init(
        kind: EgressProxy.Kind, login: EgressProxy.Login?, refuses: Bool, tunnels: AwaitableValue<[String]>,
        isFrozen: ProxyFlag
    ) {
        self.isFrozen = isFrozen
        self.kind = kind
        self.login = login
        self.refuses = refuses
        self.tunnels = tunnels
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        received.writeBuffer(&data)
        switch kind {
        case .http: readConnect(context)
        case .socks: while readSOCKS(context) {}
        }
    }

    private func say(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    private func readConnect(_ context: ChannelHandlerContext) {
        let text = String(buffer: received)
        guard phase == .start, text.hasSuffix("\r\n\r\n") else { return }
        received.clear()
        let lines = text.split(separator: "\r\n")
        let target = lines[0].split(separator: " ")[1]
        if let login {
            let wanted = "Basic " + Data("\(login.user):\(login.password)".utf8).base64EncodedString()
            let name = "proxy-authorization: "
            guard lines.contains(where: { $0.lowercased().hasPrefix(name) && $0.dropFirst(name.count) == wanted })
            else {
                return say(ByteBuffer(string: "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"), context)
            }
        }
        guard !refuses, let colon = target.lastIndex(of: ":"), let port = Int(target[target.index(after: colon)...])
        else {
            return say(ByteBuffer(string: "HTTP/1.1 403 Forbidden\r\n\r\n"), context)
        }
        connect(
            String(target[..<colon]), port, said: ByteBuffer(string: "HTTP/1.1 200 OK\r\nvia: test\r\n\r\n"), context)
    }

    /// - Returns: whether there may be more to read.
    private func readSOCKS(_ context: ChannelHandlerContext) -> Bool {
        switch phase {
        case .start:
            guard let count: UInt8 = received.getInteger(at: received.readerIndex + 1),
                let greeting = received.readBytes(length: 2 + Int(count))
            else { return false }
            let wanted: UInt8 = login == nil ? 0 : 2
            guard greeting[2...].contains(wanted) else {
                say(ByteBuffer(bytes: [5, 0xFF]), context)
                return false
            }
            phase = login == nil ? .request : .login
            say(ByteBuffer(bytes: [5, wanted]), context)
        case .login:
            guard let userLength: UInt8 = received.getInteger(at: received.readerIndex + 1),
                let length: UInt8 = received.getInteger(at: received.readerIndex + 2 + Int(userLength)),
                let bytes = received.readBytes(length: 3 + Int(userLength) + Int(length))
            else { return false }
            let user = String(decoding: bytes[2..<(2 + Int(userLength))], as: UTF8.self)
            let password = String(decoding: bytes[(3 + Int(userLength))...], as: UTF8.self)
            guard user == login?.user, password == login?.password else {
                say(ByteBuffer(bytes: [1, 1]), context)
                return false
            }
            phase = .request
            say(ByteBuffer(bytes: [1, 0]), context)
        case .request:
            guard let length: UInt8 = received.getInteger(at: received.readerIndex + 4),
                let bytes = received.readBytes(length: 5 + Int(length)), let port: UInt16 = received.readInteger()
            else { return false }
            guard !refuses else {
                say(ByteBuffer(bytes: [5, 2, 0, 1, 0, 0, 0, 0, 0, 0]), context)
                return false
            }
            connect(
                String(decoding: bytes[5...], as: UTF8.self), Int(port),
                said: ByteBuffer(bytes: [5, 0, 0, 1, 127, 0, 0, 1, 0, 0]), context)
        case .connecting: break
        }
        return phase != .connecting && received.readableBytes > 0
    }

    private func connect(_ host: String, _ port: Int, said answer: ByteBuffer, _ context: ChannelHandlerContext) {
        phase = .connecting
        tunnels.update { $0.append("\(host):\(port)") }
        let (client, loop) = (context.channel, context.eventLoop)
        let this = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connect(host: host, port: port)
            .whenComplete { result in
                guard case .success(let target) = result else { return client.close(promise: nil) }
                client.writeAndFlush(answer, promise: nil)
                client.pipeline.syncOperations.removeHandler(this.value).assumeIsolated().whenSuccess {
                    let isFrozen = this.value.isFrozen
                    try? client.pipeline.syncOperations.addHandler(
                        Pipe(to: target, isFrozen: isFrozen, lost: isFrozen.lost))
                    try? target.pipeline.syncOperations.addHandler(Pipe(to: client, isFrozen: isFrozen))
                }
            }
    }
}

/// Passes everything on to another channel.
private final class Pipe: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private let isFrozen: ProxyFlag
    private let lost: AwaitableValue<Int>?

    /// - Parameter lost: counts the bytes that do not pass.
    init(to other: any Channel, isFrozen: ProxyFlag, lost: AwaitableValue<Int>? = nil) {
        self.isFrozen = isFrozen
        self.other = other
        self.lost = lost
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if isFrozen.isSet {
            lost?.update { $0 += bytes.readableBytes }
        } else {
            other.writeAndFlush(bytes, promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let other = other
        other.writeAndFlush(ByteBuffer()).whenComplete { _ in other.close(promise: nil) }
    }
}
