import Core
import Foundation
import Logging
import PushModel
import Storage
import TestSupport
import Testing

@Suite("WL.Server.sendMessage")
struct BroadcastBindingTests {
    private func project(devices: Int = 0) async throws -> TestProject {
        let project = try await TestProject("function run(app, options) { return WL.Server.sendMessage(app, options) }")
        for number in 0..<devices {
            let platform: Platform = number.isMultiple(of: 2) ? .android : .apple
            let token = platform == .apple ? String(repeating: "0\(number)", count: 32) : "token-\(number)"
            try project.store.register(
                DeviceRegistration(
                    applicationID: "App", deviceID: "d\(number)", userID: "u\(number)", platform: platform,
                    token: try DeviceToken(token, platform: platform)))
        }
        return project
    }

    private func recipients(of options: String, devices: Int = 3) async throws -> [String] {
        let project = try await project(devices: devices)
        #expect(await project.call(#"["App",\#(options)]"#) == #"{"isSuccessful":true,"result":0}"#)
        return try project.store.outbox.deliveries(state: nil, limit: 100).compactMap(\.target.deviceID).sorted()
    }

    @Test("A message without a target reaches all devices, and is committed before the call returns")
    func everybody() async throws {
        #expect(try await recipients(of: #"{"message":{"alert":"hi"}}"#) == ["d0", "d1", "d2"])
    }

    @Test(
        "A target names devices, users or platforms",
        arguments: [
            (#"{"deviceIds":["d1","none"]}"#, ["d1"]), (#"{"userIds":["u0","u2"]}"#, ["d0", "d2"]),
            (#"{"platforms":["A"]}"#, ["d1"]), (#"{"platforms":["A","G"]}"#, ["d0", "d1", "d2"]),
        ])
    func targets(target: String, expected: [String]) async throws {
        #expect(try await recipients(of: #"{"message":{"alert":"hi"},"target":\#(target)}"#) == expected)
    }

    @Test("Missing options are an error that names the option's path")
    func wrongOptions() async throws {
        let project = try await project()
        #expect(await project.call(#"["App",{}]"#).contains("sendMessage: message"))
        #expect(await project.call(#"["App",{"message":{}}]"#).contains("sendMessage: message.alert"))
        #expect(await project.call(#"["App","hi"]"#).contains("sendMessage: expected the message's options second"))
        #expect(await project.call(#"[null,{}]"#).contains("sendMessage: expected the application's id first"))
    }

    @Test("IBM's tag sample, whose toast has an object as launch, reaches every platform")
    func sample() async throws {
        let settings = """
            {"wns":{"raw":{"payload":{"custom":"data"}},
            "toast":{"launch":{"custom":"data"},"visual":{"binding":{"template":"ToastText04","text":[{"content":"a"}]}}},
            "badge":{"value":10}}}
            """
        #expect(try await recipients(of: #"{"message":{"alert":"hi"},"settings":\#(settings)}"#) == ["d0", "d1", "d2"])
    }

    @Test("Settings that cannot be read are a warning in the result, and the others get the message")
    func badSettings() async throws {
        let project = try await project(devices: 3)
        let options = #"{"message":{"alert":"hi"},"settings":{"apns":{"badge":"many"},"gcm":{"timeToLive":"60"}}}"#
        let answer = try JSONValue(parsing: await project.call(#"["App",\#(options)]"#))
        #expect(answer["result"] == 0)
        #expect(
            answer["warnings"] == [
                .string(
                    #"sendMessage: settings.apns.badge: expected a whole number, got the string 'many'; Apple devices "#
                        + "get nothing of this notification")
            ])
        let deliveries = try project.store.outbox.deliveries(state: nil, limit: 100)
        #expect(deliveries.count == 3)
        #expect(deliveries.allSatisfy { abs($0.expiresAt.timeIntervalSince($0.createdAt) - 60) < 0.01 })
    }

    @Test("An application that the project lacks is logged once")
    func unknownApplication() async throws {
        let project = try await project()
        for _ in 0..<2 { _ = await project.call(#"["Other",{"message":{"alert":"hi"}}]"#) }
        #expect(
            project.log.messages(at: .warning)
                == [
                    "adapters/A/A-impl.js:1: sendMessage: the project has no application 'Other', so its tags are not checked"
                ])
    }

    @Test("A tag that the application does not declare is an error that names those it does")
    func tags() async throws {
        let project = try await TestProject(files: [
            "adapters/A/A.xml": adapterXML("A"),
            "adapters/A/A-impl.js": "function run(options) { return WL.Server.sendMessage('App', options) }",
            "apps/App/application-descriptor.xml": """
            <application id="App" xmlns="http://www.worklight.com/application-descriptor">
            <tags><tag><name>news</name></tag></tags></application>
            """,
        ])
        try project.store.register(
            DeviceRegistration(
                applicationID: "App", deviceID: "d", userID: "u", platform: .android,
                token: try DeviceToken("token", platform: .android)))
        _ = try project.store.subscribe(toTag: "news", applicationID: "App", deviceID: "d")
        let known = #"[{"message":{"alert":"hi"},"target":{"tagNames":["news"]}}]"#
        #expect(await project.call(known) == #"{"isSuccessful":true,"result":0}"#)
        #expect(try project.store.outbox.deliveries(state: nil, limit: 10).count == 1)
        let unknown = await project.call(known.replacing("news", with: "nws"))
        #expect(unknown.contains("sendMessage: there is no tag 'nws': expected one of 'news', 'Push.ALL'"))
    }
}
