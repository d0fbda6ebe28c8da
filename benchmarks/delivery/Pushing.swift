import Core
import Foundation
import Logging
import Push
import PushModel
import Storage
import WorklightProject

/// Sends notifications to push-sandbox; `benchmarks/deliver-to-apns` and `deliver-to-fcm` start it, and the peers beside this.
enum Pushing {
    private static let count = Int(ProcessInfo.processInfo.environment["COUNT"] ?? "") ?? 100_000
    private static let inFlight = Int(ProcessInfo.processInfo.environment["IN_FLIGHT"] ?? "") ?? 500

    /// The transports alone: deliveries in memory, requests made, signed, sent, and the answers read.
    static func mediator() async throws {
        let credentials = try await apns()
        await measure("mediator", credentials, DeliveryWorkbench.fanOut(count))
        await credentials.close()
    }

    /// The same to FCM.
    static func fcm() async throws {
        let credentials = try await credentials(for: "FCM") { settings, endpoint in
            settings.fcm.serviceAccount = "service-account.json"
            settings.fcm.endpoint = endpoint
        }
        await measure("FCM mediator", credentials, DeliveryWorkbench.fanOut(count, to: .android))
        await credentials.close()
    }

    private static func measure(_ name: String, _ mediator: PushCredentials, _ deliveries: [Delivery]) async {
        _ = await mediator.deliver(deliveries[0])
        let memory = DeliveryWorkbench.residentMegabytes
        let (start, processor) = (ContinuousClock.now, DeliveryWorkbench.processorSeconds)
        let refused = await withTaskGroup(of: Int.self) { group in
            for lane in 0..<inFlight {
                group.addTask {
                    var refused = 0
                    for index in stride(from: lane, to: deliveries.count, by: inFlight) {
                        if await mediator.deliver(deliveries[index]).ending != .delivered { refused += 1 }
                    }
                    return refused
                }
            }
            return await group.reduce(0, +)
        }
        report(name, since: start, processor, refused: refused)
        print(
            "    memory: \(memory) MB with the deliveries, \(DeliveryWorkbench.residentMegabytes) MB after they were sent"
        )
    }

    /// From the store to the phones and back: claimed, sent, and how it ended recorded.
    static func whole() async throws {
        let credentials = try await apns()
        let bench = try DeliveryWorkbench()
        try bench.store.outbox.enqueue(DeliveryWorkbench.fanOut(count))
        let worker = OutboxWorker(
            name: "local", outbox: bench.store.outbox, mediator: credentials, pressure: OutboxBackpressure(),
            time: SystemTime(), logger: logger)
        let (start, processor) = (ContinuousClock.now, DeliveryWorkbench.processorSeconds)
        let task = Task { await worker.run() }
        while try bench.store.outbox.depth().waiting > 0 { try await Task.sleep(for: .milliseconds(20)) }
        report("whole path", since: start, processor, refused: try bench.store.outbox.counts()[.refused, default: 0])
        worker.stop()
        await task.value
        await credentials.close()
    }

    private static var logger: Logger {
        var logger = Logger(label: "benchmark")
        logger.logLevel = .warning
        return logger
    }

    private static func report(
        _ name: String, since start: ContinuousClock.Instant, _ processor: Double, refused: Int
    ) {
        let seconds = start.duration(to: .now) / .seconds(1)
        let used = (DeliveryWorkbench.processorSeconds - processor) / Double(count) * 1e6
        print("\(name): \(Int(Double(count) / seconds)) a second, \(Int(used)) us of CPU for each, \(refused) refused")
    }

    private static func apns() async throws -> PushCredentials {
        try await credentials(for: "APNS") { settings, endpoint in
            settings.apns.key = "apns-key.p8"
            settings.apns.keyID = "SANDBOXKEY"
            settings.apns.teamID = "SANDBOXTEA"
            settings.apns.endpoint = endpoint
        }
    }

    /// The credentials of push-sandbox, whose folder takes the place of a project's.
    ///
    /// - Parameter service: the variable of the environment with its port.
    /// - Throws: when SANDBOX (the folder) and the port do not lead to push-sandbox.
    private static func credentials(
        for service: String, _ set: (inout PushCredentialSettings, ServiceEndpoint?) -> Void
    ) async throws -> PushCredentials {
        let environment = ProcessInfo.processInfo.environment
        guard let folder = environment["SANDBOX"], let port = environment[service] else {
            print("run benchmarks/deliver-to-\(service.lowercased()) instead, which starts push-sandbox")
            throw ExitError()
        }
        var push = PushSettings()
        push.trustedCertificates = "root.pem"
        set(&push.credentials, ServiceEndpoint("https://localhost:\(port)"))
        let plan = PushPlan(for: Project(reading: URL(filePath: folder)), push, isProduction: false, now: Date())
        try plan.checkSettings(isStrict: true)
        return try await PushCredentials(
            plan, webPushKey: VAPIDKey(), time: SystemTime(), logger: logger, guards: .none, isBlocked: { _ in false })
    }
}
