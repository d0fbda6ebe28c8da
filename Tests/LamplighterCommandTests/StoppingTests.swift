import Foundation
import PushModel
import Storage
import TestSupport
import Testing

@Suite("Stopping")
struct StoppingTests {
    private static func poll(_ body: String) -> String {
        """
        WL.Server.createEventSource({ name: 'S', poll: { interval: 0.05, onPoll: poll } });
        var n = 0;
        function poll() { n += 1; if (n > 1) return; WL.Logger.info('poll begins'); \(body); WL.Logger.info('poll ends'); }
        function run() { WL.Logger.info('call begins'); \(body); return { done: true } }
        """
    }

    private static let longer = "var end = Date.now() + 1000; while (Date.now() < end) {}"

    @Test(
        "SIGTERM waits for a poll that is running, and ends with 0", .timeLimit(.minutes(20)),
        arguments: [SIGTERM, SIGINT])
    func runningPoll(signal: Int32) async throws {
        let project = try makeProject(Self.poll(Self.longer))
        let server = try await ServerProcess([project.path])
        _ = await server.log(with: "poll begins")
        #expect(await server.end(with: signal) == 0)
        #expect(await server.wholeLog().contains("poll ends"))
    }

    @Test("SIGTERM waits for a call that is running, which gets its answer", .timeLimit(.minutes(20)))
    func runningCall() async throws {
        let project = try makeProject(Self.poll(Self.longer))
        let server = try await ServerProcess([project.path])
        async let call = Command.run(["call", "A/run", "--project", project.path])
        _ = await server.log(with: "call begins")
        #expect(await server.end(with: SIGTERM) == 0)
        #expect(try await call.output == #"{"isSuccessful":true,"done":true}"# + "\n")
    }

    @Test("A poll that does not end is given up after the grace period", .timeLimit(.minutes(20)))
    func endlessPoll() async throws {
        let project = try makeProject(Self.poll("for (;;) {}"))
        try project.write("gracePeriod: 0.2\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        _ = await server.log(with: "poll begins")
        #expect(await server.end(with: SIGTERM) == 0)
        let log = await server.wholeLog()
        #expect(log.contains("stopped without waiting for the polls of A.S"))
        #expect(!log.contains("poll ends"))
    }

    @Test("When the next poll is due survives a restart", .timeLimit(.minutes(20)))
    func dueTime() async throws {
        let project = try makeProject(
            "WL.Server.createEventSource({ name: 'S', poll: { interval: 86400, onPoll: function () { WL.Logger.info('ran') } } });"
        )
        let first = try await ServerProcess([project.path])
        _ = await first.end(with: SIGTERM)
        // As if the day had passed meanwhile.
        try await shiftDueTimes(in: project, bySeconds: -86_400)
        let second = try await ServerProcess([project.path])
        #expect(await second.log(with: "A: ran").contains("A: ran"))
        _ = await second.end(with: SIGTERM)
    }

    private func shiftDueTimes(in project: TemporaryFolder, bySeconds seconds: Double) async throws {
        let store = try SQLiteStore(folder: project.url.appending(path: ".lamplighter").path)
        let source = EventSourceID(adapter: "A", name: "S")
        let record = try #require(try store.pollRecord(of: source))
        try store.savePollRecords([
            PollRecord(
                eventSource: source, interval: record.interval, lastEnded: record.lastEnded,
                nextDue: record.nextDue.addingTimeInterval(seconds), consecutiveFailures: 0)
        ])
    }
}
