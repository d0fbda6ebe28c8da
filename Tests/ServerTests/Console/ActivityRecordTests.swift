import AdapterRuntime
import Core
import Foundation
import Logging
import PushModel
import TestSupport
import Testing

@testable import Installation
@testable import Management

@Suite("The activity of the server")
struct ActivityRecordTests {
    @Test("Calls, failed calls, errors and waiting deliveries are recorded, each count once")
    func records() async throws {
        let folder = try TemporaryFolder()
        try folder.write(adapterXML("A"), to: "adapters/A/A.xml")
        try folder.write("function run(x) { return x.length; }", to: "adapters/A/A-impl.js")
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let installation = try await Installation(opening: InstallationSettings(project: folder.url), logger: logger)
        let logs = LogBuffer()
        let recorder = ActivityRecorder(installation, logs: logs)
        for parameters in [#"["ann"]"#, "[null]"] {
            _ = await installation.runtime.invoke(adapter: "A", procedure: "run", parameters: parameters)
        }
        logs.append(LogLine(time: "", level: .error, message: "broken"))
        logs.append(LogLine(time: "", level: .warning, message: "odd"))
        let token = try DeviceToken("t", platform: .android)
        let registration = DeviceRegistration(
            applicationID: "App", deviceID: "phone", userID: "ann", platform: .android, token: token)
        let created = Date.now - 100
        try installation.store.outbox.enqueue([
            Delivery(
                notificationID: UUID(), content: NotificationContent(["GCM": ["alert": "Hi"]]),
                target: .registration(registration, by: .device), createdAt: created, expiresAt: created + 3600)
        ])
        try await recorder.record()
        try await recorder.record()
        let items = try installation.store.activity(.coarse, since: .now - 3600, interval: 600).map(\.activity)
        func sum(_ key: KeyPath<Activity, Int>) -> Int { items.reduce(0) { $0 + $1[keyPath: key] } }
        #expect(sum(\.calls) == 2 && sum(\.failedCalls) == 1 && sum(\.errors) == 1)
        #expect(items.last?.waiting == 1 && (items.last?.oldestDelivery ?? 0) >= 100)
        installation.server.update { $0.phase = .ready }
        let alerts = await installation.checkDeliveries().findings
        #expect(alerts.map(\.text) == ["notifications on the channel android for App wait"])
        #expect(alerts.map(\.severity) == [.warning])
        #expect(abs((alerts.first?.since ?? .distantPast).timeIntervalSince(created)) < 1)
        await installation.close()
    }
}
