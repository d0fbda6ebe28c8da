extension Duration {
    /// So many seconds, to the nearest microsecond: a `Date` is no more exact, and ten tenths make a whole second.
    ///
    /// - Parameter seconds: at most the longest of ``PollSchedule/intervals``.
    static func nearest(seconds: Double) -> Duration {
        .microseconds(Int64((seconds * 1_000_000).rounded()))
    }
}
