import Core
import Foundation
import PushModel
import Storage
import TestSupport

@testable import Push

/// A worker on the real store, in a folder of the test's own.
final class StoredWorker: RunsWorker, Sendable {
    private let temporary: TemporaryFolder
    let store: SQLStore
    let mediator: ScriptedMediator
    let time = ManualTime()
    let log = LogRecorder()
    let pressure: OutboxBackpressure
    let worker: OutboxWorker
    let sink: OutboxSink

    /// - Parameter busyTimeout: how long the store waits for others that hold the database. A worker that gives up pauses on
    ///   ``time``, which only the test moves: only a test that holds the database may set it low.
    init(
        _ mediator: ScriptedMediator = ScriptedMediator(), settings: OutboxWorkerSettings = OutboxWorkerSettings(),
        busyTimeout: Duration = .seconds(120)
    ) throws {
        temporary = try TemporaryFolder()
        store = try SQLStore(folder: temporary.path, busyTimeout: busyTimeout, time: time)
        self.mediator = mediator
        pressure = OutboxBackpressure(time: time)
        var settings = settings
        settings.recordInterval = .zero
        worker = OutboxWorker(
            name: "me", outbox: store, mediator: mediator, pressure: pressure, time: time, logger: log.logger,
            settings: settings, generator: ConstantGenerator.longest)
        sink = OutboxSink(outbox: store, pressure: pressure, worker: worker)
    }

    var folder: String { temporary.path }

    /// Returns once so many deliveries are in each state, and others in none.
    func wait(for counts: [DeliveryState: Int]) async throws {
        while try store.counts() != counts {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
