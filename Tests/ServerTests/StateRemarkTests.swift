import AdapterRuntime
import Logging
import TestSupport
import Testing

@testable import Installation

@Suite("The log says what becomes of scopes that a setting lets sessions share", .defaultTimeLimit)
struct StateRemarkTests {
    private static let files = [
        "adapters/Login/Login.xml": adapterXML("Login"),
        "adapters/Login/Login-impl.js": "var user = null; function run(name) { user = name; }",
    ]

    @Test("warns of each adapter in scopes.shared")
    func shared() async throws {
        let log = LogRecorder()
        try await RunningServer.run(
            files: Self.files, log: log, change: { $0.runtime.scopes.shared = .named(["Login"]) }
        ) { (_) async throws in }
        #expect(
            log.messages(at: .warning).contains {
                $0.hasPrefix("adapters/Login/Login-impl.js") && $0.contains("scopes.shared lets all sessions share")
            })
    }
}
