import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PushModel
import Synchronization

/// One request and its answer. The event loop fills it; the thread that asked waits in it and keeps the time.
final class Exchange: HTTPClientResponseDelegate, Sendable {
    typealias Response = Void

    private struct State {
        var isConnected = false
        var isSent = false
        var lastActivity = ContinuousClock().now
        var head: HTTPResponseHead?
        var body = ByteBuffer()
    }

    /// An answer that arrived whole.
    struct Answer: Sendable {
        let head: HTTPResponseHead
        let body: ByteBuffer
    }

    private let state = Mutex(State())
    private let end = Promise<Result<Void, any Error>>()
    private let peer: String
    private let limits: ExchangeLimits

    /// - Parameter peer: to whom it connects, for people.
    init(with peer: String, limits: ExchangeLimits) {
        self.peer = peer
        self.limits = limits
    }

    /// Sends `request` and waits for the whole answer; the thread is blocked meanwhile.
    func run(_ request: HTTPClient.Request, on client: HTTPClient) throws(ExchangeError) -> Answer {
        let task = client.execute(request: request, delegate: self)
        task.futureResult.whenComplete { self.end.fulfill($0) }
        let started = ContinuousClock().now
        while true {
            // Once connected, the alarm may come sooner than it looked before, but never within one socket timeout.
            let look = min(nextAlarm(started: started).time, ContinuousClock().now + limits.socketTimeout)
            if let result = end.wait(until: look, unless: limits.isGivenUp) { return try answer(result) }
            if limits.isGivenUp?() == true {
                task.cancel()
                throw .givenUp
            }
            let alarm = nextAlarm(started: started)
            guard ContinuousClock().now >= alarm.time else { continue }
            task.cancel()
            throw alarm.error
        }
    }

    private func answer(_ result: Result<Void, any Error>) throws(ExchangeError) -> Answer {
        try state.withLock { state throws(ExchangeError) in
            if case .failure(let error) = result {
                throw ExchangeError(error, peer: peer, isSent: state.isSent, hasHead: state.head != nil)
            }
            guard let head = state.head else { throw ExchangeError("no answer came") }
            return Answer(head: head, body: state.body)
        }
    }

    private func nextAlarm(started: ContinuousClock.Instant) -> (time: ContinuousClock.Instant, error: ExchangeError) {
        let (isConnected, lastActivity) = state.withLock { ($0.isConnected, $0.lastActivity) }
        let time = isConnected ? lastActivity + limits.socketTimeout : started + limits.connectionTimeout
        if limits.deadline < time {
            return (limits.deadline, ExchangeError("the procedure's time was over before the answer was complete"))
        }
        return isConnected
            ? (
                time, .silence(of: limits.socketTimeout)
            )
            : (
                time,
                ExchangeError("no connection within \(limits.connectionTimeout.inMilliseconds) ms (connection timeout)")
            )
    }

    private func noteActivity(_ change: (inout State) -> Void = { _ in }) {
        state.withLock { state in
            state.isConnected = true
            state.lastActivity = ContinuousClock().now
            change(&state)
        }
    }

    // MARK: HTTPClientResponseDelegate, on an event loop

    func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) { noteActivity { $0.isSent = true } }

    func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) { noteActivity() }

    func didSendRequest(task: HTTPClient.Task<Void>) { noteActivity() }

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        noteActivity { $0.head = head }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        var isTooMuch = false
        noteActivity { state in
            if state.body.readableBytes + buffer.readableBytes > limits.maximumSize {
                isTooMuch = true
                state.body = ByteBuffer()
            } else {
                state.body.writeImmutableBuffer(buffer)
            }
        }
        guard isTooMuch else { return task.eventLoop.makeSucceededVoidFuture() }
        return task.eventLoop.makeFailedFuture(ExchangeError.tooLarge(limits.maximumSize))
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) {}
}

/// How long and how large an exchange may be.
struct ExchangeLimits: Sendable {
    let connectionTimeout: Duration
    /// Of silence, between any two signs of life.
    let socketTimeout: Duration
    let deadline: ContinuousClock.Instant
    /// Tells whether nobody wants the answer any more; `nil` when that cannot be.
    let isGivenUp: (@Sendable () -> Bool)?
    /// Bytes of the body, as it comes over the wire.
    let maximumSize: Int
}

extension Duration {
    /// Rounded down.
    var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
