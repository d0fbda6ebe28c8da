import AdapterRuntime
import Core
import Foundation
import Logging
package import PollScheduler
import PushModel
import Synchronization
import WorklightProject

/// Deploys adapters while the server runs, one after the other, and keeps the schedules of polls in step with them.
package final class AdapterDeployer: Sendable {
    /// The duration of a deployment after which the log explains the delay.
    private static let patience = Duration.seconds(1)

    package let scheduler: PollScheduler
    private let runtime: AdapterRuntime
    private let time: any TimeSource
    private let logger: Logger
    private let queue = SerialQueue()
    /// True if polls are scheduled; false when the command line opens an installation only briefly.
    private let isPolling = Atomic(false)

    /// - Parameter holder: this server's name, when others share the store.
    init(
        runtime: AdapterRuntime, store: any PollStore, holder: String?, time: any TimeSource, logger: Logger,
        metrics: PollMetrics
    ) {
        self.runtime = runtime
        self.time = time
        self.logger = logger
        scheduler = PollScheduler(
            store: store, time: time, holder: holder, logger: logger, metrics: metrics
        ) { [runtime] source in try await runtime.poll(source) }
    }

    /// Schedules the polls of all adapters, and from then on those of each that is deployed.
    package func startPolling() async {
        _ = await queue.run { [self] in
            isPolling.store(true, ordering: .relaxed)
            await scheduler.schedule(runtime.eventSources.compactMap(\.schedule))
        }
    }

    /// Deploys what an adapter's folder in the project holds, in place of the version that runs or as a new adapter; see
    /// docs/live-reload.md. The rest of the project stays as read when the installation was opened.
    @discardableResult
    package func deploy(_ adapter: String) async -> DeploymentReport {
        let begin = time.uptime
        let done: DeploymentReport? = await queue.run { [self] in
            let begin = time.uptime
            let outcome: DeploymentReport.Outcome
            let problems: [ProjectError]
            let remark = Task { [time, logger] in
                guard (try? await time.sleep(untilUptime: begin + Self.patience)) != nil else { return }
                logger.notice(
                    "\(adapter): still being deployed, for its script runs on at its top level; others wait for it")
            }
            defer { remark.cancel() }
            switch await runtime.prepare(adapter: adapter) {
            case .ready(let candidate):
                // The caller has already received a report that the server is stopping.
                guard await !queue.isClosed else { return stopping(adapter, since: begin) }
                await replace(polls(of: adapter), by: candidate.eventSources.compactMap(\.schedule)) {
                    runtime.install(candidate)
                }
                (outcome, problems) = (.deployed, candidate.problems)
            case .unchanged: (outcome, problems) = (.unchanged, [])
            case .refused(let reasons): (outcome, problems) = (.refused, reasons)
            }
            return report(on: adapter, outcome, problems, since: begin)
        }
        return done ?? stopping(adapter, since: begin)
    }

    /// Cancels the deployment of an adapter whose files have changed since, so that the newer version need not wait.
    package func drop(_ adapter: String) {
        runtime.dropPreparation(of: adapter, reason: "its files have changed since; the newer version is next")
    }

    /// Removes an adapter. Subscriptions to its event sources stay, and work again when it is deployed again.
    ///
    /// - Parameter dropsCallbacks: whether the callbacks that the adapter owes are dropped, also those of an adapter that is not deployed, instead of
    ///   waiting for its next deployment.
    @discardableResult
    package func undeploy(_ adapter: String, dropsCallbacks: Bool = false) async -> DeploymentReport {
        let begin = time.uptime
        let done: DeploymentReport? = await queue.run { [self] in
            let begin = time.uptime
            let wasThere = await replace(polls(of: adapter), by: []) { runtime.remove(adapter: adapter) }
            do {
                let dropped = try await dropsCallbacks ? runtime.dropPendingCallbacks(of: adapter) : 0
                return report(on: adapter, wasThere || dropped > 0 ? .undeployed : .unknown, [], since: begin)
            } catch {
                let problem = ProjectError(
                    .error, file: "adapters/\(adapter)",
                    "its owed callbacks were not dropped: \(error); remove it again")
                return report(on: adapter, .refused, [problem], since: begin)
            }
        }
        return done ?? stopping(adapter, since: begin)
    }

    /// Ends the running deployment and refuses later ones, because the server stops. The server deploys the contents of the folders when
    /// it restarts.
    package func stop() async {
        await queue.close()
        runtime.interruptReading(reason: "the server is stopping")
    }

    /// Returns true if a version of an adapter is deployed.
    package func isRunning(_ adapter: String) -> Bool { runtime.adapterNames.contains(adapter) }

    private func stopping(_ adapter: String, since begin: Duration) -> DeploymentReport {
        DeploymentReport(
            adapter: adapter, outcome: .refused, duration: time.uptime - begin,
            isRunning: isRunning(adapter), procedures: runtime.procedures(ofAdapter: adapter),
            eventSources: runtime.eventSources.map(\.id).filter { $0.adapter == adapter },
            problems: [
                ProjectError(
                    .error, file: "adapters/\(adapter)",
                    "nothing was done: the server is stopping; try again when it is back"
                )
            ])
    }

    private func polls(of adapter: String) -> [PollSchedule] {
        runtime.eventSources.filter { $0.id.adapter == adapter }.compactMap(\.schedule)
    }

    /// Replaces the schedules of an adapter. Polls that are no longer wanted are cancelled before the change, so that none becomes due without its
    /// event source. A poll that is the same in both is unchanged: a running one runs to its end, and its next run keeps its time.
    private func replace<Result>(
        _ old: [PollSchedule], by new: [PollSchedule], _ change: () -> Result
    ) async -> Result {
        guard isPolling.load(ordering: .relaxed) else { return change() }
        let kept = Set(new.map(\.eventSource))
        for schedule in old where !kept.contains(schedule.eventSource) { await scheduler.cancel(schedule.eventSource) }
        let result = change()
        await scheduler.schedule(new.filter { !old.contains($0) })
        return result
    }

    private func report(
        on adapter: String, _ outcome: DeploymentReport.Outcome, _ problems: [ProjectError], since begin: Duration
    ) -> DeploymentReport {
        let report = DeploymentReport(
            adapter: adapter, outcome: outcome, duration: time.uptime - begin,
            isRunning: isRunning(adapter),
            procedures: runtime.procedures(ofAdapter: adapter),
            eventSources: runtime.eventSources.map(\.id).filter { $0.adapter == adapter }, problems: problems)
        for problem in problems { logger.log(level: problem.severity.logLevel, "\(problem.place): \(problem.message)") }
        let level: Logger.Level =
            switch outcome {
            case .deployed, .undeployed: .notice
            case .unchanged, .unknown: .debug
            case .refused: .error
            }
        logger.log(level: level, "\(report.summary)")
        return report
    }
}

extension EventSourceDeclaration {
    /// The schedule of its polls; `nil` when it is not polled.
    fileprivate var schedule: PollSchedule? { pollInterval.flatMap { PollSchedule(eventSource: id, interval: $0) } }
}

/// Runs operations one at a time, in call order. An actor alone would start the next one at each suspension.
actor SerialQueue {
    private var last: Task<Void, Never>?
    private var lastNumber = 0
    /// Send those away who wait.
    private var dismissals: [Int: @Sendable () -> Void] = [:]
    private(set) var isClosed = false

    /// - Returns: what `body` has returned; `nil` when the queue was closed before, or the one who asks is cancelled.
    func run<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result? {
        guard !isClosed else { return nil }
        let previous = last
        let (results, result) = AsyncStream<Result>.makeStream()
        last = Task {
            await previous?.value
            if !isClosed { result.yield(await body()) }
            result.finish()
        }
        lastNumber += 1
        let number = lastNumber
        dismissals[number] = { result.finish() }
        defer { dismissals[number] = nil }
        for await result in results { return result }
        return nil
    }

    /// Starts no more operations, and ends the waits for the running one.
    func close() {
        isClosed = true
        for dismiss in dismissals.values { dismiss() }
    }
}
