import Core
import Foundation
import TestSupport
import Testing

@Suite("lamplighter status")
struct StatusCommandTests {
    private static let script = "function run() { return {}; }"

    private func status(_ project: TemporaryFolder) async throws -> Command.Outcome {
        try await Command.run(["status", "--project", project.path])
    }

    @Test("ends with 0 when all is well, with the server's address, process, version and JIT")
    func well() async throws {
        let project = try makeProject(Self.script)
        let server = try await ServerProcess([project.path], environment: ["LAMPLIGHTER_HEALTH_FREE_SPACE": "1"])
        let outcome = try await status(project)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.contains("State          ready\n"))
        #expect(
            outcome.output.contains(server.url) && outcome.output.contains("version ")
                && outcome.output.contains("JIT on"))
        _ = await server.end(with: SIGTERM)
    }

    @Test("ends with 1 when a check fails, with the problem and the remedy")
    func degraded() async throws {
        let project = try makeProject(Self.script)
        try project.write("<broken", to: "adapters/B/B.xml")
        let server = try await ServerProcess([project.path], environment: ["LAMPLIGHTER_HEALTH_FREE_SPACE": "1"])
        let outcome = try await status(project)
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.output.contains("State          degraded\n"))
        #expect(outcome.output.contains("adapters/B/B.xml") && outcome.output.contains("correct the file"))
        let json = try JSONValue(
            parsing: try await Command.run(["status", "--json", "--project", project.path]).output)
        #expect(json["state"]?.string == "degraded" && json["alerts"]?.array?.count == 1)
        _ = await server.end(with: SIGTERM)
    }

    @Test("ends with 2 when no server runs, also where none has run")
    func down() async throws {
        let project = try makeProject(Self.script)
        #expect(try await status(project).status == 2)
        let server = try await ServerProcess([project.path])
        _ = await server.end(with: SIGTERM)
        let outcome = try await status(project)
        #expect(outcome.status == 2 && outcome.output.contains("State          not running"), "\(outcome)")
    }

    @Test("reports that scripts run without the JIT compiler, as the log does at the start")
    func interpreter() async throws {
        let project = try makeProject(Self.script)
        let server = try await ServerProcess(
            [project.path], environment: ["JSC_useJIT": "0", "LAMPLIGHTER_HEALTH_FREE_SPACE": "1"])
        _ = await server.log(with: "health: JavaScriptCore runs without its JIT compiler")
        let outcome = try await status(project)
        #expect(outcome.status == 1 && outcome.output.contains("JIT off"), "\(outcome)")
        _ = await server.end(with: SIGTERM)
    }

    @Test("serve refuses a credential that cannot be loaded only with --strict")
    func strict() async throws {
        let project = try makeProject(Self.script)
        try project.write("applications: {App: {fcm: {serviceAccount: nothing.json}}}\n", to: "lamplighter.yaml")
        let refused = try await Command.run(["serve", project.path, "--port", "0", "--strict"])
        #expect(refused.status == 1 && refused.errors.contains("applications.App.fcm.serviceAccount"), "\(refused)")
        let server = try await ServerProcess([project.path])
        #expect(try await status(project).output.contains("its notifications wait"))
        _ = await server.end(with: SIGTERM)
    }

    @Test(
        "serve --strict refuses to start with every problem of check --strict",
        arguments: [
            "function (",
            "WL.Server.createEventSource({ name: 'E', poll: { interval: 60000, onPoll: run } }); function run() {}",
        ])
    func strictCheck(script: String) async throws {
        let project = try makeProject(script)
        let check = try await Command.run(["check", project.path, "--strict"])
        let refused = try await Command.run(["serve", project.path, "--port", "0", "--strict"])
        #expect(check.status == 1 && refused.status == 1)
        #expect(refused.errors.contains("--strict refuses to start: "), "\(refused)")
        for problem in check.output.split(separator: "\n") { #expect(refused.errors.contains(problem), "\(refused)") }
    }

    @Test(
        "serve --strict and check --strict refuse the same settings",
        arguments: [
            "tls: {certificate: nothing.pem, key: nothing.pem}", "tls: {certificate: old.pem, key: old.key}",
            "scopes: {shared: Nope}", "loginKeys: [Nope=x]", "mode: production",
        ])
    func strictSettings(settings: String) async throws {
        let project = try makeProject("function run() {}")
        try project.write(settings + "\n", to: "lamplighter.yaml")
        try project.write(
            """
            <application xmlns="http://www.worklight.com/application-descriptor" id="App"><android version="1.0">
            <pushSender key="k" senderId="1"/></android></application>
            """, to: "apps/App/application-descriptor.xml")
        try project.write(
            adapterXML("A").replacing("name=\"run\"", with: "name=\"run\" securityTest=\"wl_unprotected\""),
            to: "adapters/A/A.xml")
        try await project.makeExpiredCertificate()
        let check = try await Command.run(["check", project.path, "--strict"])
        let refused = try await Command.run(["serve", project.path, "--port", "0", "--strict"])
        #expect(check.status == 1 && refused.status == 1, "\(check)")
        for problem in check.output.split(separator: "\n") where !problem.contains(": note: ") {
            #expect(refused.errors.contains(problem), "\(refused)")
        }
    }

    @Test("serve --strict starts where check --strict passes")
    func strictStart() async throws {
        let project = try makeProject("function run() {}")
        let server = try await ServerProcess([project.path, "--strict"])
        #expect(try await status(project).status == 0)
        _ = await server.end(with: SIGTERM)
    }
}
