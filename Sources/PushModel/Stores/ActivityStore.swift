import Core

public import struct Foundation.Date

/// The work of a server in an interval, and its state then.
public struct Activity: Sendable, Hashable {
    /// Calls of procedures, by apps, back ends and the management API.
    public var calls = 0
    /// The number of calls whose response has `isSuccessful: false`.
    public var failedCalls = 0
    /// Lines of the server's log at level error or critical.
    public var errors = 0
    /// Deliveries that ended in each state.
    public var delivered = 0
    public var previewed = 0
    public var refused = 0
    public var expired = 0
    /// The largest number of deliveries that had not ended.
    public var waiting = 0
    /// The age of the oldest delivery that had not ended, in seconds.
    public var oldestDelivery = 0.0
    /// The longest time that a poll had been due, in seconds.
    public var pollLateness = 0.0

    public init() {}
}

/// Keeps the activity of servers: for ``ActivityResolution/fine`` and ``ActivityResolution/coarse``, each for its life.
///
/// Synchronous and callable from any thread, like ``SubscriptionStore``.
public protocol ActivityStore: Sendable {
    /// Adds the activity of a short interval, and removes what is too old.
    ///
    /// - Parameters:
    ///   - date: the end of the interval.
    ///   - server: the server's name.
    /// - Throws: ``StoreError``.
    func record(_ activity: Activity, of server: String, at date: Date) throws(StoreError)

    /// Returns the activity of all servers in intervals, oldest first; intervals without any are left out.
    ///
    /// - Parameter interval: in seconds, a multiple of the resolution's step.
    /// - Throws: ``StoreError``.
    func activity(
        _ resolution: ActivityResolution, since date: Date, interval: Int
    ) throws(StoreError) -> [(start: Date, activity: Activity)]
}

/// The interval and the retention of stored activity.
public enum ActivityResolution: Sendable, Hashable, CaseIterable {
    case fine, coarse

    /// In seconds.
    public var step: Int {
        switch self {
        case .fine: 10
        case .coarse: 600
        }
    }

    /// In seconds. The longest range of the console's charts in this resolution, and one interval of it.
    public var life: Int {
        switch self {
        case .fine: 3 * 3600 + 60
        case .coarse: 30 * 24 * 3600 + 4 * 3600
        }
    }
}
