public import PushModel

/// Carries deliveries to a push service.
///
/// One mediator serves all platforms of a worker; ``PushRequestBuilder`` makes the requests for any of them, so that a
/// transport only adds credentials, sends, and reads the answer.
public protocol Mediator: Sendable {
    /// Makes one attempt at a delivery.
    ///
    /// Many run at the same time. Errors are outcomes, so nothing is thrown. When the task is cancelled (the worker
    /// stops, or the attempt takes too long) it should return soon; what it returns then no longer counts.
    func deliver(_ delivery: Delivery) async -> MediatorOutcome
}
