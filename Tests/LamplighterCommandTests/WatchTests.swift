import Foundation
import TestSupport
import Testing

@Suite("Deploying from the command line", .defaultTimeLimit)
struct WatchTests {
    private func script(_ version: Int) -> String { "function run() { return { version: \(version) } }" }

    private func call(_ project: TemporaryFolder) async throws -> String {
        try await Command.run(["call", "A/run", "--project", project.path]).output
    }

    @Test("serve --watch deploys a changed file, refuses a broken one, and takes a new adapter in")
    func watch() async throws {
        let project = try makeProject(script(1))
        let server = try await ServerProcess([project.path, "--watch"])
        #expect(try await call(project) == #"{"isSuccessful":true,"version":1}"# + "\n")

        try project.write(script(22), to: "adapters/A/A-impl.js")
        #expect(await server.log(with: "A: deployed in ").contains(" ms (1 procedure, 0 event sources)"))
        #expect(try await call(project) == #"{"isSuccessful":true,"version":22}"# + "\n")

        try project.write("function run() {\n  return 1 +;\n}", to: "adapters/A/A-impl.js")
        let refused = await server.log(with: "A: not deployed (1 error); the version before it goes on")
        #expect(refused.contains("error   adapters/A/A-impl.js:2:13: SyntaxError"))
        #expect(try await call(project) == #"{"isSuccessful":true,"version":22}"# + "\n")

        try project.write("x: 1", to: "lamplighter.yaml")
        _ = await server.log(with: "lamplighter.yaml has changed: restart the server to take it in")
        try project.remove("lamplighter.yaml")

        try project.write(script(1), to: "adapters/New/New-impl.js")
        try project.write(adapterXML("New"), to: "adapters/New/New.xml")
        _ = await server.log(with: "New: deployed in ")
        try project.remove("adapters/New")
        _ = await server.log(with: "New: undeployed")
        #expect(await server.end(with: SIGTERM) == 0)
    }

    @Test("An adapter that needs another one's change is deployed with it, in any order", .defaultTimeLimit)
    func together() async throws {
        let project = try makeProject(script(1))
        try project.write(adapterXML("B", procedures: ["two"]), to: "adapters/B/B.xml")
        try project.write("function two() {}", to: "adapters/B/B-impl.js")
        let server = try await ServerProcess([project.path, "--watch"])
        try project.write(
            "if (WL.Server.invokeProcedure({ adapter: 'B', procedure: 'two' }).ready !== true) throw 'too early';\n"
                + script(2), to: "adapters/A/A-impl.js")
        #expect(await server.log(with: "A: not deployed").contains("too early"))
        try project.write("function two() { return { ready: true }; }", to: "adapters/B/B-impl.js")
        #expect(await server.log(with: "A: deployed").contains("B: deployed"))
        #expect(try await call(project) == #"{"isSuccessful":true,"version":2}"# + "\n")
    }

    @Test(
        "An adapter that was refused when the server started is tried again when another one is deployed",
        .defaultTimeLimit)
    func refusedAtStart() async throws {
        let project = try makeProject("function run( {")
        try project.write("kept here for A", to: "adapters/Notes/notes.txt")
        try project.write(adapterXML("B", procedures: ["two"]), to: "adapters/B/B.xml")
        try project.write(
            "if (WL.Server.invokeProcedure({ adapter: 'A', procedure: 'run' }).version !== 1) throw 'too early';\nfunction two() { return { version: 2 }; }",
            to: "adapters/B/B-impl.js")
        let server = try await ServerProcess([project.path, "--watch"])
        try project.write(script(1), to: "adapters/A/A-impl.js")
        let log = await server.log(with: "B: deployed")
        #expect(log.contains("A: deployed"))
        #expect(!log.contains("Notes: not deployed"))
        let two = try await Command.run(["call", "B/two", "--project", project.path]).output
        #expect(two == #"{"isSuccessful":true,"version":2}"# + "\n")
    }

    @Test("A script with an endless top level is reported, and delays nothing once it is fixed")
    func endless() async throws {
        let project = try makeProject(script(1))
        try project.write("limits:\n  cpuTime: 86400\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path, "--watch"])
        try project.write("for (;;);", to: "adapters/A/A-impl.js")
        _ = await server.log(
            with: "A: still being deployed, for its script runs on at its top level; others wait for it")
        try project.write(script(22), to: "adapters/A/A-impl.js")
        let log = await server.log(with: "A: deployed")
        #expect(log.contains("was interrupted: its files have changed since; the newer version is next"), "\(log)")
        #expect(try await call(project) == #"{"isSuccessful":true,"version":22}"# + "\n")
        #expect(await server.end(with: SIGTERM) == 0)
    }

    @Test("A folder that was renamed and is renamed back causes no second error")
    func renamed() async throws {
        let project = try makeProject(script(1))
        let server = try await ServerProcess([project.path, "--watch"])
        try FileManager.default.moveItem(atPath: project.path("adapters/A"), toPath: project.path("adapters/B"))
        let away = await server.log(with: "A: undeployed")
        #expect(away.contains("error   adapters/B: there is no adapter here; expected adapters/B/B.xml"))
        #expect(!away.contains("warning adapters/B"))
        try FileManager.default.moveItem(atPath: project.path("adapters/B"), toPath: project.path("adapters/A"))
        _ = await server.log(with: "A: deployed")
        try project.write("oops(", to: "adapters/A/A-impl.js")
        // A refused adapter is tried again after each deployment, before the next.
        let log = await server.log(with: "A: not deployed")
        #expect(log.components(separatedBy: "there is no adapter here").count == 2, "\(log)")
        #expect(await server.end(with: SIGTERM) == 0)
    }

    @Test("deploy has the running server take an adapter over, and prints what is wrong with it")
    func deploy() async throws {
        let project = try makeProject(script(1))
        let there = ["--project", project.path]
        let nobody = try await Command.run(["deploy", "A"] + there)
        #expect(nobody.status == 1)
        #expect(nobody.errors.contains("no server runs on \(project.path(".lamplighter"))"))

        let server = try await ServerProcess([project.path])
        try project.write(script(2), to: "adapters/A/A-impl.js")
        let deployed = try await Command.run(["deploy", "A"] + there)
        #expect(deployed.status == 0 && deployed.output == "" && deployed.errors == "A: deployed\n")
        #expect(try await call(project) == #"{"isSuccessful":true,"version":2}"# + "\n")

        try project.write("null.x", to: "adapters/A/A-impl.js")
        let refused = try await Command.run(["deploy", "A"] + there)
        #expect(refused.status == 1)
        #expect(refused.output.hasPrefix("adapters/A/A-impl.js:1:5: error: thrown while loading: TypeError"))
        #expect(refused.errors == "A: not deployed; the version before it goes on\n")
        let json = try await Command.run(["deploy", "A", "--json"] + there)
        #expect(json.status == 1 && json.output.contains(#""outcome":"refused""#))

        let archive = project.url.appending(path: "A.adapter")
        let descriptor = try String(contentsOfFile: project.path("adapters/A/A.xml"), encoding: .utf8)
        try Data(zipArchive([("A.xml", descriptor), ("A-impl.js", script(3))])).write(to: archive)
        let fromArchive = try await Command.run(["deploy", archive.path] + there)
        #expect(fromArchive.status == 0 && fromArchive.errors == "\(archive.path): deployed\n")
        #expect(try await call(project) == #"{"isSuccessful":true,"version":3}"# + "\n")
        try Data("no zip".utf8).write(to: archive)
        let damaged = try await Command.run(["deploy", archive.path] + there)
        #expect(damaged.status == 1 && damaged.errors.contains("A.adapter: expected a zip archive"))

        #expect(try await Command.run(["deploy", "A", "--remove"] + there).status == 0)
        #expect(try await Command.run(["deploy", "A", "--remove"] + there).status == 1)
        _ = await server.end(with: SIGTERM)
    }

    @Test("--watch is refused in production")
    func production() async throws {
        let project = try makeProject(script(1))
        let outcome = try await Command.run(["serve", "--watch", "--mode", "production", project.path])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("--watch is for development"))
    }
}
