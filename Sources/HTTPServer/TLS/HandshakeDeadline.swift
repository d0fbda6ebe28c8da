import Core
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// Closes a connection whose TLS handshake takes too long, and logs handshakes that fail.
final class HandshakeDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let time: TimeAmount
    private let log: LogLimiter
    private var timeout: Scheduled<Void>?
    /// The client's address, which a closed connection no longer has.
    private var address: String?
    /// True if the handshake has succeeded, or its failure was logged.
    private var isOver = false

    init(time: Duration, log: LogLimiter) {
        self.time = TimeAmount(time)
        self.log = log
    }

    func handlerAdded(context: ChannelHandlerContext) {
        address = context.remoteAddress?.ipAddress
        timeout = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            isOver = true
            log.reached(
                "time for a TLS handshake", by: context.remoteAddress?.ipAddress, "closed a connection")
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timeout?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timeout?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event {
            isOver = true
            timeout?.cancel()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isOver { report(error, address) }
        context.fireErrorCaught(error)
    }

    /// Does not report a client that disconnects during the handshake: load balancers do so to check the port.
    private func report(_ error: any Error, _ address: String?) {
        guard case NIOSSLError.handshakeFailed(.sslError(let causes)) = error, !causes.contains(.eofDuringHandshake)
        else { return }
        isOver = true
        // Such as CERTIFICATE_UNKNOWN, without the position in BoringSSL's source.
        let cause = causes.map { cause in
            cause.description.firstMatch(of: /OPENSSL_internal:(\w+)/).map { String($0.1) } ?? cause.description
        }.joined(separator: ", ")
        if cause.contains("UNSUPPORTED_PROTOCOL") {
            log.reached("tls.minimumVersion", by: address, "refused a TLS handshake of an older version")
        } else {
            log.log(
                "TLS handshake", at: .notice,
                "a TLS handshake with \(address ?? "an unknown address") failed: \(cause)")
        }
    }
}
