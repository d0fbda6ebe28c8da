import Core
import TestSupport
import Testing

@testable import AdapterRuntime
@testable import Installation

@Suite("Attacks by calls that wait for a back end that hangs", .defaultTimeLimit)
struct HangingCallsTests {
    /// More sessions than there are virtual machines, first by the default settings.
    private static let attacks: [(machines: Int?, calls: Int)] = [(nil, 300), (16, 24)]

    @Test("delay neither calls of other adapters nor other sessions' calls of the same adapter", arguments: attacks)
    func others(machines: Int?, calls: Int) async throws {
        let backEnd = try HeldBackEnd()
        var files = AttackedProject.files
        files["adapters/Slow/Slow.xml"] = adapterXML(
            "Slow", procedures: ["wait", "count"], connectivity: backEnd.connectivity)
        files["adapters/Slow/Slow-impl.js"] = """
            var calls = 0;
            function wait() { calls++; return WL.Server.invokeHttp({ method: "get", path: "/" }) }
            function count() { return { calls: ++calls } }
            """
        // A test's client has a hundred connections at most, of several requests each with HTTP/2.
        try await RunningServer.run(files: files, over: .http2) {
            if let machines { $0.runtime.scopes.machines = machines }
        } _: { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<calls {
                    group.addTask {
                        let answer = try await WireClient(server).call("wait", adapter: "Slow")
                        #expect(answer["isSuccessful"] == true)
                    }
                }
                let runtime = server.installation.runtime
                try await waitUntil { runtime.waitingCalls(ofAdapter: "Slow") == calls }
                let other = WireClient(server)
                #expect(try await other.call("echo", "[1]")["got"] == [1])
                for number in 1...2 {
                    #expect(try await other.call("count", adapter: "Slow")["calls"] == .number(Double(number)))
                }
                #expect(runtime.scopes.machines <= 8)
                backEnd.open()
                try await group.waitForAll()
            }
        }
    }
}
