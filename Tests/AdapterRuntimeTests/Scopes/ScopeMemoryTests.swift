import AdapterRuntime
import Core
import Logging
import TestSupport
import Testing

@Suite("The memory of sessions' variables", .defaultTimeLimit)
struct ScopeMemoryTests {
    private static func settings(_ change: (inout RuntimeSettings.Scopes) -> Void) -> RuntimeSettings {
        var settings = RuntimeSettings.patient
        settings.scopes.memory = 64 << 20
        settings.scopes.idleTime = .milliseconds(20)
        change(&settings.scopes)
        return settings
    }

    /// Calls `run` for each of 300 sessions, and waits until few enough are left.
    private static func fill(_ project: TestProject) async throws {
        for session in 0..<300 {
            let result = await project.call("[\(session)]", as: .session("guest \(session)"))
            #expect(result == #"{"isSuccessful":true}"#)
        }
        try await waitUntil { project.runtime.scopes.owners < 64 }
    }

    @Test("Guests who each keep a megabyte lose their variables at limits.scopeMemory, those idle longest first")
    func growth() async throws {
        let project = try await TestProject(
            """
            var kept = null;
            function run(n) { if (!kept) { kept = []; for (var i = 0; i < 131072; i++) kept.push(n + i); } }
            """, settings: Self.settings { $0.machines = 16 })
        try await Self.fill(project)
        #expect(project.log.messages(at: .info).contains { $0.contains("limits.scopeMemory (64 MB) is exceeded") })
        #expect(project.runtime.scopes.owners > 0)
    }

    @Test("A script whose variables take a megabyte after loading counts for each session at once")
    func size() async throws {
        let project = try await TestProject(
            "var table = []; for (var i = 0; i < 131072; i++) table.push(i / 3); function run() {}",
            settings: Self.settings {
                $0.machines = 16
                // No heap is measured by this time.
                $0.idleTime = .seconds(3600)
            })
        for session in 0..<300 { _ = await project.call(as: .session("guest \(session)")) }
        #expect(project.runtime.scopes.owners < 80)
    }
}
