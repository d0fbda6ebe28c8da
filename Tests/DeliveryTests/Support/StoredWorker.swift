import Foundation
import PushModel
import Storage
import TestSupport

@testable import Delivery

/// A worker on the real store, in a folder of the test's own.
final class StoredWorker: Sendable {
    let folder: String
    let store: SQLiteStore
    let mediator: ScriptedMediator
    let time = ManualTime()
    let log = LogRecorder()
    let pressure: OutboxPressure
    let worker: OutboxWorker
    let sink: OutboxSink

    /// - Parameter busyTimeout: how long the store waits for others that hold the database. A worker that gives up pauses on
    ///   ``time``, which only the test moves: only a test that holds the database may set it low.
    init(
        _ mediator: ScriptedMediator = ScriptedMediator(), settings: OutboxWorkerSettings = OutboxWorkerSettings(),
        busyTimeout: Duration = .seconds(120)
    ) throws {
        folder = NSTemporaryDirectory() + "lamplighter-delivery-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = try SQLiteStore(folder: folder, busyTimeout: busyTimeout, time: time)
        self.mediator = mediator
        pressure = OutboxPressure(time: time)
        var settings = settings
        settings.recordInterval = .zero
        worker = OutboxWorker(
            name: "me", outbox: store, mediator: mediator, pressure: pressure, time: time, logger: log.logger,
            settings: settings, generator: ConstantGenerator.longest)
        sink = OutboxSink(outbox: store, pressure: pressure, worker: worker)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs the worker while the body does, then stops it and waits for its end.
    func run(_ body: () async throws -> Void) async throws {
        let task = Task { await worker.run() }
        let result: Result<Void, any Error>
        do {
            try await body()
            result = .success(())
        } catch {
            result = .failure(error)
        }
        mediator.letGo()
        worker.stop()
        await task.value
        try result.get()
    }

    /// Returns once so many deliveries are in each state, and others in none.
    func wait(for counts: [DeliveryState: Int]) async throws {
        while try store.counts() != counts {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
