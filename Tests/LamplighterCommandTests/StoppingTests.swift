import Core
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

    private static let asking = "WL.Server.invokeHttp({ method: 'get', path: '/' })"

    /// Stops a server while scripts of it wait for their back end, which responds only after the server has begun to stop.
    ///
    /// - Returns: the server's exit status.
    private func stop(
        by signal: Int32, after line: String, _ body: @Sendable (TemporaryFolder) async throws -> Void = { _ in }
    ) async throws -> (status: Int32, log: String) {
        let gate = Gate()
        let backEnd = try LoopbackServer(behind: gate)
        let project = try makeProject(Self.poll(Self.asking))
        try project.write(adapterXML("A", connectivity: backEnd.connectivity), to: "adapters/A/A.xml")
        try project.write("gracePeriod: 3600\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        let client = try await RawClient(port: try #require(URL(string: server.url)?.port))
        try await client.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = await client.read(until: "200 OK")
        async let work: Void = body(project)
        _ = await server.log(with: line)
        server.signal(signal)
        // A stopping server closes idle connections at once.
        _ = await client.readToEnd()
        gate.open()
        try await work
        let status = await server.exitStatus
        await client.close()
        await backEnd.stop()
        return (status, await server.wholeLog())
    }

    @Test(
        "ends after its grace periods, even if a script is in a regular expression that takes hours", .long,
        .defaultTimeLimit)
    func endlessExpression() async throws {
        let project = try makeProject(
            "function run() { WL.Logger.info('call begins'); return { r: 'a'.repeat(100000).match(/a*a*a*a*b/) } }")
        try project.write("gracePeriod: 1\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        async let call = Command.run(["call", "A/run", "--project", project.path])
        _ = await server.log(with: "call begins")
        server.signal(SIGTERM)
        #expect(await server.exitStatus == 1)
        #expect(await server.wholeLog().contains("ended while a script still ran, in a regular expression"))
        #expect(try await call.status != 0)
    }

    @Test("waits for a poll that is running, and ends with 0", .defaultTimeLimit, arguments: [SIGTERM, SIGINT])
    func runningPoll(signal: Int32) async throws {
        let stopped = try await stop(by: signal, after: "poll begins")
        #expect(stopped.status == 0 && stopped.log.contains("poll ends"))
    }

    @Test("waits for a call that is running, which gets its result", .defaultTimeLimit)
    func runningCall() async throws {
        let stopped = try await stop(by: SIGTERM, after: "call begins") { (project) async throws in
            let call = try await Command.run(["call", "A/run", "--project", project.path])
            #expect(call.output == #"{"isSuccessful":true,"done":true}"# + "\n")
        }
        #expect(stopped.status == 0)
    }

    @Test("A poll that does not end is abandoned after the grace period", .defaultTimeLimit)
    func endlessPoll() async throws {
        let project = try makeProject(Self.poll("for (;;) {}"))
        try project.write("gracePeriod: 5\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        _ = await server.log(with: "poll begins")
        #expect(await server.end(with: SIGTERM) == 0)
        let log = await server.wholeLog()
        // On a machine that stood still, three periods may be over at once: all parts are cancelled, and the poll fails.
        #expect(
            log.contains("stopped without waiting for the polls of A.S")
                || log.contains("the server is stopping"))
        #expect(!log.contains("poll ends"))
    }

    @Test(
        "A call or a callback that does not end is abandoned after three grace periods", .defaultTimeLimit,
        arguments: ["call A/run", "subscribe A.S --user ann --device d --platform Android --token t-1"])
    func endlessScript(command: String) async throws {
        let project = try makeProject(
            """
            WL.Server.createEventSource({ name: 'S', onDeviceSubscribe: run });
            function run() { WL.Logger.info('it begins'); for (;;) {} }
            """)
        try project.write(
            "gracePeriod: 0.2\nlimits:\n  wallClock: 86400\n  cpuTime: 86400\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        let words = command.split(separator: " ").map(String.init)
        let client = try RunningCommand(words + ["--project", project.path])
        _ = await server.log(with: "it begins")
        // No limit ends the script.
        #expect(await server.end(with: SIGTERM) == 0)
        _ = await client.end(with: SIGKILL)
    }

    @Test(
        "A callback of an earlier process that does not end is abandoned after three grace periods", .defaultTimeLimit)
    func endlessOwedCallback() async throws {
        let project = try makeProject(
            """
            WL.Server.createEventSource({ name: 'S', onDeviceSubscribe: function () {
                WL.Logger.info('it begins');
                for (;;) {}
            } });
            """, procedures: [])
        try project.write(
            "gracePeriod: 0.2\nlimits:\n  wallClock: 86400\n  cpuTime: 86400\n", to: "lamplighter.yaml")
        let first = try await ServerProcess([project.path])
        let client = try RunningCommand([
            "subscribe", "A.S", "--user", "ann", "--device", "d", "--platform", "Android", "--token", "t-1",
            "--project",
            project.path,
        ])
        _ = await first.log(with: "it begins")
        #expect(await first.end(with: SIGKILL) == 128 + SIGKILL)
        _ = await client.end(with: SIGKILL)
        let second = try await ServerProcess([project.path])
        _ = await second.log(with: "it begins")
        #expect(await second.end(with: SIGTERM) == 0)
    }

    @Test("reloads at SIGHUP, with TLS and without, and goes on", .defaultTimeLimit, arguments: [false, true])
    func hangUp(isSecure: Bool) async throws {
        let certificates = try TestCertificates()
        let project = try makeProject("function run() { return { done: true } }")
        let pair = ["--tls-certificate", certificates.path("a.pem"), "--tls-key", certificates.path("a.key")]
        let server = try await ServerProcess([project.path] + (isSecure ? pair : []))
        for _ in 1...2 { server.signal(SIGHUP) }
        #expect(await server.log(with: "SIGHUP: read").contains("the credentials, the rules"))
        #expect(try await Command.run(["call", "A/run", "--project", project.path]).status == 0)
        #expect(await server.end(with: SIGTERM) == 0)
        #expect(await server.wholeLog().contains(" error ") == false)
    }

    @Test("The due time of the next poll survives a restart", .defaultTimeLimit)
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
        let store = try SQLStore(folder: project.url.appending(path: ".lamplighter").path)
        let source = EventSourceID(adapter: "A", name: "S")
        let record = try #require(try store.pollRecord(of: source))
        _ = try store.savePollRecords(
            [
                PollRecord(
                    eventSource: source, interval: record.interval, lastEnded: record.lastEnded,
                    nextDue: record.nextDue.addingTimeInterval(seconds), consecutiveFailures: 0)
            ], under: nil)
    }
}
