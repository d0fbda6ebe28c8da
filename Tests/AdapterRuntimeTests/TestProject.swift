import AdapterRuntime
import AsyncHTTPClient
import Foundation
import Logging
import PushModel
import Storage
import Synchronization
import Testing

/// A project in a temporary folder, loaded into a runtime over a real store. The folder goes when this object does.
final class TestProject: Sendable {
    let folder: URL
    let runtime: AdapterRuntime
    let store: SQLiteStore
    let log: RecordedLog
    let problems: [ProjectProblem]
    let services: RuntimeServices
    private let httpClient: HTTPClient

    /// - Parameters:
    ///   - files: their paths in the project and their texts.
    ///   - pragmas: run on the store's connection, to have it fail.
    init(
        files: [String: String], settings: RuntimeSettings = RuntimeSettings(), pragmas: [String] = []
    ) async throws {
        folder = try Self.makeFolder(files)
        let path = folder.appending(path: "store").path
        _ = try SQLiteStore(folder: path)
        store = try SQLiteStore(folder: path, busyTimeout: .seconds(5), pragmas: pragmas)
        log = RecordedLog()
        httpClient = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .backEnds)
        let logger = Logger(label: "test") { [log] _ in log.handler }
        services = RuntimeServices(
            subscriptions: store, notifications: StoringSink(outbox: store), time: SystemTime(), httpClient: httpClient,
            logger: logger)
        runtime = AdapterRuntime(project: Project(reading: folder), services: services, settings: settings)
        problems = await runtime.load()
    }

    /// A project with one adapter, `A`, that declares the procedures given.
    convenience init(
        _ script: String, procedures: [String] = ["run"], connectivity: String = "",
        settings: RuntimeSettings = RuntimeSettings(), pragmas: [String] = []
    ) async throws {
        try await self.init(
            files: [
                "adapters/A/A.xml": Self.descriptor("A", procedures: procedures, connectivity: connectivity),
                "adapters/A/A-impl.js": script,
            ], settings: settings, pragmas: pragmas)
    }

    deinit {
        try? httpClient.syncShutdown()
        try? FileManager.default.removeItem(at: folder)
    }

    static func makeFolder(_ files: [String: String]) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lamplighter-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return folder
    }

    static func descriptor(_ name: String, procedures: [String] = ["run"], connectivity: String = "") -> String {
        """
        <wl:adapter xmlns:wl="http://www.worklight.com/integration" xmlns:http="http://www.worklight.com/integration/http"
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="\(name)">
        \(connectivity)
        \(procedures.map { "<procedure name=\"\($0)\"/>" }.joined(separator: "\n"))
        </wl:adapter>
        """
    }

    /// Calls `A/run`, or another procedure of `A`, and gives its answer's JSON.
    func call(_ parameters: String = "[]", procedure: String = "run") async -> String {
        await runtime.invoke(adapter: "A", procedure: procedure, parameters: parameters).json
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

    /// The users and devices of what is in the outbox, oldest first.
    func outbox() throws -> [String] {
        try store.deliveries(state: nil, limit: 1000).reversed().map {
            "\($0.subscription.userID)@\($0.subscription.deviceID)"
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

/// What was logged, as `level: message`.
final class RecordedLog: Sendable {
    private let recorded = Mutex<[String]>([])

    var lines: [String] { recorded.withLock { $0 } }

    func lines(_ level: Logger.Level) -> [String] {
        lines.filter { $0.hasPrefix("\(level.rawValue): ") }.map { String($0.dropFirst(level.rawValue.count + 2)) }
    }

    var handler: any LogHandler { Handler(log: self) }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.recorded.withLock { $0.append("\(event.level.rawValue): \(event.message)") }
        }
    }
}
