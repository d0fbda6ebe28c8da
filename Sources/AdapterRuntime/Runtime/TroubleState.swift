import Synchronization

/// Tells when trouble begins, and keeps quiet until it has ended and begins anew.
final class TroubleState: Sendable {
    private let isOn = Mutex(false)

    /// Whether it is new.
    func begin() -> Bool {
        isOn.withLock { isOn in
            defer { isOn = true }
            return !isOn
        }
    }

    func end() {
        isOn.withLock { $0 = false }
    }
}
