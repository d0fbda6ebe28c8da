import Logging
import PushModel

/// Logs a store that fails and recovers: the first failure and each new reason at error, repetitions at debug.
struct StoreTrouble {
    private var failures = 0
    private var last: StoreError?

    mutating func failed(_ error: StoreError, logger: Logger) {
        failures += 1
        let level: Logger.Level = error == last ? .debug : .error
        last = error
        logger.log(
            level: level, "the outbox failed and will be tried again; nothing is lost meanwhile: \(error)",
            metadata: ["failures": "\(failures)"])
    }

    mutating func worked(logger: Logger) {
        guard failures > 0 else { return }
        logger.notice("the outbox works again", metadata: ["failures": "\(failures)"])
        self = StoreTrouble()
    }
}
