import Core
import Foundation
import TestSupport
import Testing
import WorklightClient

/// The terminal app of examples/NativePush, run as a person would.
private final class TerminalApp: Sendable {
    let output = AwaitableValue("")
    private let input = Pipe()
    private let process: ChildProcess

    init(_ arguments: [String]) throws {
        let pipe = Pipe()
        let output = output
        pipe.fileHandleForReading.readParts { part in output.update { $0 += part } }
        // Beside the tests' own binary.
        let binary = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "native-push")
        process = try ChildProcess(binary.path, arguments, input: input, output: pipe)
    }

    /// Presses a button, and waits until the app shows something more.
    ///
    /// - Returns: what it has shown since.
    func press(_ button: String, until text: String) async throws -> String {
        let before = output.value.count
        input.fileHandleForWriting.write(Data("\(button)\n".utf8))
        try await output.wait { $0.dropFirst(before).contains(text) }
        return String(output.value.dropFirst(before))
    }

    func quit() async -> Int32 {
        input.fileHandleForWriting.write(Data("q\n".utf8))
        return await process.exitStatus
    }
}

@Suite("examples/NativePush", .defaultTimeLimit)
struct NativePushTests {
    private static let example = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "examples/NativePush")

    /// Returns push-sandbox's page for a notification: it shows the payload, with Worklight's string opened.
    private func event(_ body: [AnyHashable: Any], token: String) throws -> String {
        var object = body
        let payload = try #require(body["payload"] as? String)
        object["payload"] = try JSONSerialization.jsonObject(with: Data(payload.utf8))
        let pretty = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted])
        let event: [String: Any] = [
            "number": 1, "accepted": true, "token": token, "payload": String(decoding: pretty, as: UTF8.self),
        ]
        let text = try JSONSerialization.data(withJSONObject: event)
        return "id: 1\ndata: \(String(decoding: text, as: UTF8.self))\n\n"
    }

    @Test("The five buttons work, and a notification is printed with the dictionary of seed 001")
    func buttons() async throws {
        let event = AwaitableValue("")
        let page = try LoopbackServer { _ in
            .close(Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n\(event.value)".utf8))
        }
        let folder = try TemporaryFolder()
        try await TestServer.run(project: Self.example.appending(path: "project")) { server in
            let list = try String(contentsOf: Self.example.appending(path: "worklight.plist"), encoding: .utf8)
                .replacing("<string>10080</string>", with: "<string>\(server.port)</string>")
                .replacing("<string>/</string>", with: "<string>/wl</string>")
            try folder.write(list, to: "worklight.plist")
            let app = try TerminalApp([
                "--settings", folder.path + "/worklight.plist", "--sandbox", "http://127.0.0.1:\(page.port)",
                "--folder", folder.path, "--timeout", "240",
            ])
            let connected = try await app.press("1", until: "Ready to subscribe...")
            #expect(connected.contains("Going to log in using FormChallengeHandler"))
            #expect(connected.contains("Successfully logged in ..."))
            #expect(try await app.press("2", until: "Push supported").contains("YES"))
            #expect(try await app.press("3", until: "Subscribed ::").contains("NO"))
            _ = try await app.press("4", until: "{\"isSuccessful\":true}")
            #expect(try await app.press("3", until: "Subscribed ::").contains("YES"))

            let result = try await server.call("PushAdapter", "submitNotification", "mobilefirst", "Pushnotification")
            #expect(result["result"] == "Notification sent to user :: mobilefirst")
            let token = try #require(app.output.value.firstMatch(of: /Device token :: ([0-9a-f]{64})/)).1
            let text = try self.event(try await server.sentToApple(), token: String(token))
            event.update { $0 = text }
            try await app.output.wait { $0.contains("Received Notification") && $0.contains("payload = ") }
            #expect(
                app.output.value.contains(
                    #"""
                    Received Notification {
                        aps = {
                            alert = {
                                "action-loc-key" = "<null>";
                                body = Pushnotification;
                            };
                            badge = 1;
                            sound = "";
                        };
                        payload = "{\"alias\":\"iOSPushAlias\",\"custom\":\"data\"}";
                    }
                    """#))
            _ = try await app.press("5", until: "Successfully got a response for Unsubscribe")
            #expect(try await app.press("3", until: "Subscribed ::").contains("NO"))
            #expect(await app.quit() == 0)
        }
    }

    @Test("Settings that cannot be read end it with status 2")
    func wrong() async throws {
        let app = try TerminalApp(["--settings", "/nowhere/worklight.plist"])
        #expect(await app.quit() == 2)
    }
}
