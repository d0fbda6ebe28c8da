import Core
import Foundation
import Logging
import PushModel
import PushSandbox
import TestSupport
import Testing

@testable import Push

/// The rule by itself, on a clock of the test's own.
@Suite("Guarding devices against removal in masses")
struct MassRemovalGuardTests {
    private let time = ManualTime()
    private let log = LogRecorder()
    private let removals: MassRemovalGuard

    init() {
        removals = MassRemovalGuard(name: "FCM", alarm: "set the project", time: time, logger: log.logger)
    }

    private func accept(_ devices: Range<Int>) {
        for device in devices { _ = removals.checked(.delivered, of: "\(device)") }
    }

    /// Returns how many of these devices are removed when the service reports them as lost.
    private func lose(_ devices: Range<Int>) -> Int {
        devices.count { removals.checked(.deviceGone(reason: "410", asOf: nil), of: "\($0)").name == "gone" }
    }

    @Test("removes a lost device at the second attempt, after a minute and one accepted message")
    func second() {
        accept(0..<1)
        #expect(removals.checked(.deviceGone(reason: "410", asOf: nil), of: "1").wait == .seconds(60))
        accept(0..<1)
        time.advance(by: .seconds(59))
        #expect(lose(1..<2) == 0)
        time.advance(by: .seconds(1))
        #expect(lose(1..<2) == 1)
        #expect(log.lines.value.isEmpty)
    }

    @Test("removes no device of a fleet that the service knew before and reports as lost now", arguments: [1, 5, 200])
    func all(devices: Int) {
        accept(0..<devices)
        for minute in 0..<10 {
            #expect(lose(0..<devices) == 0)
            #expect(log.messages(at: .error).count == (devices < 5 ? 0 : minute + 1))
            time.advance(by: .seconds(60))
        }
    }

    @Test("removes half of a fleet once the service has taken as many messages as devices are lost")
    func half() {
        #expect(lose(0..<100) == 0)
        accept(100..<199)
        time.advance(by: .seconds(60))
        #expect(lose(0..<100) == 0)
        accept(199..<200)
        #expect(lose(0..<100) == 100)
    }

    @Test("keeps a device that the service takes a message for between two losses")
    func known() {
        #expect(lose(0..<1) == 0)
        accept(0..<2)
        time.advance(by: .seconds(60))
        #expect(lose(0..<1) == 0)
    }

    @Test("raises no alarm for the repeated loss of one device")
    func repeated() {
        for _ in 0..<20 { #expect(lose(0..<1) == 0) }
        #expect(log.messages(at: .error).isEmpty)
    }
}

/// Over real connections: each service reports every device as lost.
@Suite("Push services that lose every device", .defaultTimeLimit)
struct MassRemovalTests {
    /// Expects that no device is removed, and that the log has one alarm.
    private func check(_ endings: [MediatorOutcome.Ending], _ log: LogRecorder) {
        #expect(Set(endings.map(\.wait)) == [MassRemovalGuard.wait])
        #expect(log.messages(at: .error).count == 1)
        #expect(log.messages(at: .error).first?.contains("devices in a row as lost") == true)
    }

    @Test("410 of APNs for all devices removes none, at the second attempt too")
    func apns() async throws {
        try await withAPNs(fault: { _ in .status(410, reason: "Unregistered") }) { (apns) async throws in
            check(try await apns.sendMany(0..<60).map(\.ending), apns.log)
            apns.time.advance(by: .seconds(60))
            #expect(try await apns.sendMany(0..<60).contains(where: \.isDeviceGone) == false)
        }
    }

    @Test("UNREGISTERED of FCM for all devices removes none")
    func fcm() async throws {
        try await ServiceBench.run(fault: { $0.service == .fcm ? .status(404, reason: "UNREGISTERED") : nil }) {
            bench in
            let transport = try bench.fcm()
            let mediator = bench.mediator(transport)
            let endings = await many { number in
                await mediator.deliver(ServiceSample.delivery(["GCM": ["alert": "Hi"]], token: "token-\(number)"))
            }
            check(endings, bench.log)
            await transport.close()
        }
    }

    @Test("404 and 410 of WNS for all channels remove none", arguments: [404, 410])
    func wns(status: Int) async throws {
        try await ServiceBench.run(fault: { $0.service == .wns ? .status(status, reason: "gone") : nil }) { bench in
            let transport = try bench.wns()
            let mediator = bench.mediator(transport)
            let endings = await many { number in
                let channel = "https://db5.notify.windows.com/?token=\(number)"
                return await mediator.deliver(
                    ServiceSample.delivery(["WNS": ["raw": ["payload": [:]]]], platform: .windows, token: channel))
            }
            check(endings, bench.log)
            await transport.close()
        }
    }

    @Test("404 and 410 of a browser's service for all pages remove none", arguments: [404, 410])
    func webPush(status: Int) async throws {
        try await LocalPushService.run({ _ in .status(status) }) { service in
            let fixture = try WebPushFixture(at: service)
            var endings: [MediatorOutcome.Ending] = []
            for number in 0..<5 {
                endings.append(try await fixture.send(endpoint: "https://push.example.com/p/\(number)").ending)
            }
            check(endings, fixture.log)
            await fixture.transport.close()
        }
    }

    private func many(
        _ send: @escaping @Sendable (Int) async -> MediatorOutcome
    ) async -> [MediatorOutcome.Ending] {
        await withTaskGroup(of: MediatorOutcome.Ending.self) { group in
            for number in 0..<60 { group.addTask { await send(number).ending } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
