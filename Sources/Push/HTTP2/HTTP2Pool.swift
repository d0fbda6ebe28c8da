import Core
import Logging
import NIOCore

/// The connections of an ``HTTP2Client`` and the requests that wait for one. Everything here happens on one event loop.
final class HTTP2Pool {
    let time: any TimeSource
    private let loop: any EventLoop
    private let connector: HTTP2Connector
    private let settings: HTTP2ClientSettings
    private let name: String
    private let logger: Logger
    private let log: LogLimiter

    /// The usable ones.
    private var connections: [HTTP2Connection] = []
    /// The connections that close after their last response.
    private var leaving: [HTTP2Connection] = []
    private var attempt: HTTP2Connector.Attempt?
    private var queue = CircularBuffer<HTTP2Exchange>()
    private var connectionsMade = 0
    /// The number of consecutive failed attempts and connections without any response.
    private var failures = 0
    private var nextAttempt = Duration.zero
    private var lastFailure = ""
    /// The service's reason for ending the last connection without any response.
    private var lastGoAway: String?
    private var saturatedSince: Duration?
    private var willLookAgain = false
    private var isClosed = false
    private var generator = SystemRandomNumberGenerator()

    init(
        name: String, connector: HTTP2Connector, settings: HTTP2ClientSettings, loop: any EventLoop,
        time: any TimeSource, logger: Logger
    ) {
        self.name = name
        self.connector = connector
        self.settings = settings
        self.loop = loop
        self.time = time
        self.logger = logger
        log = LogLimiter(logger: logger, time: time)
    }

    /// True if no timer is needed: there are no connections, attempts or queued requests.
    var isIdle: Bool { connections.isEmpty && leaving.isEmpty && attempt == nil && queue.isEmpty }

    // MARK: Requests

    func submit(_ exchanges: [HTTP2Exchange]) {
        for exchange in exchanges {
            if exchange.isCancelled {
                exchange.fail(.cancelled, "it was cancelled", mayHaveArrived: false)
            } else if isClosed {
                exchange.fail(.closed, "the connections to \(name) are closed", mayHaveArrived: false)
            } else {
                queue.append(exchange)
            }
        }
        dispatch()
    }

    func cancel(_ exchange: HTTP2Exchange) {
        exchange.isCancelled = true
        // In the queue it is passed over when its turn comes; before it has reached the queue, when it does.
        if let (connection, id) = exchange.stream {
            exchange.fail(.cancelled, "it was cancelled", mayHaveArrived: true)
            connection.reset(id)
            dispatch()
            connection.flush()
        } else if queue.contains(where: { $0 === exchange }) {
            exchange.fail(.cancelled, "it was cancelled", mayHaveArrived: false)
        }
    }

    /// Passes waiting requests to the connections that have room; when none has, or all have much to do, opens another
    /// connection.
    func dispatch() {
        startWaiting()
        for connection in connections { connection.flush() }
        if queue.isEmpty, !isCrowded { saturatedSince = nil } else { grow() }
    }

    private var isCrowded: Bool {
        guard !connections.isEmpty, connections.count < settings.maximumConnections else { return false }
        return connections.allSatisfy { $0.streams.count >= settings.preferredStreams }
    }

    private func startWaiting() {
        while let next = queue.first {
            if next.isEnded {
                queue.removeFirst()
                continue
            }
            guard let connection = roomiest() else { return }
            queue.removeFirst()
            connection.start(next)
        }
    }

    private func roomiest() -> HTTP2Connection? {
        guard let first = connections.first else { return nil }
        guard connections.count > 1 else { return first.room > 0 ? first : nil }
        return connections.filter { $0.room > 0 }.max { $0.room < $1.room }
    }

    /// Requests that a connection surely did not process go first elsewhere.
    func takeBack(_ exchanges: [HTTP2Exchange], reason: String, from connection: HTTP2Connection) {
        for exchange in exchanges.reversed() where !exchange.isEnded {
            exchange.stream = nil
            exchange.repeats += 1
            if exchange.repeats > settings.maximumRepeats {
                exchange.fail(
                    .connectionLost, "\(reason), \(exchange.repeats) times", mayHaveArrived: false,
                    connection: connection.number, goAway: connection.goAway)
            } else {
                queue.prepend(exchange)
            }
        }
    }

    // MARK: Connections

    private func grow() {
        guard attempt == nil else { return }
        let now = time.uptime
        if connections.isEmpty {
            if now >= nextAttempt {
                connect(now: now)
            } else {
                failQueue("no connection: \(lastFailure)", retryAfter: nextAttempt - now)
            }
        } else if connections.count < settings.maximumConnections, now >= nextAttempt {
            let since = saturatedSince ?? now
            saturatedSince = since
            if now - since >= settings.saturation {
                connect(now: now)
            } else {
                lookAgain(at: since + settings.saturation)
            }
        }
    }

    /// Schedules a dispatch: until a response arrives, no other event triggers one.
    private func lookAgain(at wakeUp: Duration) {
        guard !willLookAgain else { return }
        willLookAgain = true
        let pool = NIOLoopBound(self, eventLoop: loop)
        Task { [time, loop] in
            try? await time.sleep(untilUptime: wakeUp)
            loop.execute {
                pool.value.willLookAgain = false
                pool.value.dispatch()
            }
        }
    }

    private func connect(now: Duration) {
        connectionsMade += 1
        let attempt = connector.connect(number: connectionsMade, on: loop, now: now, pool: self)
        self.attempt = attempt
        attempt.connection.ready.futureResult.assumeIsolated().whenComplete { result in
            self.attempt = nil
            switch result {
            case .success: self.connected(attempt.connection)
            case .failure(let error): self.failedToConnect("\(error)")
            }
        }
    }

    private func connected(_ connection: HTTP2Connection) {
        guard !isClosed else { return connection.close(reason: "the client is closed") }
        logger.debug("connected to \(name)", metadata: ["connection": "\(connection.number)"])
        log.recovered("connection") { "connected to \(name) again after \($0) failed attempts" }
        saturatedSince = nil
        connections.append(connection)
        dispatch()
    }

    private func failedToConnect(_ reason: String) {
        guard !isClosed else { return }
        lastFailure = reason
        let pause = backOff()
        log.log(
            "connection", at: .warning,
            "no connection to \(name), tried again in \((pause.inSeconds * 10).rounded() / 10) s at the earliest: \(reason)"
        )
        if connections.isEmpty { failQueue("no connection: \(reason)", retryAfter: pause) }
    }

    private func backOff() -> Duration {
        failures += 1
        let longest = min(settings.firstBackOff * (1 << min(failures - 1, 20)), settings.longestBackOff)
        let pause = longest * Double.random(in: 0.5...1, using: &generator)
        nextAttempt = time.uptime + pause
        return pause
    }

    private func failQueue(_ reason: String, retryAfter: Duration?) {
        let waiting = queue
        queue = CircularBuffer()
        for exchange in waiting {
            exchange.fail(
                .unreachable, reason, mayHaveArrived: false, retryAfter: retryAfter, connection: connectionsMade,
                goAway: lastGoAway)
        }
    }

    /// Resets the failures: a response on a connection shows that the service is reachable.
    func answered(_ connection: HTTP2Connection) {
        guard failures > 0 else { return }
        failures = 0
        lastGoAway = nil
    }

    /// The service takes no more requests on this connection.
    func leaving(_ connection: HTTP2Connection) {
        guard let index = connections.firstIndex(where: { $0 === connection }) else { return }
        connections.remove(at: index)
        leaving.append(connection)
        logger.info(
            "\(name) ends a connection: \(connection.goAway ?? "retired")",
            metadata: ["connection": "\(connection.number)"])
        guard !connection.hasAnswered else { return }
        lastGoAway = connection.goAway
        lastFailure = "the service ends connections: \(connection.goAway ?? "without a reason")"
        _ = backOff()
    }

    func ended(_ connection: HTTP2Connection) {
        leaving.removeAll { $0 === connection }
        if let index = connections.firstIndex(where: { $0 === connection }) {
            connections.remove(at: index)
            lastFailure = connection.closeReason ?? "the connection was closed"
            logger.info(
                "a connection to \(name) has ended: \(lastFailure)", metadata: ["connection": "\(connection.number)"])
            if !connection.hasAnswered { _ = backOff() }
        }
        // For one that was leaving too: when it ends in the same read as its GOAWAY, it does not come to the end of that
        // read, where it would have had what was taken back from it sent elsewhere.
        dispatch()
    }

    /// Closes a connection to new requests; its open requests continue to their end.
    func retire(_ number: Int) {
        guard let connection = connections.first(where: { $0.number == number }) else { return }
        leaving(connection)
        connection.drain()
    }

    /// Logs the acknowledgement of a `PING`.
    func pong(_ connection: HTTP2Connection) {
        logger.trace("\(name) acknowledged a PING", metadata: ["connection": "\(connection.number)"])
    }

    // MARK: Time

    /// Processes everything that is due.
    ///
    /// - Returns: the time of the next call; nil when none is needed.
    func tick() -> Duration? {
        let now = time.uptime
        // Requests that begin between this call and the next are due no earlier.
        var next = now + min(settings.requestTimeout, settings.connectTimeout)
        if let attempt {
            if attempt.deadline <= now {
                attempt.abandon("it took longer than \(settings.connectTimeout.inSeconds) s")
            } else {
                next = min(next, attempt.deadline)
            }
        }
        while let first = queue.first, first.isEnded || first.deadline <= now {
            queue.removeFirst()
            first.fail(
                .timedOut, "no connection had room within \(settings.requestTimeout.inSeconds) s",
                mayHaveArrived: false)
        }
        if let first = queue.first { next = min(next, first.deadline) }
        for connection in connections + leaving { next = min(next, connection.tick(now: now)) }
        dispatch()
        return isIdle ? nil : next
    }

    func close() {
        isClosed = true
        for exchange in queue {
            exchange.fail(.closed, "the connections to \(name) are closed", mayHaveArrived: false)
        }
        queue = CircularBuffer()
        attempt?.abandon("the client is closed")
        for connection in connections + leaving { connection.close(reason: "the client is closed") }
    }

    /// The number of connections in any state, for tests.
    var connectionCount: Int { connections.count + leaving.count + (attempt == nil ? 0 : 1) }

    /// The number of requests that wait or are under way, for tests.
    var requestCount: Int { (connections + leaving).reduce(queue.count) { $0 + $1.streams.count } }
}
