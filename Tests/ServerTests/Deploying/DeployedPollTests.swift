import Core
import Foundation
import Logging
import PollScheduler
import PushModel
import TestSupport
import Testing

@testable import Installation

@Suite("Polls of an adapter that is redeployed", .defaultTimeLimit)
struct DeployedPollTests {
    private static func script(_ version: Int, interval: Int = 10, source: String = "S") -> String {
        """
        WL.Server.createEventSource({ name: '\(source)', poll: { interval: \(interval), onPoll: poll } });
        function poll() {
            var answer = WL.Server.invokeHttp({ method: 'get', path: '/' });
            WL.Logger.warn('polled in \(version)');
        }
        function run() {}
        """
    }

    /// An installation whose polls run, on a clock that the test moves.
    private struct Bench: Sendable {
        let folder: TemporaryFolder
        let time = ManualTime()
        let log = LogRecorder()
        let backEnd: HeldBackEnd
        let installation: Installation
        var scheduler: PollScheduler { installation.deployments.scheduler }

        static func run(_ body: @Sendable (Bench) async throws -> Void) async throws {
            let backEnd = try HeldBackEnd()
            let bench = try await Bench(backEnd)
            await bench.installation.deployments.startPolling()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await bench.scheduler.run() }
                try await body(bench)
                backEnd.open()
                await bench.scheduler.stop(gracePeriod: .zero)
            }
            await bench.installation.close()
        }

        private init(_ backEnd: HeldBackEnd) async throws {
            folder = try TemporaryFolder([
                "adapters/A/A.xml": adapterXML("A", connectivity: backEnd.connectivity),
                "adapters/A/A-impl.js": script(1),
            ])
            self.backEnd = backEnd
            installation = try await Installation(
                opening: InstallationSettings(project: folder.url), logger: log.logger, time: time)
        }

        func deploy(_ script: String) async throws {
            try folder.write(script, to: "adapters/A/A-impl.js")
            let report = await installation.deployments.deploy("A")
            try #require(report.outcome == .deployed)
        }

        /// The messages that polls have logged.
        var polled: [String] { log.messages(at: .warning).filter { $0.hasPrefix("polled") } }

        func polled(_ count: Int) async throws {
            try await log.lines.wait { $0.count { $0.message.hasPrefix("polled") } >= count }
            // The end is noted after what the script says.
            try await waitUntil { await !scheduler.status().contains(where: { $0.runningSince != nil }) }
        }

        /// In how many seconds each poll is due, by event source; nothing for one that runs.
        func due() async -> [String: Double] {
            let now = time.now
            return Dictionary(
                uniqueKeysWithValues: await scheduler.status().compactMap { status in
                    status.nextDue.map { (status.eventSource.name, $0.timeIntervalSince(now)) }
                })
        }
    }

    @Test(
        "A poll that runs is neither cut off nor doubled, and the next is due an interval after its end, in the new version"
    )
    func running() async throws {
        try await Bench.run { bench in
            bench.time.advance(by: .seconds(10))
            try await bench.backEnd.arrivals(1)
            try await bench.deploy(Self.script(2))
            #expect(await bench.scheduler.status().map(\.runningSince).count == 1)
            #expect(await bench.due() == [:])
            bench.time.advance(by: .seconds(30))
            bench.backEnd.open()
            try await bench.polled(1)
            #expect(bench.polled == ["polled in 1"])
            #expect(await bench.due() == ["S": 10])
            bench.time.advance(by: .seconds(10))
            try await bench.polled(2)
            #expect(bench.polled == ["polled in 1", "polled in 2"])
        }
    }

    @Test("A deployment between two polls does not move the next")
    func between() async throws {
        try await Bench.run { bench in
            bench.backEnd.open()
            bench.time.advance(by: .seconds(7))
            try await bench.deploy(Self.script(2))
            #expect(await bench.due() == ["S": 3])
            bench.time.advance(by: .seconds(3))
            try await bench.polled(1)
            #expect(bench.polled == ["polled in 2"])
        }
    }

    @Test("A new interval counts from the end of the last poll")
    func interval() async throws {
        try await Bench.run { bench in
            bench.backEnd.open()
            bench.time.advance(by: .seconds(10))
            try await bench.polled(1)
            bench.time.advance(by: .seconds(2))
            try await bench.deploy(Self.script(2, interval: 5))
            #expect(await bench.due() == ["S": 3])
        }
    }

    @Test("A removed event source is polled no longer, a new one is")
    func vanished() async throws {
        try await Bench.run { bench in
            bench.backEnd.open()
            try await bench.deploy(Self.script(2, source: "Other"))
            #expect(await bench.due() == ["Other": 10])
            await bench.installation.deployments.undeploy("A")
            #expect(await bench.due() == [:])
        }
    }

    @Test("A version that is refused leaves the polls as they are")
    func refused() async throws {
        try await Bench.run { bench in
            bench.backEnd.open()
            bench.time.advance(by: .seconds(4))
            try bench.folder.write("null.x", to: "adapters/A/A-impl.js")
            #expect(await bench.installation.deployments.deploy("A").outcome == .refused)
            #expect(await bench.due() == ["S": 6])
            bench.time.advance(by: .seconds(6))
            try await bench.polled(1)
            #expect(bench.polled == ["polled in 1"])
        }
    }

    @Test("A deployment schedules no polls where none run")
    func withoutPolls() async throws {
        let folder = try TemporaryFolder(["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": Self.script(1)])
        let installation = try await Installation(
            opening: InstallationSettings(project: folder.url), logger: LogRecorder().logger)
        try folder.write(Self.script(2), to: "adapters/A/A-impl.js")
        #expect(await installation.deployments.deploy("A").outcome == .deployed)
        #expect(await installation.deployments.scheduler.status() == [])
        await installation.close()
    }
}
