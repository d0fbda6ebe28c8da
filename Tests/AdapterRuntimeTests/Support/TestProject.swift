import AdapterRuntime
import Core
import Foundation
import JavaScriptEngine
import Logging
import Push
import PushModel
import Storage
import TestSupport
import Testing
import WorklightProject

extension RuntimeSettings {
    /// With times that only a fault reaches, where a test is not about them: a loaded machine may hold up a process for the
    /// usual 30 s.
    static var patient: Self {
        var settings = Self()
        settings.setForAll { $0.wallClock = .noLimit }
        return settings
    }
}

/// A project in a temporary folder, loaded into a runtime over a real store. The folder goes when this object does.
final class TestProject: Sendable {
    let folder: TemporaryFolder
    let runtime: AdapterRuntime
    let store: SQLStore
    let log = LogRecorder()
    let problems: [ProjectError]
    let services: RuntimeServices

    /// - Parameters:
    ///   - files: their paths in the project and their contents.
    ///   - pragmas: run on the store's connection, to have it fail.
    init(
        files: [String: String], settings: RuntimeSettings = .patient, pragmas: [String] = [],
        time: any TimeSource = SystemTime(), coverage: CoverageCollector? = nil
    ) async throws {
        folder = try TemporaryFolder(files)
        let path = folder.url.appending(path: "store").path
        _ = try SQLStore(folder: path)
        store = try SQLStore(folder: path, busyTimeout: .seconds(5), pragmas: pragmas)
        var services = RuntimeServices(
            subscriptions: store, smsSubscriptions: store, notifications: StoringSink(outbox: store.outbox),
            broadcasts: OutboxBroadcastSender(
                broadcasts: store.outbox, pressure: OutboxBackpressure(), worker: nil), time: time,
            logger: log.logger)
        services.coverage = coverage
        self.services = services
        runtime = AdapterRuntime(project: Project(reading: folder.url), services: services, settings: settings)
        problems = await runtime.load()
    }

    /// A project with one adapter, `A`, that declares the procedures given.
    convenience init(
        _ script: String, procedures: [String] = ["run"], connectivity: String = "",
        settings: RuntimeSettings = .patient, pragmas: [String] = [], time: any TimeSource = SystemTime()
    ) async throws {
        try await self.init(
            files: [
                "adapters/A/A.xml": adapterXML("A", procedures: procedures, connectivity: connectivity),
                "adapters/A/A-impl.js": script,
            ], settings: settings, pragmas: pragmas, time: time)
    }

    /// Calls `A/run`, or another procedure of `A`, and returns the JSON of its result.
    func call(
        _ parameters: String = "[]", procedure: String = "run", as caller: Caller = Caller()
    ) async -> String {
        await runtime.invoke(adapter: "A", procedure: procedure, parameters: parameters, caller: caller).json
    }

    @discardableResult
    func subscribe(
        _ user: String, device: String = "phone", source: String = "S", alias: String = "alias",
        token: String = "token",
        options: JSONValue = ["alert": true]
    ) async throws -> SubscribeReply {
        try await runtime.subscribe(
            DeviceSubscription(
                eventSource: EventSourceID(adapter: "A", name: source), userID: user, deviceID: device,
                applicationID: "App", alias: alias, platform: .android,
                token: try DeviceToken(token, platform: .android), options: options))
    }

    func unsubscribe(_ user: String, device: String = "phone", source: String = "S") async throws -> Bool {
        try await runtime.unsubscribe(
            eventSource: EventSourceID(adapter: "A", name: source), userID: user, deviceID: device,
            applicationID: "App")
    }

    /// The users and devices of the deliveries in the outbox, oldest first.
    func outbox() throws -> [String] {
        try store.outbox.deliveries(state: nil, limit: 1000).reversed().map {
            "\($0.target.userID ?? "")@\($0.target.deviceID ?? "")"
        }
    }
}

/// Commits to the real store, and has nobody deliver.
private struct StoringSink: NotificationSink {
    let outbox: any Outbox

    func submit(_ deliveries: [Delivery]) throws(StoreError) -> Int {
        try outbox.enqueue(deliveries)
        return 0
    }

    func flush() throws(StoreError) {
        try outbox.flush()
    }
}
