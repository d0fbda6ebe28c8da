import Synchronization

/// A lock that one request holds while it responds to a challenge. The other requests wait for it, and are then sent
/// (wire-protocol 3.2).
final class ChallengeGate: Sendable {
    private struct State {
        var isClosed = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Waits until no request responds to a challenge.
    ///
    /// - Throws: ``WLError`` when the task is cancelled.
    func pass() async throws(WLError) {
        while state.withLock({ $0.isClosed }) { try await wait() }
    }

    /// Waits until no other request responds to a challenge, and acquires the lock.
    ///
    /// - Throws: ``WLError`` when the task is cancelled.
    func close() async throws(WLError) {
        while !tryClose() { try await wait() }
    }

    /// Acquires the lock if it is free.
    ///
    /// - Returns: true if the caller now holds the lock.
    func tryClose() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.isClosed = true
            return true
        }
    }

    /// Releases the lock and resumes all waiting requests.
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

/// The outcome of a challenge.
enum ChallengeVerdict: Sendable {
    /// The handler has responded, so the request is sent again. For a realm of the handshake, `json` is the response in JSON.
    case answered(json: String?)
    /// The application has abandoned the challenge.
    case failed(WLAnswer?)
}

/// Finds and handles the challenges of a custom authentication in responses (``ChallengeHandler``).
struct CustomChallenger: Sendable {
    let realm: String
    let isChallenge: @Sendable (WLAnswer) async -> Bool
    let handle: @Sendable (WLAnswer) async -> ChallengeVerdict
}

/// Responds to the challenges of one realm of the handshake (``WLChallengeHandler``).
struct RealmChallenger: Sendable {
    let realm: String
    let handle: @Sendable (SendableJSONObject) async -> ChallengeVerdict
    let handleSuccess: @Sendable (SendableJSONObject) async -> Void
    let handleFailure: @Sendable (SendableJSONObject) async -> Void
}
