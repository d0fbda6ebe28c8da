import AdapterRuntime
import Core
import Foundation
import Installation
import Logging
import Management
import Push
import PushModel
import ServiceLifecycle
import Storage

/// Work that the server does when it starts and again after each pause, until it stops. A failure is logged, once a minute while it
/// repeats, and ends nothing.
struct RecurringWork: Service {
    /// The log message for a failure of the work, without the reason.
    let failure: String
    let pause: Duration
    let time: any TimeSource
    let logger: Logger
    let work: @Sendable () async throws -> Void

    func run() async throws {
        let log = LogLimiter(logger: logger, time: time)
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    try await work()
                    log.recovered(failure) { "\(failure): this works again after \($0) failed attempts" }
                } catch {
                    try Task.checkCancellation()
                    log.log(
                        failure, at: .error,
                        "\(failure): \(error); the next try is in \(pause.components.seconds) s")
                }
                try await time.sleep(untilUptime: time.uptime + pause)
            }
        }
    }
}

extension RecurringWork {
    /// Finishes broadcasts that an earlier process began, or that the store could not take to the end.
    static func broadcasts(of installation: Installation) -> RecurringWork {
        let (sender, logger) = (installation.deliveries.broadcasts, installation.logger)
        return RecurringWork(
            failure: "broadcasts could not be finished", pause: .seconds(60), time: installation.time, logger: logger
        ) {
            let count = try await runBlocking { try sender.resume() }
            if count > 0 { logger.notice("finished \(count) broadcast\(count == 1 ? "" : "s") left unfinished") }
        }
    }

    /// Runs the callbacks of event sources that an earlier process, or an adapter that was not loaded, left owing.
    static func callbacks(of installation: Installation) -> RecurringWork {
        let (runtime, logger) = (installation.runtime, installation.logger)
        return RecurringWork(
            failure: "owed callbacks could not be run", pause: .seconds(60), time: installation.time, logger: logger
        ) {
            let count = try await runtime.runPendingCallbacks()
            if count > 0 { logger.notice("ran \(count) callback\(count == 1 ? "" : "s") that were left to run") }
        }
    }

    /// Records the server's activity for the console's charts.
    static func activity(of installation: Installation, logs: LogBuffer) -> RecurringWork {
        let recorder = ActivityRecorder(installation, logs: logs)
        return RecurringWork(
            failure: "the server's activity could not be recorded", pause: ActivityRecorder.pause,
            time: installation.time, logger: installation.logger
        ) { try await recorder.record() }
    }

    /// Checks the server's health.
    static func health(of installation: Installation) -> RecurringWork {
        RecurringWork(
            failure: "the health checks could not be run", pause: HealthMonitor.pause, time: installation.time,
            logger: installation.logger
        ) {
            if let note = installation.server.facts.unpublished {
                try installation.folder.publish(note)
                installation.server.update { $0.unpublished = nil }
                installation.logger.notice("the command line finds this server again")
            }
            _ = await installation.currentHealth()
        }
    }

    /// Tries connections to back ends about which there are findings.
    static func backEnds(of installation: Installation) -> RecurringWork {
        RecurringWork(
            failure: "connections to back ends could not be tried", pause: .seconds(30), time: installation.time,
            logger: installation.logger
        ) { installation.tryFailingBackEnds() }
    }

    /// Reads the decisions about versions and devices that other servers have stored.
    static func decisions(of installation: Installation) -> RecurringWork {
        RecurringWork(
            failure: "the rules for versions and devices could not be read", pause: .seconds(10),
            time: installation.time, logger: installation.logger
        ) { try await installation.readRules() }
    }

    /// Removes expired data of clients from the store.
    static func housekeeping(of installation: Installation) -> RecurringWork {
        RecurringWork(
            failure: "the store could not be cleaned", pause: .seconds(600), time: installation.time,
            logger: installation.logger
        ) {
            try await runBlocking { try Housekeeping(installation: installation).clean() }
        }
    }
}

extension Installation {
    /// Reads the rules for versions and devices from the store again.
    ///
    /// - Throws: `StoreError`.
    func readRules() async throws {
        try await runBlocking { [security] in
            try security.rules.read()
            try security.blocks.read()
        }
    }
}

/// Removes expired data of clients from the store.
struct Housekeeping {
    /// A limit besides the age, since any client can write to the log.
    private static let mostLogEntries = 200_000
    /// A client that is not seen for so long has been removed from its phone. If it has not, it registers again.
    private static let clientLife = TimeInterval(400 * 24 * 3600)

    /// The retention of the audit log, in seconds.
    private static let auditLife = TimeInterval(400 * 24 * 3600)
    private static let mostAuditEntries = 1_000_000

    let installation: Installation

    /// - Throws: `StoreError`.
    func clean() throws {
        let (store, log, now) = (installation.store, installation.telemetry.clientLog, installation.time.now)
        let retention = installation.settings.clientLogRetention / .seconds(1)
        var entries = try log.purgeClientLog(receivedBefore: now.addingTimeInterval(-retention))
        entries += try log.purgeClientLog(keepingNewest: Self.mostLogEntries)
        let clients = try store.purgeOAuthClients(unusedSince: now.addingTimeInterval(-Self.clientLife))
        // With its deliveries, and not before its key may be used again.
        let messages = max(Installation.keyLife, installation.settings.deliveryRetention / .seconds(1))
        _ = try store.purgeMessages(before: now.addingTimeInterval(-messages))
        _ = try store.purgeAuditLog(before: now.addingTimeInterval(-Self.auditLife), keeping: Self.mostAuditEntries)
        if entries + clients > 0 {
            installation.logger.debug("removed \(entries) old entries of clients' logs, \(clients) unused clients")
        }
    }
}

/// Ends long polls and deployments as soon as the server begins to stop: it would wait for their responses otherwise.
struct LongPollShutdown: Service {
    let changeSignals: [ChangeSignal]
    let live: LivePages
    let deployments: AdapterDeployer
    let state: ServerState
    let runtime: AdapterRuntime
    let gracePeriod: Duration
    let logger: Logger
    let onStopping: @Sendable () -> Void

    func run() async throws {
        try? await gracefulShutdown()
        let calls = runtime.activeCalls.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.summary)" }
        let wait = "; these calls have \(Int(gracePeriod / .seconds(1))) s to end: \(calls.joined(separator: "; "))"
        logger.notice("stopping\(calls.isEmpty ? "" : wait)")
        onStopping()
        state.update { $0.phase = .stopping }
        for bell in changeSignals { bell.close() }
        live.close()
        await deployments.stop()
    }
}
