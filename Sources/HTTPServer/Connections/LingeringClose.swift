import Core
import NIOCore

/// The handler next to the socket, below TLS: ends a connection so that its client gets everything that was written.
///
/// NIO drops pending writes when a channel is closed, and several parts close it: the guards of both protocols, TLS, the
/// HTTP/2 connection manager, and NIO's asynchronous channel when Hummingbird's task ends. For each of them:
/// - A close waits until the system has taken all pending writes.
/// - A close of the output is then a lingering close (RFC 9112, 9.6): data that still comes is discarded, and the socket is
///   closed when the client has closed its side, or ``HTTPServerSettings/lingerTime`` after the client has acknowledged
///   everything. A socket that is closed while its client sends would reset the connection, and the reset would overtake the
///   response's end.
/// - A client that takes nothing for ``HTTPServerSettings/stalledResponseTime``, or that is too slow in all, is cut off with a
///   warning.
final class LingeringClose: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The client's progress in receiving the data.
    private struct Progress {
        /// Bytes that the system has taken.
        var accepted = 0
        /// Memory of the data that the client's system has not acknowledged.
        var queued = 0
    }

    private let lingerTime: TimeAmount
    private let log: LogLimiter
    private var clock: ResponseTimer
    private var alarm: MovableDeadline?
    private var context: ChannelHandlerContext?
    private var written = 0
    private var progress = Progress()
    private var isInputClosed = false
    /// The closes that wait for pending writes.
    private var waitingCloses = 0
    /// A close has been asked for: nothing that comes is passed on.
    private var isClosing = false
    private var discardableBytes: Int
    /// The time of the check whether the client has received everything, once the output is closed.
    private var lingerDeadline: NIODeadline?

    init(settings: HTTPServerSettings, log: LogLimiter) {
        self.log = log
        lingerTime = TimeAmount(settings.lingerTime)
        discardableBytes = settings.lingerBytes
        clock = ResponseTimer(settings: settings)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        alarm = MovableDeadline(eventLoop: context.eventLoop) { [weak self] in self?.handleTimeout() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        alarm?.cancel()
        alarm = nil
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        alarm?.cancel()
        context.fireChannelInactive()
    }

    // MARK: Closing

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input else {
            context.close(mode: mode, promise: promise)
            return
        }
        isClosing = true
        waitingCloses += 1
        // This write is done when all before it are: at once when nothing is pending.
        let last = context.eventLoop.makePromise(of: Void.self)
        last.futureResult.assumeIsolated().whenComplete { [self] _ in
            waitingCloses -= 1
            watch(context)
            let isHalf = mode == .output && !isInputClosed && context.channel.isActive
            context.close(mode: isHalf ? .output : .all, promise: promise)
            if isHalf { linger(context) }
        }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: last)
        watch(context)
    }

    private func linger(_ context: ChannelHandlerContext) {
        guard lingerDeadline == nil else { return }
        clock.begin(at: context.eventLoop.now)
        progress = currentProgress(context)
        lingerDeadline = context.eventLoop.now + lingerTime
        alarm?.set(lingerDeadline)
        context.read()
    }

    // MARK: The client's data

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isClosing {
            discardableBytes -= unwrapInboundIn(data).readableBytes
        } else {
            context.fireChannelRead(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isClosing { read(context: context) }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if !isClosing || discardableBytes > 0 { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            isInputClosed = true
            if lingerDeadline != nil { context.close(promise: nil) }
            guard !isClosing else { return }
        }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: The client's progress

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        watch(context)
        context.fireChannelWritabilityChanged()
    }

    /// Watches the client while the channel's buffer is full or a close waits.
    private func watch(_ context: ChannelHandlerContext) {
        guard lingerDeadline == nil else { return }
        if context.channel.isWritable, waitingCloses == 0 {
            clock.end()
        } else if !clock.isWaiting {
            clock.begin(at: context.eventLoop.now)
            progress = currentProgress(context)
        }
        alarm?.set(clock.deadline)
    }

    private func currentProgress(_ context: ChannelHandlerContext) -> Progress {
        let pending = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
        return Progress(accepted: written - (pending ?? 0), queued: SendQueue.bytes(of: context.channel))
    }

    private func handleTimeout() {
        guard let context else { return }
        let now = context.eventLoop.now
        let current = currentProgress(context)
        if current.accepted > progress.accepted || current.queued < progress.queued {
            clock.took(current.accepted - progress.accepted, at: now)
            progress = current
        }
        let isStalled = clock.deadline.map { $0 <= now } ?? false
        if lingerDeadline != nil, current.queued == 0 {
            context.close(promise: nil)
        } else if isStalled {
            log.reached("time to read a response", by: context.remoteAddress?.ipAddress, "cut off a response")
            context.close(promise: nil)
        } else {
            lingerDeadline = lingerDeadline.map { _ in now + lingerTime }
            alarm?.set(lingerDeadline ?? clock.deadline)
        }
    }
}

/// The data of a connection that the system holds until the client's system has acknowledged it.
enum SendQueue {
    /// The value of `SO_MEMINFO` (`linux/sock_diag.h`): nine counters, of which the sixth is `SK_MEMINFO_WMEM_QUEUED`.
    private struct MemoryInfo {
        let receiveAllocated, receiveBuffer, sendAllocated, sendBuffer, forwardAllocated: UInt32
        let sendQueued: UInt32
        let options, backlog, drops: UInt32
    }

    private static let memoryInfo = NIOBSDSocket.Option(rawValue: 55)

    /// Returns how much memory unacknowledged data takes, a queued end of the connection included. It shrinks only while the
    /// client's system acknowledges data. 0 where the system does not say.
    ///
    /// Call it on the channel's event loop.
    static func bytes(of channel: any Channel) -> Int {
        var result = 0
        if let socket = channel as? any SocketOptionProvider {
            let queued: EventLoopFuture<MemoryInfo> = socket.unsafeGetSocketOption(level: .socket, name: memoryInfo)
            // On the event loop the value is available at once.
            queued.assumeIsolated().whenSuccess { result = Int($0.sendQueued) }
        }
        return result
    }
}

/// Closes a channel with the last reference to this object; does nothing if it is closed.
final class ChannelCloser: Sendable {
    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    deinit { channel.close(promise: nil) }
}

extension NIOAsyncChannel {
    /// Keeps the channel's writer until the channel is closed. NIO ends the process when the writer of an open channel is released
    /// (`Deinited NIOAsyncWriter without calling finish()`), which happens where a cancelled task leaves channels behind in a
    /// sequence.
    func keepUntilClosed() {
        channel.closeFuture.whenComplete { _ in withExtendedLifetime(self) {} }
    }
}
