import NIOCore
import NIOHTTP2

/// One request on its way, and the task that waits for its answer.
///
/// `@unchecked Sendable`: everything that changes is touched on the client's event loop alone. The one exception is the
/// continuation, which the sender sets before the exchange is put into the client's inbox; the inbox's lock orders that
/// before everything the loop does with it.
final class HTTP2Exchange: @unchecked Sendable {
    typealias Outcome = Result<HTTP2Response, HTTP2RequestError>

    let request: HTTP2Request
    /// When it is given up, by the client's time source.
    let deadline: Duration

    /// The waiting task; nil once there is an outcome.
    private var continuation: CheckedContinuation<Outcome, Never>?
    /// Where it is under way.
    var stream: (connection: HTTP2Connection, id: HTTP2StreamID)?
    /// How often it was taken back from a connection that surely had not processed it.
    var repeats = 0
    /// Whether it was cancelled, which may happen before the loop has first seen it.
    var isCancelled = false

    init(_ request: HTTP2Request, deadline: Duration) {
        self.request = request
        self.deadline = deadline
    }

    /// To be called once, before anything else knows of the exchange.
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
