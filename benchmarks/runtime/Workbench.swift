import AdapterRuntime
import Core
import Foundation
import Logging
import PushModel
import Storage
import WorklightProject

/// A project in a temporary folder, loaded over a real store.
final class Workbench: Sendable {
    static let script = """
        function run(user, options) {
            var items = [];
            for (var i = 0; i < 10; i++) items.push({ id: i, name: user + i, price: i * options.factor });
            return { user: user, items: items };
        }
        function wait() { return WL.Server.invokeHttp({ method: 'get', path: '/wait' }); }
        """
    static let parameters = #"["bjones",{"factor":1.5,"sort":["name","date"]}]"#

    let runtime: AdapterRuntime
    private let folder: URL

    convenience init(port: Int = 1, machines: Int = 256) async throws {
        try await self.init(
            script: Self.script, procedures: ["run", "wait"],
            policy: """
                <connectionPolicy xsi:type="http:HTTPConnectionPolicyType">
                <domain>127.0.0.1</domain><port>\(port)</port>
                <maxConcurrentConnectionsPerNode>100</maxConcurrentConnectionsPerNode>
                </connectionPolicy>
                """, machines: machines)
    }

    /// - Parameters:
    ///   - policy: the adapter's `connectionPolicy` element.
    ///   - standIns: answer in place of the adapter's back end; `nil` for the back end itself.
    init(
        script: String, procedures: [String], policy: String, machines: Int = 256,
        standIns: (any BackEndStandIns)? = nil
    ) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "runtime-benchmark-\(UUID().uuidString)")
        let adapter = folder.appending(path: "adapters/A")
        try FileManager.default.createDirectory(at: adapter, withIntermediateDirectories: true)
        let xml = """
            <wl:adapter xmlns:wl="http://www.worklight.com/integration" xmlns:http="http://www.worklight.com/integration/http"
                xmlns:sql="http://www.worklight.com/integration/sql" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="A">
            <connectivity>\(policy)</connectivity>
            \(procedures.map { "<procedure name=\"\($0)\"/>" }.joined())
            </wl:adapter>
            """
        try Data(xml.utf8).write(to: adapter.appending(path: "A.xml"))
        try Data(script.utf8).write(to: adapter.appending(path: "A-impl.js"))
        let store = try SQLStore(folder: folder.appending(path: "store").path)
        var services = RuntimeServices(
            subscriptions: store, smsSubscriptions: store, notifications: NoNotifications(), broadcasts: NoBroadcasts(),
            time: SystemTime(),
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
        services.standIns = standIns
        var settings = RuntimeSettings()
        settings.scopes.machines = machines
        runtime = AdapterRuntime(project: Project(reading: folder), services: services, settings: settings)
        let problems = await runtime.load()
        guard problems.isEmpty else { throw BenchmarkError(description: "\(problems)") }
    }

    func close() async throws {
        try FileManager.default.removeItem(at: folder)
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
}

private struct NoNotifications: NotificationSink {
    func submit(_ deliveries: [Delivery]) throws(StoreError) -> Int { 0 }
    func flush() throws(StoreError) {}
}

private struct NoBroadcasts: BroadcastSender {
    func send(_ broadcast: Broadcast) throws(StoreError) -> Int { 0 }
    func resume() throws(StoreError) -> Int { 0 }
}

/// The processor time that this process has used, in seconds.
func processorTime() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(0), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
}

/// The process's resident size in bytes.
func residentSize() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}

extension Double {
    var short: String { String(format: "%.2f", self) }
}
