import AdapterRuntime
import Core
public import Foundation
import PollScheduler
public import PushModel
import Synchronization

extension AdapterHarness {
    /// Advances the time, and runs each poll at exactly its due time. Returns when all have ended.
    ///
    /// The clock does not advance while a poll runs, so that its next run is exactly one interval later.
    ///
    /// - Parameters:
    ///   - toleratingFailures: whether polls may fail; ``PollRun/failure`` then has the error.
    ///   - adapters: the adapters whose polls run meanwhile.
    /// - Returns: the polls that ran, in order.
    /// - Throws: ``PollRunError`` when one failed, and ``UnansweredRequestsError`` when a stub had no answer for one, once the time is
    ///   over; the latter also where failures are tolerated, if what should have answered threw. ``HarnessMisuseError``,
    ///   `CancellationError`.
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
        // Those that have run are due later than now, so this comes to an end.
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

    /// Every poll that has run, in order.
    public var pollRuns: [PollRun] { outcomes.all }

    /// Plans the polls of these adapters, and of no others. Those of others are due again as they were when they last ran.
    func schedulePolls(of adapters: PolledAdapters) async {
        let own = adapters == .all ? nil : defaultAdapter
        for source in runtime.eventSources {
            guard let interval = source.pollInterval,
                let schedule = PollSchedule(eventSource: source.id, interval: interval)
            else { continue }
            if own == nil || own == source.id.adapter {
                // One by one, so that none is moved away from the others, as a server moves those that it schedules together.
                await scheduler.schedule(schedule)
            } else {
                await scheduler.cancel(source.id)
            }
        }
    }
}

/// Whose polls run while a test lets time go by.
public enum PolledAdapters: String, Sendable, Hashable {
    /// Those of the adapter that the test is about, or of all where ``AdapterHarness/Options/adapter`` does not say.
    case own
    case all
}

/// One run of an event source's poll.
public struct PollRun: Sendable, Hashable {
    public let eventSource: EventSourceID
    /// When it began, by the harness's clock.
    public let time: Date
    /// The same in seconds since the harness was made.
    public let elapsed: Double
    /// Why it failed, with the JavaScript stack; `nil` when it did not.
    public let failure: String?
    /// The class of the error that the poll threw, such as `TypeError`; `nil` when it threw none, or a value that is not an Error.
    public let errorName: String?
    /// The requests for which stubs had no answer.
    let troubles: [UnstubbedRequest]
}

/// A poll that failed.
public struct PollRunError: HarnessError, Hashable {
    public let run: PollRun
    /// What stubs threw meanwhile.
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

/// Keeps how polls went.
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
