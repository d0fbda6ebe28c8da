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

    private func makeGuard(mostLost: Int = MassRemovalGuard.mostLost) -> MassRemovalGuard {
        MassRemovalGuard(
            name: "FCM", alarm: "the project is wrong", mostLost: mostLost, time: time, logger: log.logger)
    }

    /// Returns how many of these devices are removed when the service knows none of them.
    private func lose(_ devices: Range<Int>, with removals: MassRemovalGuard) -> Int {
        devices.count { removals.lost("\($0)") == .remove }
    }

    @Test("When no device is known none is removed, and the fifth raises the alarm")
    func all() {
        let removals = makeGuard()
        #expect(lose(0..<4, with: removals) == 0)
        #expect(removals.admit("0") == .pass)
        #expect(log.messages(at: .error).isEmpty)
        #expect(lose(4..<200, with: removals) == 0)
        #expect(removals.admit("0") == .hold(for: .seconds(60), reason: "the project is wrong"))
        #expect(log.messages(at: .error).count == 1)
    }

    @Test("A fleet too small for an alarm keeps its devices, and the log has a warning once an hour")
    func tiny() {
        let removals = makeGuard()
        for _ in 0..<59 {
            #expect(removals.lost("a") == .unknown(wait: .seconds(60)))
            #expect(removals.lost("b") == .unknown(wait: .seconds(60)))
            time.advance(by: .seconds(60))
        }
        #expect(log.messages(at: .warning).count == 1)
        time.advance(by: .seconds(60))
        #expect(removals.lost("a") == .unknown(wait: .seconds(60)))
        #expect(log.messages(at: .warning).count == 2)
        #expect(log.messages(at: .error).isEmpty)
    }

    @Test(
        "When all devices vanish that were known before, hardly any is removed",
        arguments: [(2, 0), (3, 0), (4, 1), (5, 1), (8, 2), (20, 3), (100, 3), (1000, 3)])
    func inRow(devices: Int, removed: Int) {
        let removals = makeGuard()
        for device in 0..<devices { removals.known("\(device)") }
        #expect(lose(0..<devices, with: removals) == removed)
        // Retries change nothing.
        for _ in 0..<10 { #expect(lose(removed..<devices, with: removals) == 0) }
        #expect(log.messages(at: .error).count == (devices >= MassRemovalGuard.firstLostForAlarm ? 1 : 0))
    }

    @Test("A device that is gone is removed after another one was known")
    func confirmed() {
        let removals = makeGuard()
        #expect(removals.lost("gone") == .unknown(wait: .seconds(60)))
        removals.known("other")
        #expect(removals.lost("second") == .unknown(wait: .seconds(5)))
        removals.known("other")
        #expect(removals.lost("gone") == .remove)
        #expect(removals.lost("second") == .remove)
    }

    @Test("Half of the devices gone, in any order, is no alarm, and at the second attempt they go")
    func half() {
        let removals = makeGuard()
        var (waiting, count): ([Int], Int) = ([], 0)
        let order = String(repeating: "kkkggggkkgkkkggg", count: 12)
        for (device, answer) in order.enumerated() {
            if answer == "k" {
                removals.known("\(device)")
            } else {
                count += 1
                if removals.lost("\(device)") != .remove { waiting.append(device) }
            }
        }
        #expect(count == 96)
        #expect(!waiting.isEmpty && waiting.count < 20)
        for device in waiting {
            removals.known("0")
            #expect(removals.lost("\(device)") == .remove)
        }
        #expect(log.messages(at: .error).isEmpty)
    }

    @Test("A lost device that is tried again is counted once, even after 100 other devices were answered")
    func repeated() {
        let removals = makeGuard()
        for device in 0..<100 { removals.known("\(device)") }
        let waiting = (100..<130).filter { removals.lost("\($0)") != .remove }
        #expect(waiting.count == 27)
        for device in 200..<300 { removals.known("\(device)") }
        #expect(waiting.allSatisfy { removals.lost("\($0)") == .remove })
    }

    @Test("When more devices are lost in a day than are remembered, the retries of one device raise no alarm")
    func full() {
        let removals = makeGuard(mostLost: 10)
        for device in 0..<50 {
            removals.known("known \(device)")
            _ = removals.lost("\(device)")
        }
        for device in 1000..<1090 { removals.known("\(device)") }
        for _ in 0..<40 { #expect(removals.lost("gone") == .remove) }
        #expect(log.messages(at: .error).isEmpty)
    }

    @Test("Devices that were lost a day ago are forgotten, and good devices are probed again during an alarm")
    func forgotten() {
        let removals = makeGuard(mostLost: 10)
        _ = lose(0..<10, with: removals)
        time.advance(by: .seconds(2))
        #expect(removals.admit("new") == .hold(for: .seconds(58), reason: "the project is wrong"))
        time.advance(by: MassRemovalGuard.memory + .seconds(3600))
        removals.known("other")
        _ = lose(100..<105, with: removals)
        _ = lose(200..<201, with: removals)
        #expect(removals.admit("new") == .pass)
    }

    @Test("Apps that are uninstalled over the years are no alarm, in an app that few have")
    func years() {
        let removals = makeGuard()
        for device in 0..<200 {
            for known in ["a", "b", "c"] { removals.known(known) }
            #expect(removals.lost("\(device)") == .remove)
            time.advance(by: .seconds(12 * 86_400))
        }
    }

    @Test("After the alarm the first known device lets messages pass again")
    func recovery() {
        let removals = makeGuard()
        _ = lose(0..<5, with: removals)
        #expect(removals.admit("0") == .hold(for: .seconds(60), reason: "the project is wrong"))
        time.advance(by: .seconds(60))
        #expect(removals.admit("0") == .pass)
        removals.known("0")
        #expect(removals.admit("1") == .pass)
        #expect(log.messages(at: .notice) == ["FCM works again"])
    }

    @Test(
        "During an alarm one message per second goes to a device that was not lost yet, and a good device ends the alarm"
    )
    func probes() {
        let removals = makeGuard()
        _ = lose(0..<5, with: removals)
        func held(_ seconds: Int) -> CircuitBreaker.Admission {
            .hold(for: .seconds(seconds), reason: "the project is wrong")
        }
        #expect(removals.admit("5") == held(20))
        time.advance(by: .seconds(1))
        #expect(removals.admit("0") == held(59))
        #expect(removals.admit("5") == .pass)
        #expect(removals.admit("new") == held(20))
        #expect(removals.lost("5") != .remove)
        time.advance(by: .seconds(1))
        #expect(removals.admit("5") == held(58))
        #expect(removals.admit("new") == .pass)
        removals.known("new")
        #expect(removals.admit("other") == .pass)
        #expect(log.messages(at: .notice) == ["FCM works again"])
    }
}

/// Over real connections: what each service says when it knows nobody any more.
@Suite("Push services that know nobody any more", .timeLimit(.minutes(20)))
struct MassRemovalTests {
    /// Expects that no device was removed, that the log has one alarm, and that messages wait.
    private func check(_ endings: [MediatorOutcome.Ending], next: MediatorOutcome.Ending, _ log: LogRecorder) {
        #expect(Set(endings.map(\.name)) == ["retry"])
        #expect(log.messages(at: .error).count == 1)
        #expect(log.messages(at: .error).first?.contains("removed") == true)
        #expect(next.wait == MassRemovalGuard.probePause)
    }

    @Test(
        "410 of APNs for all devices removes none, raises the alarm and stops, in a small fleet too",
        arguments: TestExtent.size(["Unregistered"], full: ["Unregistered", "ExpiredToken"]),
        TestExtent.size([60, 5], full: [200, 5]))
    func apns(reason: String, devices: Int) async throws {
        try await withAPNs(fault: { _ in .status(410, reason: reason) }) { (apns) async throws in
            let endings = try await apns.sendMany(0..<devices).map(\.ending)
            let arrived = apns.sandbox.arrivalCount(of: .apns)
            check(endings, next: try await apns.send(300).ending, apns.log)
            #expect(apns.sandbox.arrivalCount(of: .apns) == arrived)
        }
    }

    @Test(
        "UNREGISTERED of FCM for all devices removes none, raises the alarm and stops",
        arguments: TestExtent.size([60, 5], full: [200, 5]))
    func fcm(devices: Int) async throws {
        try await ServiceBench.run(fault: { $0.service == .fcm ? .status(404, reason: "UNREGISTERED") : nil }) {
            bench in
            let transport = try bench.fcm()
            let mediator = bench.mediator(transport)
            @Sendable func send(_ number: Int) async -> MediatorOutcome.Ending {
                await mediator.deliver(ServiceSample.delivery(["GCM": ["alert": "Hi"]], token: "token-\(number)"))
                    .ending
            }
            let endings = await many(devices, send)
            check(endings, next: await send(300), bench.log)
            await transport.close()
        }
    }

    @Test(
        "404 and 410 of WNS for all channels remove none, raise the alarm and stop",
        arguments: TestExtent.size([410], full: [404, 410]),
        TestExtent.size([60, 5], full: [200, 5]))
    func wns(status: Int, devices: Int) async throws {
        try await ServiceBench.run(fault: { $0.service == .wns ? .status(status, reason: "gone") : nil }) { bench in
            let transport = try bench.wns()
            let mediator = bench.mediator(transport)
            @Sendable func send(_ number: Int) async -> MediatorOutcome.Ending {
                let channel = "https://db5.notify.windows.com/?token=\(number)"
                return await mediator.deliver(
                    ServiceSample.delivery(["WNS": ["raw": ["payload": [:]]]], platform: .windows, token: channel)
                ).ending
            }
            let endings = await many(devices, send)
            check(endings, next: await send(300), bench.log)
            await transport.close()
        }
    }

    @Test(
        "404 and 410 of a browser's service for all pages remove none, raise the alarm and stop",
        arguments: [404, 410], [30, 5])
    func webPush(status: Int, pages: Int) async throws {
        try await LocalPushService.run({ request in .status(request.target == "/other" ? 201 : status) }) {
            service in
            let fixture = try WebPushFixture(at: service)
            var endings: [MediatorOutcome.Ending] = []
            for number in 0..<pages {
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
