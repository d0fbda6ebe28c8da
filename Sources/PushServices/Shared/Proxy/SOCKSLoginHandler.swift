import Foundation
import NIOCore

/// Asks a SOCKS 5 proxy that wants a user and a password (RFC 1928, RFC 1929) for a connection.
///
/// swift-nio-extras' handler knows no logins. This one goes into the pipeline of a connection to the proxy and leaves it when
/// the proxy has connected.
final class SOCKSLoginHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Why the proxy did not connect.
    enum Failure: Error, Hashable, CustomStringConvertible {
        /// It wants another kind of login, or none of the two that are known.
        case noMethod
        case loginRefused
        /// By the code of RFC 1928, section 6.
        case refused(code: UInt8)
        case notSOCKS
        case closed

        var description: String {
            switch self {
            case .noMethod: "the SOCKS proxy wants another kind of login than user and password"
            case .loginRefused: "the SOCKS proxy refuses the login"
            case .refused(let code): "the SOCKS proxy does not connect (\(Self.meaning(of: code)))"
            case .notSOCKS: "the proxy does not speak SOCKS 5"
            case .closed: "the SOCKS proxy closed the connection"
            }
        }

        private static func meaning(of code: UInt8) -> String {
            switch code {
            case 1: "general failure"
            case 2: "not allowed by its rules"
            case 3: "network unreachable"
            case 4: "host unreachable"
            case 5: "connection refused"
            case 6: "time to live expired"
            case 7: "command not supported"
            case 8: "address type not supported"
            default: "code \(code)"
            }
        }
    }

    private enum Step {
        case method, login, connection
    }

    private let login: EgressProxy.Login
    private let host: String
    private let port: Int
    private let connected: EventLoopPromise<Void>
    private var step = Step.method
    private var received = ByteBuffer()
    private var isOver = false

    /// - Parameters:
    ///   - login: user and password of at most 255 bytes each.
    ///   - host: where to, a name of at most 255 bytes, which the proxy resolves, or an IP address.
    ///   - connected: told when the proxy has connected, or why it has not.
    init(login: EgressProxy.Login, host: String, port: Int, connected: EventLoopPromise<Void>) {
        self.login = login
        self.host = host
        self.port = port
        self.connected = connected
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { greet(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        greet(context)
        context.fireChannelActive()
    }

    /// Offers no login (0) and user and password (2).
    private func greet(_ context: ChannelHandlerContext) {
        send([5, 2, 0, 2], context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return context.fireChannelRead(data) }
        var part = unwrapInboundIn(data)
        received.writeBuffer(&part)
        while !isOver, advance(context) {}
        if isOver, received.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(received))
            received.clear()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.failure(.closed))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.failure(.closed))
        context.close(promise: nil)
    }

    /// - Returns: whether there was an answer to go on with.
    private func advance(_ context: ChannelHandlerContext) -> Bool {
        switch step {
        case .method:
            guard let answer = received.readBytes(length: 2) else { return false }
            guard answer[0] == 5 else { return end(.failure(.notSOCKS)) }
            switch answer[1] {
            case 0: askForConnection(context)
            case 2:
                let (user, password) = (Array(login.user.utf8.prefix(255)), Array(login.password.utf8.prefix(255)))
                send([1, UInt8(user.count)] + user + [UInt8(password.count)] + password, context)
                step = .login
            default: return end(.failure(.noMethod))
            }
        case .login:
            guard let answer = received.readBytes(length: 2) else { return false }
            guard answer[1] == 0 else { return end(.failure(.loginRefused)) }
            askForConnection(context)
        case .connection:
            let start = received.readerIndex
            guard let length = connectionAnswerLength(start) else { return false }
            guard length > 0 else { return end(.failure(.notSOCKS)) }
            let code = received.getInteger(at: start + 1, as: UInt8.self) ?? 1
            received.moveReaderIndex(forwardBy: length)
            return end(code == 0 ? .success(()) : .failure(.refused(code: code)))
        }
        return true
    }

    /// - Returns: nil as long as it is not there whole, 0 when it is none.
    private func connectionAnswerLength(_ start: Int) -> Int? {
        guard let head = received.getBytes(at: start, length: 5) else { return nil }
        guard head[0] == 5 else { return 0 }
        let address: Int
        switch head[3] {
        case 1: address = 4
        case 3: address = 1 + Int(head[4])
        case 4: address = 16
        default: return 0
        }
        let length = 4 + address + 2
        return received.readableBytes >= length ? length : nil
    }

    private func askForConnection(_ context: ChannelHandlerContext) {
        var request = ByteBuffer(bytes: [5, 1, 0])
        if let address = Self.bytes(of: host, family: AF_INET, count: 4) {
            request.writeBytes([1] + address)
        } else if let address = Self.bytes(of: host, family: AF_INET6, count: 16) {
            request.writeBytes([4] + address)
        } else {
            let name = Array(host.utf8.prefix(255))
            request.writeBytes([3, UInt8(name.count)] + name)
        }
        request.writeInteger(UInt16(truncatingIfNeeded: port))
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
        step = .connection
    }

    /// - Returns: the bytes of an IP address; nil when it is none of that family.
    private static func bytes(of address: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, address, &bytes) == 1 ? bytes : nil
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    @discardableResult
    private func end(_ result: Result<Void, Failure>) -> Bool {
        guard !isOver else { return false }
        isOver = true
        switch result {
        case .success: connected.succeed(())
        case .failure(let failure): connected.fail(failure)
        }
        return false
    }
}
