import Core
import Logging
import NIOCore
import Synchronization

/// Sends requests to one service over one or a few long-lived HTTP/2 connections.
///
/// All connections live on one event loop, so that nothing but the way in needs a lock: requests are put into an inbox, and
/// the loop takes all that have come since it last looked. It writes them together, which costs one encryption and one
/// system call for many.
final class HTTP2Client: Sendable {
    private struct Inbox {
        var exchanges: [HTTP2Exchange] = []
        /// Whether the loop will come and look.
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

    /// Sends a request and waits for the answer. When the task is cancelled the stream is reset.
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

    /// How many connections there are, or are being made.
    var connectionCount: Int {
        get async { (try? await loop.submit { self.pool.value.connectionCount }.get()) ?? 0 }
    }

    /// For tests: how many requests wait or are under way.
    var requestCount: Int {
        get async { (try? await loop.submit { self.pool.value.requestCount }.get()) ?? 0 }
    }

    /// Sees to it that time goes by for the pool, while there is anything in it.
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
