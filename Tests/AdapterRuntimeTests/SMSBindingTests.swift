import PushModel
import Storage
import Testing

@Suite("SMS subscriptions")
struct SMSBindingTests {
    private func run(_ body: String) async throws -> (answer: String, project: TestProject) {
        let project = try await TestProject(
            "WL.Server.createEventSource({ name: 'S' }); function run() { \(body) }")
        return (await project.call(), project)
    }

    @Test("A number that was subscribed is found, and is a device subscription")
    func subscribing() async throws {
        let (answer, project) = try await run(
            """
            WL.Server.subscribeSMS('A.S', '+49 170 123456', 'gate');
            var s = WL.Server.getSMSSubscription('S', '+49170123456');
            return { device: s.device, platform: s.platform, gateway: s.gatewayId };
            """)
        #expect(answer == #"{"isSuccessful":true,"device":"+49170123456","platform":"SMS","gateway":"gate"}"#)
        #expect(try project.store.targets(of: nil, userID: "+49170123456").count == 1)
    }

    @Test("A number that is not subscribed is null, and unsubscribing it succeeds")
    func unknown() async throws {
        let (answer, _) = try await run(
            """
            WL.Server.unsubscribeSMS('A.S', '123456');
            return { found: WL.Server.getSMSSubscription('A.S', '123456') };
            """)
        #expect(answer == #"{"isSuccessful":true,"found":null}"#)
    }

    @Test(
        "getSMSSubscription of a value that cannot be a number is null",
        arguments: ["'abc'", "''", "null", "undefined", "{}"])
    func notANumber(value: String) async throws {
        let (answer, _) = try await run("return { found: WL.Server.getSMSSubscription('A.S', \(value)) };")
        #expect(answer == #"{"isSuccessful":true,"found":null}"#)
    }

    @Test("An unsubscribed number is null")
    func unsubscribing() async throws {
        let (answer, _) = try await run(
            """
            WL.Server.subscribeSMS('A.S', '123456', 'gate');
            WL.Server.unsubscribeSMS('A.S', '123456');
            return { found: WL.Server.getSMSSubscription('A.S', '123456') };
            """)
        #expect(answer == #"{"isSuccessful":true,"found":null}"#)
    }

    @Test("notifyDeviceSubscription and notifyAllDevices reach the number")
    func notifying() async throws {
        let (_, project) = try await run(
            """
            var n = WL.Server.createDefaultNotification('hi');
            WL.Server.notifyDeviceSubscription(WL.Server.subscribeSMS('A.S', '123456', 'gate'), n);
            var user = WL.Server.getUserNotificationSubscription('A.S', '123456');
            WL.Server.notifyAllDevices(user, n);
            WL.Server.notifyDevice(user, user.getDeviceSubscriptions()[0].device, n);
            """)
        let deliveries = try project.store.outbox.deliveries(state: nil, limit: 10)
        #expect(deliveries.map(\.target.platformName) == ["SMS", "SMS", "SMS"])
    }

    @Test("An invalid number and a missing gateway are errors that say so")
    func wrong() async throws {
        #expect(try await run("WL.Server.subscribeSMS('A.S', 'abc', 'gate')").answer.contains("subscribeSMS: "))
        #expect(
            try await run("WL.Server.subscribeSMS('A.S', '123456')").answer
                .contains("subscribeSMS: expected the id of a gateway of SMSConfig.xml third"))
        #expect(try await run("WL.Server.getSMSSubscription()").answer.contains("expected 'Adapter.EventSource' first"))
    }
}
