import AdapterRuntime
import TestSupport
import Testing

@testable import Installation

@Suite("Over sockets no client sees another's value", .defaultTimeLimit)
struct LeakConversationTests {
    private static let files: [String: String] = {
        var files = [
            "apps/App/application-descriptor.xml": """
            <application id="App" platformVersion="6.2.0.0" xmlns="http://www.worklight.com/application-descriptor">
            <displayName>App</displayName><android version="1.0"/></application>
            """
        ]
        for (index, program) in LeakProgram.all.enumerated() {
            files["adapters/P\(index)/P\(index).xml"] = adapterXML("P\(index)", procedures: ["set", "get"])
            files["adapters/P\(index)/P\(index)-impl.js"] = program.script
        }
        return files
    }()

    @Test("for any use by the adapter", arguments: [InstallationSettings.Mode.development, .production])
    func programs(mode: InstallationSettings.Mode) async throws {
        // In one machine, where each call finds the scopes of those before.
        try await RunningServer.run(
            files: Self.files,
            change: {
                $0.mode = mode
                $0.runtime.scopes.machines = 1
            }
        ) { (server) async throws in
            let ann = WireClient(server, device: "phone-1"), bob = WireClient(server, device: "phone-2")
            for client in [ann, bob] { #expect(try await client.act("init").status == 200) }
            #expect(ann.session != bob.session)
            var leaks: [String] = []
            for (index, program) in LeakProgram.all.enumerated() {
                _ = try await ann.call("set", #"["SECRET-A"]"#, adapter: "P\(index)")
                let answer = try await bob.call("get", adapter: "P\(index)")
                if answer.text.contains("SECRET-A") { leaks.append(program.name) }
                // The response of the procedure, or of one that has nothing to find.
                #expect(answer.text.contains("isSuccessful"))
            }
            #expect(leaks == [])
        }
    }
}
