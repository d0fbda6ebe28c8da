import Delivery
import Foundation
import Logging
import PushModel
import PushSandbox
import TestSupport
import Testing

@testable import PushServices

/// The rules by themselves, on a clock of the test's own.
@Suite("Guarding devices against removal in masses")
struct MassRemovalGuardTests {
    private let time = ManualTime()
    private let log = LogRecorder()

    private func makeGuard() -> MassRemovalGuard {
        MassRemovalGuard(name: "FCM", alarm: "the project is wrong", time: time, logger: log.logger)
    }

    private func remove(_ devices: Range<Int>, with removals: MassRemovalGuard) -> Int {
        devices.count { removals.gone("\($0)") == .remove }
    }

    @Test("When all devices are gone the tenth raises the alarm")
    func all() {
        #expect(remove(0..<200, with: makeGuard()) == MassRemovalGuard.lostForAlarm - 1)
        #expect(log.messages(at: .error).count == 1)
    }

    @Test("When all devices vanish that were known before, the twentieth in a row raises the alarm")
    func inRow() {
        let removals = makeGuard()
        for device in 0..<100 { removals.known("\(device)") }
        #expect(remove(0..<100, with: removals) == MassRemovalGuard.inRowForAlarm - 1)
    }

    @Test("Half of the devices gone, in any order, is no alarm")
    func half() {
        let removals = makeGuard()
        var removed = 0
        for device in 0..<200 {
            if device.isMultiple(of: 2) {
                removals.known("\(device)")
            } else {
                removed += remove(device..<device + 1, with: removals)
            }
        }
        #expect(removed == 100)
        #expect(log.messages(at: .error).isEmpty)
    }

    @Test("Apps that are uninstalled over the years are no alarm, in an app that few have")
    func years() {
        let removals = makeGuard()
        for device in 0..<200 {
            for known in ["a", "b", "c"] { removals.known(known) }
            #expect(removals.gone("\(device)") == .remove)
            time.advance(by: .seconds(12 * 86_400))
        }
    }

    @Test("After the alarm the first known device lets messages pass again")
    func recovery() {
        let removals = makeGuard()
        _ = remove(0..<10, with: removals)
        #expect(removals.admit() == .hold(for: .seconds(60), reason: "the project is wrong"))
        time.advance(by: .seconds(60))
        #expect(removals.admit() == .pass)
        removals.known("new")
        #expect(removals.admit() == .pass)
        #expect(log.messages(at: .notice) == ["FCM works again"])
    }
}

/// Over real connections: what each service says when it knows nobody any more.
@Suite("Push services that know nobody any more", .timeLimit(.minutes(5)))
struct MassRemovalTests {
    /// That few of many devices were removed, that the log has one alarm, and that messages wait.
    private func check(_ endings: [MediatorOutcome.Ending], next: MediatorOutcome.Ending, _ log: LogRecorder) {
        let names = endings.map(\.name)
        #expect(names.count { $0 == "gone" } < MassRemovalGuard.lostForAlarm)
        #expect(Set(names).isSubset(of: ["gone", "retry"]))
        #expect(log.messages(at: .error).count == 1)
        #expect(log.messages(at: .error).first?.contains("removed") == true)
        #expect(next.wait == .seconds(60))
    }

    @Test(
        "410 of APNs for all devices removes hardly any, raises the alarm and stops",
        arguments: ["Unregistered", "ExpiredToken"])
    func apns(reason: String) async throws {
        try await withAPNs(fault: { _ in .status(410, reason: reason) }) { (apns) async throws in
            let endings = try await apns.sendMany(0..<200).map(\.ending)
            let arrived = apns.sandbox.arrivalCount(of: .apns)
            check(endings, next: try await apns.send(300).ending, apns.log)
            #expect(apns.sandbox.arrivalCount(of: .apns) == arrived)
        }
    }

    @Test("UNREGISTERED of FCM for all devices removes hardly any, raises the alarm and stops")
    func fcm() async throws {
        try await ServiceBench.run(fault: { $0.service == .fcm ? .status(404, reason: "UNREGISTERED") : nil }) {
            bench in
            let transport = try bench.fcm()
            let mediator = bench.mediator(transport)
            @Sendable func send(_ number: Int) async -> MediatorOutcome.Ending {
                await mediator.deliver(ServiceSample.delivery(["GCM": ["alert": "Hi"]], token: "token-\(number)"))
                    .ending
            }
            let endings = await many(200, send)
            check(endings, next: await send(300), bench.log)
            await transport.close()
        }
    }

    @Test("404 and 410 of WNS for all channels remove hardly any, raise the alarm and stop", arguments: [404, 410])
    func wns(status: Int) async throws {
        try await ServiceBench.run(fault: { $0.service == .wns ? .status(status, reason: "gone") : nil }) { bench in
            let transport = try bench.wns()
            let mediator = bench.mediator(transport)
            @Sendable func send(_ number: Int) async -> MediatorOutcome.Ending {
                let channel = "https://db5.notify.windows.com/?token=\(number)"
                return await mediator.deliver(
                    ServiceSample.delivery(["WNS": ["raw": ["payload": [:]]]], platform: .windows, token: channel)
                ).ending
            }
            let endings = await many(200, send)
            check(endings, next: await send(300), bench.log)
            await transport.close()
        }
    }

    @Test(
        "404 and 410 of a browser's service for all pages remove hardly any, raise the alarm and stop",
        arguments: [404, 410])
    func webPush(status: Int) async throws {
        try await LocalPushService.run({ _, request in .init(status: request.path == "/other" ? 201 : status) }) {
            service in
            let fixture = try WebPushFixture(at: service)
            var endings: [MediatorOutcome.Ending] = []
            for number in 0..<30 {
                endings.append(try await fixture.send(endpoint: "https://push.example.com/p/\(number)").ending)
            }
            check(endings, next: try await fixture.send(endpoint: "https://push.example.com/p/300").ending, fixture.log)
            // Other browsers' services are not affected.
            #expect(try await fixture.send(endpoint: "https://other.example.com/other").ending == .delivered)
            await fixture.transport.close()
        }
    }

    private func many(
        _ count: Int, _ send: @escaping @Sendable (Int) async -> MediatorOutcome.Ending
    ) async -> [MediatorOutcome.Ending] {
        await withTaskGroup(of: MediatorOutcome.Ending.self) { group in
            for number in 0..<count { group.addTask { await send(number) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
