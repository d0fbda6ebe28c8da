import AdapterRuntime
import Gateway
import Logging
import NIOHTTP1
import TestSupport
import Testing

@Suite("The log says which adapters keep state", .timeLimit(.minutes(20)))
struct StateRemarkTests {
    private static let files = [
        "adapters/Login/Login.xml": adapterXML("Login", procedures: ["logIn", "whoAmI"]),
        "adapters/Login/Login-impl.js": """
        var user = null;
        function logIn(name) { user = name; }
        function whoAmI() { return { user: user }; }
        """,
        "adapters/Plain/Plain.xml": adapterXML("Plain"), "adapters/Plain/Plain-impl.js": "function run() { return 1; }",
    ]
    private static let place = "adapters/Login/Login-impl.js:3:"

    @Test("At the start each is named with its variable and line, and the others are not")
    func start() async throws {
        let log = LogRecorder()
        try await RunningServer.run(files: Self.files, log: log) { (_) async throws in }
        let lines = log.messages(at: .info).filter { $0.contains("may keep state between calls") }
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix(Self.place) == true && lines.first?.contains("'user'") == true)
    }

    @Test("One that scopes.shared has sessions share is a warning")
    func shared() async throws {
        let log = LogRecorder()
        try await RunningServer.run(
            files: Self.files, log: log, change: { $0.runtime.scopes.shared = .named(["Login"]) }
        ) { (_) async throws in }
        #expect(
            log.messages(at: .warning).contains {
                $0.hasPrefix(Self.place) && $0.contains("scopes.shared") && $0.contains("'user'")
            })
    }

    @Test("What is deployed is told with the answer")
    func deployed() async throws {
        let folder = try TemporaryFolder()
        var files = Self.files
        files["adapters/Login/Login-impl.js"] = "function logIn() {} function whoAmI() {}"
        try await RunningServer.run(files: files, in: folder, change: { $0.isDevelopmentOpen = true }) {
            (server) async throws in
            try folder.write(Self.files["adapters/Login/Login-impl.js"] ?? "", to: "adapters/Login/Login-impl.js")
            let answer = try await server.manage(.POST, "adapters/Login")
            #expect(answer.body.contains("the script may keep state between calls"))
        }
    }
}
