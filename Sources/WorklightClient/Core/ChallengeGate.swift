import Synchronization

/// While one request is answering a challenge the others wait here, and are sent when it is done (wire-protocol 3.2).
final class ChallengeGate: Sendable {
    private struct State {
        var isClosed = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Waits until no challenge is being answered.
    ///
    /// - Throws: ``WLError`` when the task is cancelled.
    func pass() async throws(WLError) {
        while state.withLock({ $0.isClosed }) { try await wait() }
    }

    /// Waits until no other challenge is being answered, and closes the gate to others.
    ///
    /// - Throws: ``WLError`` when the task is cancelled.
    func close() async throws(WLError) {
        while !tryClose() { try await wait() }
    }

    /// - Returns: whether the gate was open, and is closed to others now.
    func tryClose() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.isClosed = true
            return true
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isClosed = false
            let waiting = state.waiting
            state.waiting = [:]
            return waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    private func wait() async throws(WLError) {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.isClosed, !Task.isCancelled else { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
        if Task.isCancelled { throw .cancelled }
    }
}

/// What came of a challenge.
enum ChallengeVerdict: Sendable {
    /// It is answered; the request is sent again. Realms of the library's own kind are answered with JSON text.
    case answered(json: String?)
    /// The application gave up.
    case failed(WLAnswer?)
}

/// Looks for the application's own challenges in answers (``ChallengeHandler``).
struct CustomChallenger: Sendable {
    let realm: String
    let isChallenge: @Sendable (WLAnswer) async -> Bool
    let handle: @Sendable (WLAnswer) async -> ChallengeVerdict
}

/// Answers the challenges of one realm of the handshake (``WLChallengeHandler``).
struct RealmChallenger: Sendable {
    let realm: String
    let handle: @Sendable (SendableJSONObject) async -> ChallengeVerdict
    let handleSuccess: @Sendable (SendableJSONObject) async -> Void
    let handleFailure: @Sendable (SendableJSONObject) async -> Void
}
