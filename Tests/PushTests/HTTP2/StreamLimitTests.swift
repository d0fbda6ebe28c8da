import Foundation
import PushModel
import PushSandbox
import TestSupport
import Testing

@testable import Push

@Suite("Streams and connections", .defaultTimeLimit)
struct StreamLimitTests {
    @Test("A service that allows one stream gets one request at a time, on one connection")
    func one() async throws {
        var settings = HTTP2ClientSettings()
        settings.maximumConnections = 1
        try await withAPNs(settings: settings, sandbox: { $0.maximumConcurrentStreams = 1 }) { (apns) async throws in
            #expect(try await apns.sendMany(0..<50).areDelivered)
            #expect(Set(apns.sandbox.arrivals(of: .apns).map(\.connection)) == [1])
        }
    }

    @Test("One stream at first and more after the first token, as Apple does it")
    func oneAtFirst() async throws {
        try await withAPNs(sandbox: { $0.startsWithOneStream = true }) { (apns) async throws in
            #expect(try await apns.sendMany(0..<TestExtent.size(150, full: 500)).areDelivered)
            #expect(Set(apns.sandbox.arrivals(of: .apns).map(\.connection)) == [1])
        }
    }

    @Test("Another connection is made only when there was no room for a quarter of a second, and no more than allowed")
    func growth() async throws {
        try await withAPNs(sandbox: { $0.maximumConcurrentStreams = 1 }, fault: { _ in .never }) {
            (apns) async throws in
            let tasks = (0..<6).map { number in Task { try await apns.send(number) } }
            #expect(await apns.sandbox.waitForArrivals(1, of: .apns).count == 1)
            for connection in 2...3 {
                // Two timers wait: the client's clock, and the check for room.
                try await apns.time.waitForSleeper(.milliseconds(250))
                apns.time.advance(by: .milliseconds(250))
                #expect(await apns.sandbox.waitForArrivals(connection, of: .apns).count == connection)
            }
            #expect(Set(apns.sandbox.arrivals(of: .apns).map(\.connection)) == [1, 2, 3])
            for task in tasks { task.cancel() }
            for task in tasks { _ = try await task.value }
            // The end of one makes room for another that has not been cancelled yet, but no fourth connection.
            #expect(Set(apns.sandbox.arrivals(of: .apns).map(\.connection)) == [1, 2, 3])
        }
    }

    @Test("Another connection is made, too, when the first has had much to do for a quarter of a second")
    func crowd() async throws {
        var settings = HTTP2ClientSettings()
        settings.preferredStreams = 3
        try await withAPNs(settings: settings, fault: { _ in .never }) { (apns) async throws in
            var tasks = (0..<3).map { number in Task { try await apns.send(number) } }
            try await apns.time.waitForSleeper(.milliseconds(250))
            #expect(await apns.sandbox.waitForArrivals(3, of: .apns).map(\.connection) == [1, 1, 1])
            apns.time.advance(by: .milliseconds(250))
            // The first that are sent while the other is being made go where there is room.
            while !apns.sandbox.arrivals(of: .apns).contains(where: { $0.connection == 2 }) {
                let number = tasks.count
                tasks.append(Task { try await apns.send(number) })
                _ = await apns.sandbox.waitForArrivals(number + 1, of: .apns)
            }
            for task in tasks { task.cancel() }
            for task in tasks { _ = try await task.value }
        }
    }

    @Test("many messages at once need one connection")
    func burst() async throws {
        try await withAPNs { (apns) async throws in
            #expect(try await apns.sendMany(0..<TestExtent.size(200, full: 1000)).areDelivered)
            #expect(Set(apns.sandbox.arrivals(of: .apns).map(\.connection)) == [1])
        }
    }

    @Test("A payload of the greatest size passes")
    func bigPayload() async throws {
        try await withAPNs { (apns) async throws in
            let settings = PushServiceSettings(apnsEnvironment: .production)
            let message = try OutgoingMessage(appleDelivery(), settings, now: apns.time.now)
            var made = try APNsChannel.requests(for: message)[0]
            let text = #"{"aps":{"alert":""# + String(repeating: "x", count: 4096 - 20) + #""}}"#
            made.body = text
            let request = made
            let answers = await withTaskGroup(of: PushAnswer.self) { group in
                for _ in 0..<50 { group.addTask { await apns.transport.send(request) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.areDelivered)
            let sizes = apns.sandbox.arrivals(of: .apns).map(\.body.count)
            #expect(sizes == Array(repeating: text.utf8.count, count: 50))
        }
    }
}
