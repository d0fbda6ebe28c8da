public import AdapterRuntime
import Delivery
import Foundation
public import Logging
import NIOCore
import NIOPosix
import PollScheduler
public import PushModel
import PushServices
import Storage
public import WorklightProject

/// A project with its store and its adapters, opened and loaded: everything but the network.
///
/// The server runs one; the command line opens one for a moment when no server runs.
public final class Installation: Sendable {
    public let settings: InstallationSettings
    public let runtime: AdapterRuntime
    /// What is wrong with the project.
    public let problems: [ProjectProblem]
    let folder: DataFolder
    let store: SQLiteStore
    let worker: OutboxWorker
    let broadcasts: OutboxBroadcastSender
    let security: SecurityServices
    /// By which the push services of browsers know this server.
    let webPushKey: VAPIDKey
    let time: any TimeSource
    let logger: Logger

    /// Locks the data folder, opens the store, and loads the project's adapters.
    ///
    /// - Throws: ``DataFolderError``, `StoreError`, ``ModeError``, `WebPushCredentialError`.
    public init(opening settings: InstallationSettings, logger: Logger, time: any TimeSource = SystemTime())
        async throws
    {
        guard settings.mode == .development else { throw ModeError() }
        folder = try DataFolder(locking: settings.dataFolder)
        store = try SQLiteStore(folder: folder.url.path)
        webPushKey = try settings.webPushKey ?? VAPIDKey(file: folder.url.appending(path: "web-push-key.pem").path)
        let project = Project(reading: settings.project)
        var push = settings.push
        push.add(from: project)
        let pressure = OutboxPressure(time: time)
        worker = OutboxWorker(
            name: "local", outbox: store,
            mediator: PreviewMediator(settings: push, time: time, logger: logger),
            pressure: pressure, time: time,
            logger: logger,
            settings: OutboxWorkerSettings(gracePeriod: settings.gracePeriod, retention: settings.deliveryRetention))
        broadcasts = OutboxBroadcastSender(broadcasts: store, pressure: pressure, worker: worker)
        runtime = AdapterRuntime(
            project: project,
            services: RuntimeServices(
                subscriptions: store, smsSubscriptions: store,
                notifications: OutboxSink(outbox: store, pressure: pressure, worker: worker), broadcasts: broadcasts,
                time: time,
                logger: logger),
            settings: settings.runtime)
        self.settings = settings
        self.time = time
        self.logger = logger
        let security: [ProjectProblem]
        (self.security, security) = try SecurityServices.make(
            for: project, settings: settings, runtime: runtime, store: store, time: time, logger: logger)
        problems = (await runtime.load() + security).inOrder
        for problem in problems {
            logger.log(level: problem.severity.logLevel, "\(problem.place): \(problem.message)")
        }
    }

    /// Lets go of what must be let go of by hand.
    public func close() async {
        runtime.interrupt(reason: "the server is stopping")
        runtime.closeBackEnds()
    }
}

extension ProjectProblem.Severity {
    fileprivate var logLevel: Logger.Level {
        switch self {
        case .error: .error
        case .warning: .warning
        case .note: .debug
        }
    }
}

/// Production mode was asked for, and a push service has no credentials.
public struct ModeError: Error, CustomStringConvertible {
    public var description: String {
        "mode production needs credentials for the push services, and this version cannot be given any yet: start it with "
            + "--mode development, where notifications are shown and recorded but not sent"
    }
}
