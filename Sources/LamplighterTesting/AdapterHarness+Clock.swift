import AdapterRuntime
public import Foundation
import PollScheduler
public import PushModel
import Synchronization
import TestClock

extension AdapterHarness {
    /// Lets time go by, and runs each poll at exactly the moment at which it is due. Returns when all have ended.
    ///
    /// Time stands still while a poll runs, so that it comes again exactly its interval later.
    ///
    /// - Parameter toleratingFailures: whether polls may fail; ``PollRun/failure`` then tells.
    /// - Returns: the polls that ran, in order.
    /// - Throws: ``PollRunFailure`` when one failed, once the time is over; `CancellationError`.
    @discardableResult
    public func advance(by duration: Duration, toleratingFailures: Bool = false) async throws -> [PollRun] {
        let first = outcomes.all.count
        let end = clock.uptime + duration
        // Those that have run are due later than now, so this comes to an end.
        while let due = await scheduler.nextDue, due <= end {
            try Task.checkCancellation()
            clock.advance(by: max(.zero, due - clock.uptime))
            await scheduler.runDue()
        }
        clock.advance(by: max(.zero, end - clock.uptime))
        let runs = Array(outcomes.all[first...])
        let unanswered = backEnds.takeUnanswered()
        if !toleratingFailures {
            if let failed = runs.first(where: { $0.failure != nil }) { throw PollRunFailure(run: failed) }
            if !unanswered.isEmpty { throw UnansweredRequests(requests: unanswered) }
        }
        return runs
    }

    /// Every poll that has run, in order.
    public var pollRuns: [PollRun] { outcomes.all }

    /// Plans the polls of the adapters as they are now.
    func schedulePolls() async {
        await scheduler.schedule(
            runtime.eventSources.compactMap { source in
                source.pollInterval.flatMap { PollSchedule(eventSource: source.id, interval: $0) }
            })
    }
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
}

/// A poll that failed.
public struct PollRunFailure: Error, Hashable, CustomStringConvertible {
    public let run: PollRun

    public var description: String {
        "the poll of \(run.eventSource) failed after \(run.elapsed) s: \(run.failure ?? "")"
    }
}

/// Requests for which the stubs of back ends had no answer.
public struct UnansweredRequests: Error, Hashable, CustomStringConvertible {
    public let requests: [String]

    public var description: String { requests.joined(separator: "\n") }
}

/// Keeps how polls went.
final class PollOutcomes: Sendable {
    private let runs = Mutex<[PollRun]>([])

    var all: [PollRun] { runs.withLock { $0 } }

    func record(_ source: EventSourceID, at clock: ManualTime, _ body: () async throws -> Void) async throws {
        let (time, elapsed) = (clock.now, clock.elapsed)
        let add = { (failure: String?) in
            self.runs.withLock {
                $0.append(PollRun(eventSource: source, time: time, elapsed: elapsed, failure: failure))
            }
        }
        do {
            try await body()
            add(nil)
        } catch {
            add("\(error)")
            throw error
        }
    }
}
