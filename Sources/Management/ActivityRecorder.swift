import AdapterRuntime
import Core
import Foundation
package import Installation
import PollScheduler
import Push
import PushModel
import Synchronization

/// Records every ten seconds what the server has done since the last record.
package final class ActivityRecorder: Sendable {
    package static let pause = Duration.seconds(ActivityResolution.fine.step)

    private struct Totals {
        var calls = (all: 0, failed: 0)
        var errors = 0
        var endings: [DeliveryState: Int] = [:]
    }

    private let installation: Installation
    private let logs: LogBuffer
    private let server: String
    private let last = Mutex(Totals())

    package init(_ installation: Installation, logs: LogBuffer) {
        (self.installation, self.logs, server) = (installation, logs, installation.server.name)
    }

    /// - Throws: `StoreError`; then nothing is recorded, and the next record has it.
    package func record() async throws {
        let totals = Totals(
            calls: installation.runtime.calls, errors: logs.errors, endings: installation.deliveries.pressure.endings)
        let former = last.withLock { $0 }
        func ended(_ state: DeliveryState) -> Int { (totals.endings[state] ?? 0) - (former.endings[state] ?? 0) }
        let now = installation.time.now
        var activity = Activity()
        activity.calls = totals.calls.all - former.calls.all
        activity.failedCalls = totals.calls.failed - former.calls.failed
        activity.errors = totals.errors - former.errors
        (activity.delivered, activity.previewed) = (ended(.delivered), ended(.previewed))
        (activity.refused, activity.expired) = (ended(.refused), ended(.expired))
        activity.pollLateness = await installation.pollLateness(at: now)
        try await runBlocking { [activity, store = installation.store, server] in
            var activity = activity
            let counts = try store.outbox.counts()
            activity.waiting = (counts[.queued] ?? 0) + (counts[.sending] ?? 0)
            activity.oldestDelivery =
                try store.outbox.oldestDeliveries().map { now.timeIntervalSince($0.created) }.max() ?? 0
            try store.record(activity, of: server, at: now)
        }
        last.withLock { $0 = totals }
    }
}

/// The ranges of the console's charts.
enum ActivityRange: String, CaseIterable {
    case quarterHour = "15m"
    case threeHours = "3h"
    case day = "1d"
    case week = "7d"
    case month = "30d"

    /// In seconds.
    var length: Int {
        switch self {
        case .quarterHour: 900
        case .threeHours: 3 * 3600
        case .day: 24 * 3600
        case .week: 7 * 24 * 3600
        case .month: 30 * 24 * 3600
        }
    }

    /// The interval of one point, in seconds. Each has at least one record, as long as the server runs.
    var interval: Int {
        switch self {
        case .quarterHour: 20
        case .threeHours: 60
        case .day: 600
        case .week: 3600
        case .month: 4 * 3600
        }
    }

    var resolution: ActivityResolution { length <= 3 * 3600 ? .fine : .coarse }

    var label: String {
        switch self {
        case .quarterHour: "15 minutes"
        case .threeHours: "3 hours"
        case .day: "1 day"
        case .week: "7 days"
        case .month: "30 days"
        }
    }
}
