import Storage
import TestSupport
import Testing
import WorklightProject

@Suite("A store that fails")
struct FailingStoreTests {
    private static let script = """
        WL.Server.createEventSource({ name: 'S' });
        function run(length) {
            var u = WL.Server.getUserNotificationSubscription('S', 'ann');
            WL.Server.notifyAllDevices(u, { GCM: { alert: new Array(length).join('x') } });
            return { ok: true };
        }
        function caught(length) {
            try { return run(length) } catch (e) { return { caught: e.message } }
        }
        """

    @Test("A full disk is an error in the response and in the log; data accepted before is kept")
    func diskFull() async throws {
        let project = try await TestProject(Self.script, pragmas: ["PRAGMA max_page_count = 100"])
        try await project.subscribe("ann")
        #expect(await project.call("[10]") == #"{"isSuccessful":true,"ok":true}"#)
        let answer = await project.call("[1000000]")
        #expect(answer.contains("lamplighter.sqlite: "))
        #expect(answer.contains("free some space on that disk; everything accepted so far is kept"))
        #expect(
            project.log.lines.value.contains {
                $0.message.contains("FWLSE0099E") && $0.message.contains("free some space")
            })
        #expect(try project.outbox() == ["ann@phone"])
        #expect(await project.call("[10]") == #"{"isSuccessful":true,"ok":true}"#)
    }

    @Test("A script can catch the store's error and go on")
    func caught() async throws {
        let project = try await TestProject(
            Self.script, procedures: ["run", "caught"], pragmas: ["PRAGMA max_page_count = 100"])
        try await project.subscribe("ann")
        #expect(await project.call("[1000000]", procedure: "caught").contains(#""caught":""#))
    }
}
