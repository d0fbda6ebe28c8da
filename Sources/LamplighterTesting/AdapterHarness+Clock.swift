import AdapterRuntime
import Core
public import Foundation
import PollScheduler
public import PushModel
import Synchronization

extension AdapterHarness {
    /// Advances the clock and runs each poll at exactly its due time. Returns when all polls have ended.
    ///
    /// The clock does not advance while a poll runs, so its next run is exactly one interval later.
    ///
    /// ```swift
    /// harness.backEnd().get("/prices/lamp", .json(["price": 40]), .json(["price": 30]))
    /// let runs = try await harness.advance(by: .seconds(600))
    /// #expect(runs.last?.eventSource.description == "Prices.Alerts")
    /// ```
    ///
    /// - Parameters:
    ///   - duration: 0 to 1e9 seconds.
    ///   - toleratingFailures: whether polls may fail; ``PollRun/failure`` then has the error.
    ///   - adapters: the adapters whose polls run.
    /// - Returns: the runs, in order.
    /// - Throws: ``PollRunError`` when a poll failed, and ``UnansweredRequestsError`` when a poll sent a request that has no stub; both after
    ///   all polls have run. A stub that throws leads to ``UnansweredRequestsError`` even with `toleratingFailures`.
    ///   ``HarnessMisuseError`` for a duration out of range; `CancellationError`.
    @discardableResult
    public func advance(
        by duration: Duration, toleratingFailures: Bool = false, adapters: PolledAdapters = .own,
        fileID: String = #fileID, line: Int = #line
    ) async throws -> [PollRun] {
        try await TestPlace(fileID: fileID, line: line).during {
            try await goOn(for: duration, toleratingFailures, adapters)
        }
    }

    private func goOn(
        for duration: Duration, _ toleratingFailures: Bool, _ adapters: PolledAdapters
    ) async throws -> [PollRun] {
        try backEnds.checkUse()
        try HarnessClock.check(duration)
        if polled.withLock({ last in
            defer { last = adapters }
            return last != adapters
        }) {
            await schedulePolls(of: adapters)
        }
        let first = outcomes.all.count
        let end = manualTime.uptime + duration
        // The loop ends: a poll that has run is due later than now.
        while let due = await scheduler.nextDue, due <= end {
            try Task.checkCancellation()
            manualTime.advance(by: max(.zero, due - manualTime.uptime))
            await scheduler.runDue()
        }
        manualTime.advance(by: max(.zero, end - manualTime.uptime))
        let runs = Array(outcomes.all[first...])
        let troubles = runs.flatMap(\.troubles)
        if !toleratingFailures, let failed = runs.first(where: { $0.failure != nil }) {
            throw PollRunError(run: failed, stubFailures: troubles.filter(\.isFailure).map(\.message))
        }
        try troubles.check(tolerating: toleratingFailures)
        return runs
    }

    /// The runs of all polls since the harness was created, in order.
    public var pollRuns: [PollRun] { outcomes.all }

    /// Schedules the polls of these adapters and cancels all others. A cancelled poll keeps the time of its last run for when it is
    /// scheduled again.
    func schedulePolls(of adapters: PolledAdapters) async {
        let own = adapters == .all ? nil : defaultAdapter
        for source in runtime.eventSources {
            guard let interval = source.pollInterval,
                let schedule = PollSchedule(eventSource: source.id, interval: interval)
            else { continue }
            if own == nil || own == source.id.adapter {
                // One call for each poll: the scheduler spreads polls that it schedules together, as a server does.
                await scheduler.schedule(schedule)
            } else {
                await scheduler.cancel(source.id)
            }
        }
    }
}

/// The adapters whose polls run while a test advances the clock.
public enum PolledAdapters: String, Sendable, Hashable {
    /// The adapter of ``AdapterHarness/Options/adapter``, or the project's only adapter; all adapters where neither applies.
    case own
    /// All adapters of the project.
    case all
}

/// One run of an event source's poll.
public struct PollRun: Sendable, Hashable {
    public let eventSource: EventSourceID
    /// The time of day at which the run began, on the harness's clock.
    public let time: Date
    /// The seconds from the creation of the harness to the beginning of the run, on the harness's clock.
    public let elapsed: Double
    /// The error with the JavaScript stack; `nil` when the run succeeded.
    public let failure: String?
    /// The class of the error that the poll threw, such as `TypeError`; `nil` when it threw none, or a value that is not an Error.
    public let errorName: String?
    /// The requests that had no stub, or whose stub threw.
    let troubles: [UnstubbedRequest]
}

/// An error for a poll that failed.
public struct PollRunError: HarnessError, Hashable {
    public let run: PollRun
    /// The errors of the stubs that threw during this and the other runs of the same call of `advance`.
    public let stubFailures: [String]
    public var place: TestPlace?

    init(run: PollRun, stubFailures: [String]) {
        (self.run, self.stubFailures) = (run, stubFailures)
    }

    public var message: String {
        (["the poll of \(run.eventSource) failed after \(run.elapsed) s: \(run.failure ?? "")"] + stubFailures)
            .joined(separator: "\n")
    }
}

/// Stores the outcomes of polls.
final class PollOutcomes: Sendable {
    private let runs = Mutex<[PollRun]>([])

    var all: [PollRun] { runs.withLock { $0 } }

    func record(_ source: EventSourceID, at clock: ManualTime, _ body: () async throws -> Void) async throws {
        let (time, elapsed) = (clock.now, clock.elapsed)
        let watch = HarnessRecorder()
        let add = { (failure: String?, errorName: String?) in
            let run = PollRun(
                eventSource: source, time: time, elapsed: elapsed, failure: failure, errorName: errorName,
                troubles: watch.troubles)
            self.runs.withLock { $0.append(run) }
        }
        do {
            try await watch.during(body)
            add(nil, nil)
        } catch {
            add("\(error)", (error as? PollError)?.errorName)
            throw error
        }
    }
}
