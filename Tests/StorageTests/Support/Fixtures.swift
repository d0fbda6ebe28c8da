import Core
import Databases
import Foundation
import GRDB
import PushModel
import TestSupport

@testable import Storage

/// A folder of one test's own, gone with the test.
final class StoreFolder: Sendable {
    let path = NSTemporaryDirectory() + "lamplighter-storage-" + UUID().uuidString
    /// The database in PostgreSQL; `nil` for SQLite.
    private let postgreSQL: String?
    /// The store in memory, which is the same however often it is opened.
    private let memory: SQLStore?

    init() throws {
        memory = StoreEngine.current == .memory ? try SQLStore(inMemoryAt: ManualTime()) : nil
        postgreSQL = StoreEngine.current == .postgreSQL ? try StoreEngine.newPostgreSQLDatabase() : nil
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var database: String { path + "/" + SQLStore.fileName }

    static func withStore() throws -> (StoreFolder, SQLStore) {
        let folder = try StoreFolder()
        return (folder, try folder.open())
    }

    func open(time: any TimeSource = ManualTime()) throws -> SQLStore {
        if let memory { return memory }
        guard postgreSQL != nil else {
            return try SQLStore(folder: path, busyTimeout: .noLimit, time: time)
        }
        return try SQLStore(try sessions(), clockOfBoth: time)
    }

    /// Opens the store as a build does whose tables are those of a plan.
    func open(as plan: SchemaPlan) throws -> SQLStore {
        let time = ManualTime()
        guard postgreSQL != nil else {
            return try SQLStore(
                database: SQLiteDatabase(folder: path, busyTimeout: .noLimit, pragmas: [], plan: plan), time: time)
        }
        let database = try PostgreSQLDatabase(try sessions(), clock: time, plan: plan)
        return SQLStore(database: database, outbox: PostgreSQLOutbox(database, time: time), time: time)
    }

    private func sessions() throws -> PostgreSQLSessions {
        PostgreSQLSessions(patientlyWith: try PostgreSQLServer.connection(to: postgreSQL ?? ""))
    }

    func openLog(_ quota: ClientLogQuota = ClientLogQuota()) throws -> SQLiteClientLog {
        try SQLiteClientLog(folder: path, quota: quota, busyTimeout: .noLimit)
    }

    /// Runs a statement beside the store.
    func run(_ sql: String) throws {
        if let memory { return try memory.database.write { _ = try $0.run(sql) } }
        guard let postgreSQL else { return try otherConnection().run(sql) }
        let sessions = PostgreSQLSessions(patientlyWith: try PostgreSQLServer.connection(to: postgreSQL), limit: 1)
        try sessions.withSession { session in _ = try session.query(sql) }
    }

    /// Runs several statements beside a store in a file or in PostgreSQL.
    func runScript(_ sql: String) throws {
        guard postgreSQL != nil else { return try otherConnection().run(sql) }
        try sessions().withSession { session in try session.run(sql) }
    }

    /// The connection string of the database in PostgreSQL.
    var connection: String { get throws { try PostgreSQLServer.connection(to: postgreSQL ?? "") } }

    /// A connection of somebody else's to the same file.
    ///
    /// - Parameter name: the file's; `nil` for the store's.
    func otherConnection(to name: String? = nil) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: name.map { "\(path)/\($0)" } ?? database, configuration: configuration)
    }

    /// Returns the number of stored notifications.
    func notificationCount() throws -> Int? {
        try open().database.read { try $0.first(Int.self, "SELECT count(*) FROM notification") }
    }
}

extension SQLStore {
    /// A store in PostgreSQL whose database goes by the same clock as the server.
    convenience init(_ sessions: PostgreSQLSessions, clockOfBoth time: any TimeSource) throws(StoreError) {
        let database = try PostgreSQLDatabase(sessions, clock: time)
        self.init(database: database, outbox: PostgreSQLOutbox(database, time: time), time: time)
    }
}

extension DatabaseQueue {
    func run(_ sql: String) throws {
        try writeWithoutTransaction { try $0.execute(sql: sql) }
    }
}

let noon = Date(timeIntervalSince1970: 1_700_000_000)

let news = EventSourceID(adapter: "NewsAdapter", name: "News")
let sport = EventSourceID(adapter: "NewsAdapter", name: "Sport")
let weather = EventSourceID(adapter: "WeatherAdapter", name: "Storms")

func subscription(
    _ userID: String = "ann", in realm: String? = nil, to eventSource: EventSourceID = news, device: String = "phone",
    application: String = "Reader", alias: String = "myNews", platform: Platform = .android, token: String = "token-1",
    options: JSONValue = ["alert": true]
) -> DeviceSubscription {
    DeviceSubscription(
        eventSource: eventSource, userID: userID, userRealm: realm, deviceID: device, applicationID: application,
        alias: alias, platform: platform, token: DeviceToken(stored: token), options: options)
}

/// Makes a delivery of a separate notification, made `age` seconds before noon, by default to a separate device.
func delivery(
    age: Double = 0, notificationID: UUID = UUID(), options: JSONValue = ["GCM": ["payload": ["n": 1]]],
    to target: DeviceSubscription? = nil
) -> Delivery {
    Delivery(
        notificationID: notificationID, options: options,
        subscription: target ?? subscription(device: "phone \(UUID())"), createdAt: noon - age,
        expiresAt: noon + 86_400)
}

let request = PushRequest(
    service: .fcm, method: "POST", url: "https://fcm.googleapis.com/v1/projects/p/messages:send",
    headers: [.init("content-type", "application/json"), .init("accept", "*/*")], body: "{\"é\":\"\\u0000/\"}")

extension DeliveryReport {
    static func of(
        _ delivery: Delivery, _ ending: Ending, at date: Date = noon + 1, requests: [PushRequest] = []
    ) -> DeliveryReport {
        DeliveryReport(on: delivery, ending: ending, date: date, requests: requests)
    }
}

extension SQLStore {
    func claimAtNoon(_ limit: Int = 100, worker: String = "worker") throws(StoreError) -> [Delivery] {
        try claim(limit: limit, now: noon, leaseEnd: noon + 60, worker: worker)
    }

    /// Sets the store's clock, unless that is the machine's.
    func setClock(to now: Date) {
        guard let time = time as? ManualTime else { return }
        time.setClock(forwardBy: now.timeIntervalSince(time.now))
    }

    /// Claims at a time.
    func claim(
        limit: Int, of channels: Set<DeliveryChannel> = .all, now: Date, leaseEnd: Date, worker: String
    ) throws(StoreError) -> [Delivery] {
        setClock(to: now)
        return try outbox.claim(
            limit: limit, of: channels, lease: .seconds(leaseEnd.timeIntervalSince(now)), worker: worker)
    }

    /// Returns when the next delivery is due; the past when one is.
    func nextDue(of channels: Set<DeliveryChannel> = .all) throws(StoreError) -> Date? {
        try outbox.timeToNext(of: channels).map { wait in
            let seconds = (time.now.timeIntervalSince1970 + wait / .seconds(1)).rounded(.toNearestOrEven)
            return wait == .zero ? .distantPast : Date(timeIntervalSince1970: seconds)
        }
    }

    func all() throws(StoreError) -> [Delivery] {
        try outbox.deliveries(state: nil, limit: 1000)
    }

    /// Enqueues deliveries, all to different devices, that end in the same way, at `date`.
    func finish(_ deliveries: [Delivery], _ ending: DeliveryReport.Ending = .delivered, at date: Date) throws {
        try outbox.enqueue(deliveries)
        try outbox.record(try claimAtNoon(deliveries.count).map { .of($0, ending, at: date) }, worker: "worker")
    }
}

/// The code of the error that `body` throws, or `nil` when it throws none.
func code(_ body: () throws(StoreError) -> Void) -> StoreError.Code? {
    do throws(StoreError) {
        try body()
        return nil
    } catch {
        return error.code
    }
}

extension SQLStore {
    /// The outbox, for tests that read SQLite.
    var sqlite: SQLiteOutbox { outbox as! SQLiteOutbox }
}
