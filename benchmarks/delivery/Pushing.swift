import Core
import Foundation
import Logging
import Push
import PushModel
import Storage

/// Sends notifications to push-sandbox; `benchmarks/deliver-to-apns` and `deliver-to-fcm` start it, and the peers beside this.
enum Pushing {
    private static let count = Int(ProcessInfo.processInfo.environment["COUNT"] ?? "") ?? 100_000
    private static let inFlight = Int(ProcessInfo.processInfo.environment["IN_FLIGHT"] ?? "") ?? 500

    /// The mediator alone: deliveries in memory, requests made, signed, sent, and the answers read.
    static func mediator() async throws {
        let (mediator, transports) = try apns()
        await measure("mediator", mediator, DeliveryWorkbench.fanOut(count))
        await transports.close()
    }

    /// The same to FCM.
    static func fcm() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let folder = environment["SANDBOX"], let port = environment["FCM"] else {
            print("run benchmarks/deliver-to-fcm instead, which starts push-sandbox")
            throw ExitError()
        }
        let account = try String(contentsOfFile: folder + "/service-account.json", encoding: .utf8)
        let credential = try FCMCredential(json: account, source: "sandbox")
        let transport = try FCMTransport(
            credential: credential, endpoint: ServiceEndpoint("https://localhost:\(port)"),
            trustRoots: folder + "/root.pem", time: SystemTime(), logger: logger)
        let mediator = ServiceMediator(
            settings: PushServiceSettings(firebaseProject: credential.projectID),
            transports: [.init(service: .fcm): transport], preview: nil, time: SystemTime())
        await measure("FCM mediator", mediator, DeliveryWorkbench.fanOut(count, to: .android))
        await transport.close()
    }

    private static func measure(_ name: String, _ mediator: ServiceMediator, _ deliveries: [Delivery]) async {
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
        let (mediator, transports) = try apns()
        let bench = try DeliveryWorkbench()
        try bench.store.enqueue(DeliveryWorkbench.fanOut(count))
        let worker = OutboxWorker(
            name: "local", outbox: bench.store, mediator: mediator, pressure: OutboxBackpressure(time: SystemTime()),
            time: SystemTime(), logger: logger)
        let (start, processor) = (ContinuousClock.now, DeliveryWorkbench.processorSeconds)
        let task = Task { await worker.run() }
        while try bench.store.depth().waiting > 0 { try await Task.sleep(for: .milliseconds(20)) }
        report("whole path", since: start, processor, refused: try bench.store.counts()[.refused, default: 0])
        worker.stop()
        await task.value
        await transports.close()
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

    /// - Throws: when SANDBOX (its folder) and APNS (its port) do not lead to push-sandbox.
    private static func apns() throws -> (ServiceMediator, APNsConnections) {
        let environment = ProcessInfo.processInfo.environment
        guard let folder = environment["SANDBOX"], let port = environment["APNS"] else {
            print("run benchmarks/deliver-to-apns instead, which starts push-sandbox")
            throw ExitError()
        }
        let connections = APNsConnections(
            endpoint: ServiceEndpoint("https://localhost:\(port)"), trustRoots: folder + "/root.pem",
            time: SystemTime(), logger: logger)
        let key = try APNsTokenKey(key: folder + "/apns-key.p8", keyID: "SANDBOXKEY", teamID: "SANDBOXTEA")
        let transport = try connections.transport(with: .token(key), to: .sandbox)
        let mediator = ServiceMediator(
            settings: PushServiceSettings(), transports: [.init(service: .apns): transport], preview: nil,
            time: SystemTime())
        return (mediator, connections)
    }
}
