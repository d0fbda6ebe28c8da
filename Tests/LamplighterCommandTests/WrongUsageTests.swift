import Foundation
import TestSupport
import Testing

@Suite("Wrong usage")
struct WrongUsageTests {
    @Test(
        "An error shows the usage of the intended command, whenever it is found",
        arguments: [
            (["test", "/nowhere"], "test"), (["call", "A"], "call"), (["test", "--timeout", "0"], "test"),
            (["new", "adapter", "A", "--project", ""], "new adapter"), (["serve", ""], "serve"),
            (["application", "App"], "application"), (["deploy", "../shop"], "deploy"),
        ])
    func usage(arguments: [String], command: String) async throws {
        let outcome = try await Command.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.first?.hasPrefix("Error: ") == true)
        #expect(outcome.errors.contains("\nUsage: lamplighter \(command) "), "\(outcome.errors)")
        #expect(lines.last == "  See 'lamplighter \(command) --help' for more information.")
    }

    @Test("A file that cannot be written is reported before a test is run", arguments: ["--output", "--coverage-file"])
    func outputFile(option: String) async throws {
        let project = try makeProject("function run() {}")
        try project.write("it('runs', () => {});", to: "adapters/A/A.test.js")
        for (path, reason) in [
            ("/nonexistent/x.xml", "for its folder cannot: /nonexistent: No such file or directory"),
            (project.path, "this is a folder"), ("", "the path is empty"),
        ] {
            let outcome = try await Command.run(["test", project.path, option, path])
            #expect(outcome.status == 2)
            #expect(outcome.output == "")
            #expect(outcome.errors.contains(option) && outcome.errors.contains(reason), "\(outcome.errors)")
        }
    }

    @Test(
        "suggests the closest command, also after help",
        arguments: [
            (["srve"], "there is no command 'srve'; is 'serve' meant?"),
            (["staus", "--json"], "there is no command 'staus'; is 'status' meant?"),
            (["help", "staus"], "there is no command 'staus'; is 'status' meant?"),
            (["help", "token", "ad"], "there is no command 'ad'; is 'add' meant?"),
            (["help", "nosuch"], "there is no command 'nosuch'; 'lamplighter help' lists all commands"),
        ])
    func unknownCommand(arguments: [String], message: String) async throws {
        let outcome = try await Command.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test(
        "shows the help of a command",
        arguments: [
            ["help"], ["help", "serve"], ["help", "new", "adapter"], ["help", "token", "add"], ["help", "help"],
        ])
    func help(arguments: [String]) async throws {
        let outcome = try await Command.run(arguments)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("USAGE: lamplighter"))
        let usage = outcome.output.split(separator: "\n").first { $0.hasPrefix("USAGE: ") }
        #expect((usage?.count ?? 0) <= 80, "\(outcome.output)")
    }

    @Test(
        "refuses unknown levels and platforms, and several kinds of recipients",
        arguments: [
            (["client-log", "--level", "foo"], "--level foo: expected fatal, error, warn"),
            (["devices", "--platform", "symbian"], "--platform symbian: expected Apple, Android"),
            (["send", "hi", "--everybody", "--user", "ann"], "expected only one of --user"),
            (["send", "hi"], "expected one of --user"),
        ])
    func wrongValue(arguments: [String], message: String) async throws {
        let outcome = try await Command.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test("deploy names an adapter, not a folder")
    func deploy() async throws {
        let outcome = try await Command.run(["deploy", "../shop"])
        #expect(outcome.errors.contains("'../shop' is not an adapter's name"))
    }
}

@Suite("Listening", .defaultTimeLimit)
struct ListeningTests {
    @Test(
        "development.open is refused behind a proxy and where other machines reach the server",
        arguments: [
            ("LAMPLIGHTER_TRUSTED_PROXIES", "10.0.0.0/8", "trustedProxies is set"),
            ("LAMPLIGHTER_HOST", "0.0.0.0", "host is '0.0.0.0'"), ("LAMPLIGHTER_HOST", "::", "host is '::'"),
        ])
    func developmentOpen(variable: String, value: String, reason: String) async throws {
        let project = try makeProject("function run() {}")
        let outcome = try await Command.run(
            ["serve", "--port", "0", project.path],
            environment: ["LAMPLIGHTER_DEVELOPMENT_OPEN": "true", variable: value])
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("development.open is true, but \(reason)"), "\(outcome.errors)")
    }

    @Test("metrics.open is refused without a console's port")
    func metricsOpen() async throws {
        let project = try makeProject("function run() {}")
        let outcome = try await Command.run(
            ["serve", "--port", "0", project.path],
            environment: ["LAMPLIGHTER_METRICS_OPEN": "true", "LAMPLIGHTER_CONSOLE_PORT": "off"])
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("metrics.open is true, but console.port is off"), "\(outcome.errors)")
    }

    @Test("A port in use is reported with the remedy")
    func taken() async throws {
        let (first, second) = (try makeProject("function run() {}"), try makeProject("function run() {}"))
        let server = try await ServerProcess([first.path])
        let port = try #require(URL(string: server.url)?.port)
        let outcome = try await Command.run(
            ["serve", "--port", "\(port)", second.path], environment: ["LAMPLIGHTER_CONSOLE_PORT": "0"])
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains(
                "lamplighter: cannot listen on 127.0.0.1:\(port): another program does already; end it, or choose another "
                    + "port with --port (0 for any that is free)"), "\(outcome.errors)")
        _ = await server.end(with: SIGTERM)
    }

    @Test("reports the console's port that is taken, and the setting that changes it")
    func consoleTaken() async throws {
        let (first, second) = (try makeProject("function run() {}"), try makeProject("function run() {}"))
        let server = try await ServerProcess([first.path])
        let port = try #require(URL(string: server.url)?.port)
        for variable in [("LAMPLIGHTER_CONSOLE_PORT", "\(port)"), ("LAMPLIGHTER_CONSOLE_PORT", "x")] {
            let outcome = try await Command.run(
                ["serve", "--port", "0", second.path], environment: [variable.0: variable.1])
            #expect(outcome.status != 0)
            #expect(
                outcome.errors.contains(
                    variable.1 == "x"
                        ? "a port from 0 to 65535, 0 for any that is free, or off"
                        : "choose another port with console.port"),
                "\(outcome.errors)")
        }
        _ = await server.end(with: SIGTERM)
    }

    @Test("uses a free console port in development when the default is taken, and shows it in the ready line")
    func movedConsole() async throws {
        let project = try makeProject("function run() {}")
        var port = try freePort()
        var next = try freePort()
        while next != port + 1 { (port, next) = (next, try freePort()) }
        let taken = try Listener(port: next)
        let serve = ["serve", "--port", "\(port)", project.path]
        let production = try await Command.run(serve + ["--mode", "production"])
        #expect(production.status == 1)
        #expect(production.errors.contains("cannot listen on 127.0.0.1:\(taken.port): "), "\(production.errors)")
        let server = try RunningCommand(serve)
        let log = await server.errors(with: "is taken)")
        let ready = /lamplighter is ready: .*; console: http:\/\/127\.0\.0\.1:(\d+) \(port (\d+) is taken\)/
        let match = try #require(log.firstMatch(of: ready), "\(log)")
        #expect(match.1 != match.2 && match.2 == "\(taken.port)")
        #expect(await server.end(with: SIGTERM) == 0)
        withExtendedLifetime(taken) {}
    }

    @Test("runs no poll and logs no other error while the console's port is taken")
    func nothingBeforePorts() async throws {
        let project = try makeProject(
            """
            WL.Server.createEventSource({ name: 'S', poll: { interval: 0.05, onPoll: function () { WL.Logger.info('ran') } } });
            """, procedures: [])
        let taken = try Listener()
        let outcome = try await Command.run(
            ["serve", "--port", "0", project.path], environment: ["LAMPLIGHTER_CONSOLE_PORT": "\(taken.port)"])
        #expect(outcome.status == 1)
        let errors = outcome.errors.split(separator: "\n")
        #expect(errors.last?.hasPrefix("lamplighter: cannot listen on 127.0.0.1:\(taken.port): ") == true)
        #expect(!errors.contains { $0.contains("A: ran") || $0.contains(" error ") || $0.contains("abandoned") })
        withExtendedLifetime(taken) {}
    }

    @Test(
        "An address of another machine, and an unknown host, are reported too",
        arguments: ["192.0.2.1", "x.invalid"])
    func elsewhere(host: String) async throws {
        let project = try makeProject("function run() {}")
        let outcome = try await Command.run(["serve", "--host", host, "--port", "0", project.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("lamplighter: cannot listen on \(host):0: "), "\(outcome.errors)")
        #expect(outcome.errors.contains("--host"))
    }
}
