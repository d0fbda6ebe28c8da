import CTimex

/// The kernel's opinion of the machine's clock.
enum ClockSynchronization {
    /// Whether no program keeps the clock in step with others (NTP). `false` where the kernel does not say.
    static var isUnsynchronized: Bool {
        var state = timex()
        return adjtimex(&state) == TIME_ERROR
    }
}
