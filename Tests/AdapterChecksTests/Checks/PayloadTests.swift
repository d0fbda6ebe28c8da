import AdapterChecks
import TestSupport
import Testing
import WorklightProject

@Suite("Payloads that are too large")
struct PayloadTests {
    private func check(_ call: String, _ extra: String = "") async throws -> Checked {
        try await Checked("\(extra)\nfunction run(s, x) { WL.Server.\(call); }")
    }

    private func text(_ count: Int) -> String { "'" + String(repeating: "x", count: count) + "'" }

    @Test("A string over a service's limit is found, with size and limit, for each platform")
    func everywhere() async throws {
        let problem = try await check("createDefaultNotification(\(text(5200)), 1, {})").only(.payloadSize)
        #expect(problem.place == "adapters/A/A-impl.js:2:22")
        for words in ["APNs takes at most 4096 bytes and this message has", "FCM takes", "WNS takes", "Web Push takes"]
        {
            #expect(problem.message.contains(words))
        }
    }

    @Test("Only the platforms that are over their limit are reported")
    func onePlatform() async throws {
        let problem = try await check("notifyAllDevices(s, { APNS: { alert: \(text(4100)) }, GCM: { alert: x } })")
            .only(.payloadSize)
        #expect(problem.message.contains("APNs takes at most 4096 bytes"))
        #expect(!problem.message.contains("FCM"))
    }

    @Test(
        "All functions that send are checked",
        arguments: [
            "notifyDevice(s, 'd', { GCM: { payload: { a: T } } })", "notifyDeviceSubscription(s, { alert: T })",
            "sendMessage('App', { message: { alert: T } })", "notifyAllDevices(s, { alert: 'a' + T })",
        ])
    func functions(call: String) async throws {
        let checked = try await check(call.replacing("T", with: text(5200)))
        #expect(checked.places == ["2:22 payload-size"])
    }

    @Test("Payloads just within the limits, or computed, are ignored")
    func within() async throws {
        #expect(try await check("createDefaultNotification(\(text(3500)), 1, {})").places == [])
        #expect(try await check("notifyAllDevices(s, { alert: x + \(text(5200)) })").places == [])
        #expect(try await check("notifyAllDevices(s, x)").places == [])
        #expect(try await check("createDefaultNotification()").places == [])
    }

    @Test("A message for phones counts only where text messages are sent")
    func textMessages() async throws {
        let call = "createDefaultNotification(\(text(200)), 1, {})"
        #expect(try await check(call).places == [])
        let sending = "WL.Server.createEventSource({ name: 'E' }); WL.Server.subscribeSMS('A.E', '1', 'g');"
        let problem = try await check(call, sending).only(.payloadSize)
        #expect(problem.message.contains("SMS takes at most 160 characters and this message has 200"))
    }
}
