import Core
import Logging
import NIOCore
import NIOHTTP2
import Synchronization

/// Sends requests to one service over one or a few long-lived HTTP/2 connections.
///
/// All connections live on one event loop, so that only the submission of a request needs a lock: requests are put into an inbox, and the loop takes
/// all that have arrived since its last pass. It writes them together, which costs one encryption and one system call for many.
final class HTTP2Client: Sendable {
    private struct Inbox {
        var exchanges: [HTTP2Exchange] = []
        /// True if the loop is scheduled to empty the inbox.
        var isAnnounced = false
    }

    private let loop: any EventLoop
    private let pool: NIOLoopBoundBox<HTTP2Pool>
    private let settings: HTTP2ClientSettings
    private let time: any TimeSource
    private let inbox = Mutex(Inbox())
    /// Runs while there are connections or requests.
    private let clock = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - name: the service's, for the log and for reasons.
    ///   - loop: where everything happens.
    init(name: String, connector: HTTP2Connector, loop: any EventLoop, time: any TimeSource, logger: Logger) {
        self.loop = loop
        self.time = time
        settings = connector.settings
        pool = NIOLoopBoundBox.makeBoxSendingValue(
            HTTP2Pool(
                name: name, connector: connector, settings: connector.settings, loop: loop, time: time, logger: logger),
            eventLoop: loop)
    }

    /// Closes the connections: without the client no timer would end them.
    deinit { loop.execute { [pool] in pool.value.close() } }

    /// Sends a request and waits for the response. A cancelled task resets the stream.
    func send(_ request: HTTP2Request) async -> Result<HTTP2Response, HTTP2RequestError> {
        let exchange = HTTP2Exchange(request, deadline: time.uptime + settings.requestTimeout)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.wait(with: continuation)
                put(exchange)
            }
        } onCancel: {
            loop.execute { self.pool.value.cancel(exchange) }
        }
    }

    private func put(_ exchange: HTTP2Exchange) {
        let isFirst = inbox.withLock { inbox in
            inbox.exchanges.append(exchange)
            defer { inbox.isAnnounced = true }
            return !inbox.isAnnounced
        }
        if isFirst { loop.execute { self.takeInbox() } }
    }

    private func takeInbox() {
        let exchanges = inbox.withLock { inbox in
            inbox.isAnnounced = false
            var taken: [HTTP2Exchange] = []
            swap(&taken, &inbox.exchanges)
            return taken
        }
        pool.value.submit(exchanges)
        keepTime()
    }

    /// Uses a connection no more after what is under way on it; the next request makes another.
    func retire(connection: Int) {
        loop.execute { self.pool.value.retire(connection) }
    }

    /// Ends all connections. Requests that are under way fail.
    func close() async {
        try? await loop.submit { self.pool.value.close() }.get()
        let task = clock.withLock { $0 }
        task?.cancel()
    }

    /// The number of connections, including those that are being made.
    var connectionCount: Int {
        get async { (try? await loop.submit { self.pool.value.connectionCount }.get()) ?? 0 }
    }

    /// The number of requests that wait or are under way, for tests.
    var requestCount: Int {
        get async { (try? await loop.submit { self.pool.value.requestCount }.get()) ?? 0 }
    }

    /// Runs the timer of the pool while it is not empty.
    private func keepTime() {
        clock.withLock { clock in
            guard clock == nil else { return }
            clock = Task { [weak self, time] in
                while let wakeUp = await self?.tick() {
                    do { try await time.sleep(untilUptime: wakeUp) } catch { break }
                }
            }
        }
    }

    private func tick() async -> Duration? {
        try? await loop.submit {
            let next = self.pool.value.tick()
            // Here on the loop, so that no request can come in between.
            if next == nil { self.clock.withLock { $0 = nil } }
            return next
        }.get()
    }
}

/// The connection settings of an ``HTTP2Client``. The defaults suit APNs.
struct HTTP2ClientSettings: Sendable, Hashable {
    /// The most connections at a time. The original had three to APNs (`push.apns.connections`, server-api 5.4).
    var maximumConnections = 3
    /// The time for which every stream of every connection must have been in use before another connection is made. Apple's service allows a new
    /// connection one stream until it has seen a token, which must not lead to more connections.
    var saturation: Duration = .milliseconds(250)
    /// Another connection is opened when each connection has had at least this many open requests for that time: the more streams a
    /// connection has, the more each costs (benchmarks/README.md).
    var preferredStreams = 150
    /// The most requests under way on a connection, however many the service allows.
    var maximumStreams = 1000
    /// For name resolution, TCP, proxy, TLS and the service's first settings together.
    var connectTimeout: Duration = .seconds(10)
    /// The timeout of a request, from its submission to the complete response.
    var requestTimeout: Duration = .seconds(30)
    /// A `PING` is sent when nothing has been heard for so long.
    var pingAfter: Duration = .seconds(60)
    /// The time after a `PING` without any received data after which the connection is closed.
    var pingTimeout: Duration = .seconds(10)
    /// The wait after a failed connection attempt, doubled with each further failure. The actual wait is random, between half of this and all of it,
    /// so that several servers do not reconnect together.
    var firstBackOff: Duration = .milliseconds(500)
    var longestBackOff: Duration = .seconds(60)
    /// The number of times that a request that was certainly not processed is repeated on another connection before it fails.
    var maximumRepeats = 3
    /// The largest size of a response's body, in bytes.
    var maximumBody = 16 * 1024
    /// The largest size of a response's header fields, in bytes.
    var maximumHeaders = 16 * 1024
}

/// An open request, and the task that waits for its response.
///
/// `@unchecked Sendable`: mutable state is used only on the client's event loop. The one exception is the continuation, which the sender sets before
/// it puts the request into the client's inbox; the inbox's lock orders that before everything the loop does with it.
final class HTTP2Exchange: @unchecked Sendable {
    typealias Outcome = Result<HTTP2Response, HTTP2RequestError>

    let request: HTTP2Request
    /// The deadline, by the client's time source.
    let deadline: Duration

    /// The waiting task; nil once there is an outcome.
    private var continuation: CheckedContinuation<Outcome, Never>?
    /// The connection and the stream that carry the request.
    var stream: (connection: HTTP2Connection, id: HTTP2StreamID)?
    /// The number of times that a connection returned it unprocessed.
    var repeats = 0
    /// True if it was cancelled, which may happen before the loop has first seen it.
    var isCancelled = false

    init(_ request: HTTP2Request, deadline: Duration) {
        self.request = request
        self.deadline = deadline
    }

    /// Sets the continuation. Call this once, before other code has the request.
    func wait(with continuation: CheckedContinuation<Outcome, Never>) {
        self.continuation = continuation
    }

    var isEnded: Bool { continuation == nil }

    /// Resumes the waiting task with the outcome. Only the first counts.
    func end(_ outcome: Outcome) {
        stream = nil
        continuation?.resume(returning: outcome)
        continuation = nil
    }

    func fail(
        _ kind: HTTP2RequestError.Kind, _ reason: String, mayHaveArrived: Bool, retryAfter: Duration? = nil,
        connection: Int? = nil, goAway: String? = nil
    ) {
        end(
            .failure(
                HTTP2RequestError(
                    kind: kind, reason: reason, mayHaveArrived: mayHaveArrived, retryAfter: retryAfter,
                    connection: connection, goAway: goAway)))
    }
}
