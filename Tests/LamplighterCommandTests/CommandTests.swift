import Core
import Foundation
import TestSupport
import Testing

@Suite("Command line")
struct CommandTests {
    private static let script = """
        WL.Server.createEventSource({ name: 'S' });
        function run(user) {
            if (user === 'fail') throw new Error('no');
            WL.Logger.info('a line of the log');
            var u = WL.Server.getUserNotificationSubscription('S', user);
            if (u === null) return { result: 'none' };
            WL.Server.notifyAllDevices(u, WL.Server.createDefaultNotification('hi', 1, {}));
            return { result: 'sent' };
        }
        """

    private func subscribe(_ project: TemporaryFolder, _ extra: [String] = []) async throws -> Command.Outcome {
        try await Command.run(
            ["subscribe", "A.S", "--user", "ann", "--device", "phone", "--platform", "Android", "--token", "t-1"]
                + ["--project", project.path] + extra)
    }

    @Test("The commands open the store themselves without a server, and a server then delivers", .defaultTimeLimit)
    func withoutServer() async throws {
        let project = try makeProject(Self.script)
        #expect(try await subscribe(project).output == #"{"isSuccessful":true,"subscription":"created"}"# + "\n")
        let call = try await Command.run(["call", "A/run", #"["ann"]"#, "--project", project.path])
        #expect(call.status == 0)
        #expect(call.output == #"{"isSuccessful":true,"result":"sent"}"# + "\n")
        #expect(call.errors.contains("no server is running: notifications wait in the store"))
        let server = try await ServerProcess([project.path])
        var delivered = "[]\n"
        while delivered == "[]\n" {
            delivered = try await Command.run([
                "deliveries", "--state", "previewed", "--json", "--project", project.path,
            ]).output
        }
        #expect(delivered.contains(#""service":"FCM""#))
        #expect(await server.end(with: SIGTERM) == 0)
    }

    @Test("The commands use a running server")
    func withServer() async throws {
        let project = try makeProject(Self.script)
        let server = try await ServerProcess([project.path])
        #expect(try await subscribe(project).status == 0)
        #expect(try await Command.run(["call", "A/run", "'ann'", "--project", project.path]).output.contains("sent"))
        let listed = try await Command.run(["subscriptions", "A.S", "--json", "--project", project.path])
        #expect(try JSONValue(parsing: listed.output).array?.first?["user"] == "ann")
        let direct = try await Command.run([
            "call", "A/run", #"["bob"]"#, "--server", server.url, "--token-file",
            project.path(".lamplighter/development-key"),
        ])
        #expect(direct.output == #"{"isSuccessful":true,"result":"none"}"# + "\n")
        let ended = try await Command.run(
            ["unsubscribe", "A.S", "--user", "ann", "--device", "phone", "--project", project.path])
        #expect(ended.output == #"{"isSuccessful":true}"# + "\n")
        _ = await server.end(with: SIGTERM)
    }

    @Test(
        "A stopping server ends the wait for a back end that does not respond", .defaultTimeLimit,
        arguments: ["http", "sql"])
    func stopsWaiting(kind: String) async throws {
        let silent = try Listener()
        let project = try makeProject("")
        let (policy, script) =
            kind == "http"
            ? (
                """
                <connectionPolicy xsi:type="http:HTTPConnectionPolicyType"><protocol>http</protocol><domain>127.0.0.1</domain>
                <port>\(silent.port)</port><socketTimeoutInMilliseconds>86400000</socketTimeoutInMilliseconds></connectionPolicy>
                """,
                "function run() { WL.Logger.error('asking'); return WL.Server.invokeHttp({ method: 'get', path: '/' }) }"
            )
            : (
                """
                <connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition><driverClass>org.sqlite.JDBC</driverClass>
                <url>jdbc:sqlite::memory:</url></dataSourceDefinition></connectionPolicy>
                """,
                """
                function run() {
                    WL.Logger.error("asking");
                    return WL.Server.invokeSQLStatement({ preparedStatement: WL.Server.createSQLStatement(
                        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n") });
                }
                """
            )
        try project.write(
            adapterXML("A", connectivity: "<connectivity>\(policy)</connectivity>"), to: "adapters/A/A.xml")
        try project.write(script, to: "adapters/A/A-impl.js")
        try project.write("gracePeriod: 0.1\nlimits:\n  cpuTime: 6000\n  wallClock: 6000\n", to: "lamplighter.yaml")
        let server = try await ServerProcess([project.path])
        let call = Task { try await Command.run(["call", "A/run", "--project", project.path]) }
        _ = await server.log(with: "asking")
        #expect(await server.end(with: SIGTERM) == 0)
        #expect(try await call.value.status == 1)
        withExtendedLifetime(silent) {}
    }

    @Test("The exit status is 0 for success, 1 for a failed procedure, 2 for wrong usage")
    func status() async throws {
        let project = try makeProject(Self.script)
        let there = ["--project", project.path]
        #expect(try await Command.run(["call", "A/run", #"["x"]"#] + there).status == 0)
        let failed = try await Command.run(["call", "A/run", #"["fail"]"#] + there)
        #expect(failed.status == 1)
        #expect(failed.output.hasPrefix(#"{"isSuccessful":false,"errors":["Runtime: Error: no"#))
        for wrong in [["call", "run"], ["subscribe", "A.S"], ["nonsense"], ["deliveries", "--limit", "x"]] {
            let outcome = try await Command.run(wrong + (wrong == ["nonsense"] ? [] : there))
            #expect(outcome.status == 2)
            #expect(outcome.output == "")
            #expect(outcome.errors.contains("Usage: lamplighter"))
        }
        #expect(try await Command.run(["--help"]).status == 0)
    }

    @Test("Only results go to standard output, as JSON")
    func output() async throws {
        let project = try makeProject(Self.script)
        let outcome = try await Command.run([
            "call", "A/run", #"["x"]"#, "--project", project.path, "--log-level", "debug",
        ])
        #expect(outcome.output == #"{"isSuccessful":true,"result":"none"}"# + "\n")
        #expect(outcome.errors.contains("a line of the log"))
    }

    @Test("Ending a missing subscription says so")
    func nothingToEnd() async throws {
        let project = try makeProject(Self.script)
        let outcome = try await Command.run(
            ["unsubscribe", "A.S", "--user", "ann", "--device", "phone", "--project", project.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("unknown subscription"))
    }

    @Test("subscribe uses the only application of a project, and needs a name among several")
    func onlyApplication() async throws {
        let project = try makeProject(Self.script)
        func declare(_ id: String) throws {
            try project.write(
                "<application xmlns=\"http://www.worklight.com/application-descriptor\" id=\"\(id)\"/>",
                to: "apps/\(id)/application-descriptor.xml")
        }
        try declare("Shop")
        #expect(try await subscribe(project).status == 0)
        let listed = try await Command.run(["subscriptions", "--project", project.path, "--json"]).output
        #expect(listed.contains(#""application":"Shop""#))
        try declare("Depot")
        let outcome = try await subscribe(project)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("the project has several applications: Depot, Shop"), "\(outcome.errors)")
        #expect(try await subscribe(project, ["--application", "Depot"]).status == 0)
    }

    @Test("Control characters of scripts are spelt out in logs and traces")
    func controlCharacters() async throws {
        let project = try makeProject(
            "function run() { WL.Logger.error('\\u001b]0;owned\\u0007'); throw new Error('\\u001b[31mred'); }")
        for arguments in [[], ["--trace"]] {
            let outcome = try await Command.run(["call", "A/run", "--project", project.path] + arguments)
            #expect(outcome.status == 1)
            #expect(!(outcome.output + outcome.errors).contains("\u{1B}"))
            #expect(outcome.errors.contains(#"\u001b]0;owned\u0007"#) && outcome.errors.contains(#"\u001b[31mred"#))
        }
    }

    @Test("A missing folder is reported")
    func noFolder() async throws {
        let outcome = try await Command.run(["call", "A/run", "--project", "/nonexistent"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("there is no folder /nonexistent"))
    }

    @Test("check lists every problem with its location, and runs nothing")
    func check() async throws {
        let project = try makeProject("WL.Logger.error('ran');\nfunction run() {\n  return 1 +;\n}")
        try project.write("<nonsense/>", to: "adapters/B/B.xml")
        let outcome = try await Command.run(["check", project.path])
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains(
                #"adapters/A/A-impl.js:3:13: error: SyntaxError: ";" is not expected here: expected a value"#))
        #expect(outcome.output.contains("adapters/B/B.xml:1: error: expected an 'adapter' element"))
        #expect(!outcome.errors.contains("ran"))
        #expect(outcome.errors.contains("read 1 adapter and 0 applications: 2 errors, 0 warnings, 0 notes"))
    }

    @Test("check finds nothing wrong with a good project")
    func checkGood() async throws {
        let project = try makeProject(Self.script)
        let outcome = try await Command.run(["check", project.path])
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
    }

    @Test("A broken adapter is reported at the start, and the others are served")
    func brokenAdapter() async throws {
        let project = try makeProject(Self.script)
        try project.write(adapterXML("B"), to: "adapters/B/B.xml")
        try project.write("oops(", to: "adapters/B/B-impl.js")
        let outcome = try await Command.run(["call", "A/run", "--project", project.path])
        #expect(outcome.status == 0)
        #expect(
            outcome.errors.contains("adapters/B/B-impl.js:1:6: SyntaxError: the script ends too soon: expected a value")
        )
    }
}

@Suite("The machine's time")
struct TimeZoneTests {
    @Test("A date without a zone is UTC, as in Rhino, wherever the machine is")
    func withoutZone() async throws {
        let times = [
            ("new Date('2014-09-03T10:00:00')", "10:00"), ("new Date(new String('2014-09-03T10:00'))", "10:00"),
            ("new Date(Date.parse('2014-09-03T10:00:00.5'))", "10:00"),
            ("new Date('2014-09-03T10:00:00+0400')", "06:00"),
            ("new Date('2014-09-03T10:00:00Z')", "10:00"), ("new Date('2014-09-03')", "00:00"),
            ("new Date(2014, 8, 3, 10)", "06:00"), ("new Date('2014/09/03 10:00')", "06:00"),
        ]
        let project = try makeProject(
            """
            function run() {
                var dates = [\(times.map(\.0).joined(separator: ", "))];
                return {
                    texts: dates.map(function (date) { return date.toISOString() }), now: Date() > "",
                    areDates: dates.every(function (date) { return date instanceof Date && date.constructor === Date })
                };
            }
            """)
        let outcome = try await Command.run(
            ["call", "A/run", "--project", project.path], environment: ["TZ": "Asia/Dubai"])
        let answer = try JSONValue(parsing: outcome.output)
        let texts = try #require(answer["texts"]?.array)
        #expect(texts.count == times.count)
        for (text, (expression, time)) in zip(texts, times) {
            #expect(text.string?.hasPrefix("2014-09-03T\(time):") == true, "\(expression)")
        }
        #expect(answer["areDates"] == true && answer["now"] == true)
    }

    @Test(
        "A date's string has the abbreviation of the machine's zone at that time, as Rhino wrote it",
        arguments: [
            ("UTC", "GMT-0000 (UTC)|GMT-0000 (UTC)"), ("Europe/Berlin", "GMT+0100 (CET)|GMT+0200 (CEST)"),
            ("America/New_York", "GMT-0500 (EST)|GMT-0400 (EDT)"),
        ])
    func dateText(zone: String, expected: String) async throws {
        let project = try makeProject(
            """
            function run() {
                return { zones: [0, 6].map(function (month) {
                    return String(new Date(2014, month, 1)).replace(/.*GMT/, "GMT");
                }).join("|") };
            }
            """)
        let outcome = try await Command.run(["call", "A/run", "--project", project.path], environment: ["TZ": zone])
        #expect(outcome.output.contains(#""zones":"\#(expected)""#), "\(outcome)")
    }

    @Test(
        "A Date stored in SQLite comes back as the same point in time, in any time zone",
        arguments: ["UTC", "Asia/Dubai", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"])
    func sqlite(zone: String) async throws {
        let project = try makeProject(
            """
            function sql(text, parameters) {
                return WL.Server.invokeSQLStatement({ preparedStatement: text, parameters: parameters || [] });
            }
            function run() {
                sql("create table t (a datetime, b text, c)");
                // In New York the second is in the hour that the clocks go through twice.
                var times = [1709251198123, 1414908000000, 0, -500].map(function (time) {
                    var date = new Date(time);
                    sql("delete from t");
                    sql("insert into t values (?, ?, ?)", [date, date, date]);
                    var row = sql("select a, b, c, max(a) as d from t").resultSet[0];
                    return ["a", "b", "c", "d"].map(function (name) { return new Date(row[name]).getTime() - time; });
                });
                sql("delete from t");
                sql("insert into t (a) values (current_timestamp)");
                var age = Date.now() - new Date(sql("select a from t").resultSet[0].a).getTime();
                return { differences: times, isNow: age >= 0 && age < 1800000 };
            }
            """)
        try project.write(
            adapterXML(
                "A",
                connectivity: """
                    <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition>
                    <url>jdbc:sqlite:data.db</url></dataSourceDefinition></connectionPolicy></connectivity>
                    """), to: "adapters/A/A.xml")
        let outcome = try await Command.run(["call", "A/run", "--project", project.path], environment: ["TZ": zone])
        #expect(
            outcome.output.contains(#""differences":[[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]],"isNow":true"#),
            "\(outcome.output)\(outcome.errors)")
    }
}

@Suite("Settings")
struct SettingsTests {
    private func errors(_ yaml: String, environment: [String: String] = [:]) async throws -> String {
        let project = try makeProject("function run() {}")
        try project.write(yaml, to: "lamplighter.yaml")
        return try await Command.run(["call", "A/run", "--project", project.path], environment: environment).errors
    }

    @Test(
        "An invalid setting is reported with file, line, key and the expected value",
        arguments: [
            ("port: many", "lamplighter.yaml:1: port is 'many'; expected a port from 0 to 65535"),
            (
                "limits:\n  cpuTime: -1",
                "lamplighter.yaml:2: limits.cpuTime is '-1'; expected a positive number of seconds"
            ),
            (
                "limits:\n  cputime: 1",
                "lamplighter.yaml:2: there is no setting 'limits.cputime'; is 'limits.cpuTime' meant?"
            ),
            ("port: [1]", "lamplighter.yaml:1: port is something else; expected"),
            (
                "clients:\n  checksumScript: maybe",
                "lamplighter.yaml:2: clients.checksumScript is 'maybe'; expected true or false"
            ),
            (
                "push:\n  apns:\n    keyID: short",
                "lamplighter.yaml:3: push.apns.keyID is 'short'; expected the key's id, ten letters and digits"
            ),
            (
                "push:\n  proxy: socks4://user:hidden@h:1",
                "lamplighter.yaml:2: push.proxy is '…'; expected http://HOST:PORT or socks5://HOST:PORT"
            ),
            (
                "applications:\n  com.example.app:\n    apns:\n      environment: test",
                "lamplighter.yaml:4: applications.com.example.app.apns.environment is 'test'; expected sandbox or production"
            ),
            (
                "applications:\n  App:\n    apsn: x",
                "lamplighter.yaml:3: there is no setting 'applications.App.apsn'; an application has: apns.key, apns.keyID"
            ),
            (
                "applications:\n  App:\n    wns:\n      clientSecret: ${MISSING}",
                "lamplighter.yaml:4: applications.App.wns.clientSecret is the environment variable MISSING, which is not set"
            ),
            (
                "applications:\n  App:\n    wns:\n      clientSecret: ${file:keys/missing}",
                "lamplighter.yaml:4: applications.App.wns.clientSecret is the file keys/missing, which cannot be read"
            ),
            ("a: b: c", "lamplighter.yaml:1: not well-formed YAML: mapping values are not allowed"),
            (
                "scopes:\n  shared: A, Ordrs",
                "there is no adapter 'Ordrs' for the setting scopes.shared; there are: A"
            ),
            (
                "scopes:\n  session: true",
                "lamplighter.yaml:2: scopes.session no longer exists: each session has its own scope of each adapter; remove it"
            ),
        ])
    func bad(yaml: String, message: String) async throws {
        #expect(try await errors(yaml).contains(message))
    }

    @Test("The environment overrides the file, and is checked as well")
    func environment() async throws {
        #expect(
            try await errors("port: 1", environment: ["LAMPLIGHTER_PORT": "x"]).contains(
                "LAMPLIGHTER_PORT=x: expected a port"))
        #expect(
            try await errors("port: 1", environment: ["LAMPLIGHTER_PROT": "1"]).contains(
                "LAMPLIGHTER_PROT: there is no such setting"))
        #expect(
            try await errors("port: 1", environment: ["LAMPLIGHTER_SCOPES_SESSION": "true"]).contains(
                "LAMPLIGHTER_SCOPES_SESSION no longer exists: each session has its own scope of each adapter; remove it"
            ))
    }

    @Test("reads lamplighter.yml like lamplighter.yaml, and refuses a project with both")
    func otherName() async throws {
        let project = try makeProject("function run() {}")
        try project.write("nonsense: 1", to: "lamplighter.yml")
        let call = ["call", "A/run", "--project", project.path]
        #expect(try await Command.run(call).errors.contains("lamplighter.yml:1: there is no setting 'nonsense'"))
        try project.write("port: 1", to: "lamplighter.yaml")
        let both = try await Command.run(call)
        #expect(both.status == 1)
        #expect(both.errors.contains("has both lamplighter.yaml and lamplighter.yml"), "\(both.errors)")
    }

    @Test("takes a YAML list where values are separated by commas")
    func list() async throws {
        #expect(try await errors("sql:\n  exactNumbers: [A]\ntrustedProxies:\n  - 10.0.0.0/8\n  - 127.0.0.1\n") == "")
        #expect(
            try await errors("scopes:\n  shared:\n    - A\n    - B\n").contains(
                "there is no adapter 'B' for the setting scopes.shared; there are: A"))
        #expect(
            try await errors("scopes:\n  shared: [[A]]").contains(
                "scopes.shared is something else; expected true, false, or the names of adapters"))
    }

    @Test("suggests the setting whose variable is misspelt")
    func misspeltVariable() async throws {
        #expect(
            try await errors("port: 1", environment: ["LAMPLIGHTER_STOER": "postgres://db/l"]).contains(
                "LAMPLIGHTER_STOER: there is no such setting; is 'LAMPLIGHTER_STORE' meant?"))
    }

    @Test("takes properties of the project from the environment")
    func properties() async throws {
        #expect(try await errors("port: 1", environment: ["LAMPLIGHTER_PROPERTY_BACKEND_HOST": "b"]) == "")
    }

    @Test("ignores what Kubernetes and Docker set for a service of the name 'lamplighter', with a line in the log")
    func linkedService() async throws {
        let project = try makeProject("function run() {}")
        let address = "10.0.0.7"
        let server = try await ServerProcess(
            [project.path],
            environment: [
                "LAMPLIGHTER_PORT": "tcp://\(address):10080", "LAMPLIGHTER_SERVICE_HOST": address,
                "LAMPLIGHTER_SERVICE_PORT": "10080", "LAMPLIGHTER_SERVICE_PORT_HTTP": "10080",
                "LAMPLIGHTER_PORT_10080_TCP": "tcp://\(address):10080", "LAMPLIGHTER_PORT_10080_TCP_ADDR": address,
                "LAMPLIGHTER_PORT_10080_TCP_PORT": "10080", "LAMPLIGHTER_PORT_10080_TCP_PROTO": "tcp",
                "LAMPLIGHTER_CONSOLE_PORT": "tcp://\(address):10081",
                "LAMPLIGHTER_CONSOLE_SERVICE_HOST": address,
            ])
        #expect(await server.log(with: "for a service").contains("LAMPLIGHTER_SERVICE_PORT_HTTP"))
        #expect(await server.end(with: SIGTERM) == 0)
    }

    @Test("A value ${NAME} in the file is the environment's, and no secret is shown when it is wrong")
    func fromEnvironment() async throws {
        let yaml = "applications:\n  App:\n    wns:\n      endpoint: ${WNS_ENDPOINT}\n"
        #expect(try await errors(yaml, environment: ["WNS_ENDPOINT": "https://localhost:1"]) == "")
        #expect(
            try await errors(yaml, environment: ["WNS_ENDPOINT": "elsewhere"]).contains(
                "wns.endpoint is '${WNS_ENDPOINT}'"))
    }

    @Test("check reads the credentials of the push services, and expands variables of the environment")
    func checkedCredentials() async throws {
        let project = try makeProject("function run() {}")
        try project.write("push:\n  apns:\n    key: ${KEY_FILE}\n    teamID: TEAM123456\n", to: "lamplighter.yaml")
        let outcome = try await Command.run(["check", project.path], environment: ["KEY_FILE": "nothing.p8"])
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains(
                "lamplighter.yaml: error: push.apns: \(project.path)/nothing.p8: expected a readable .p8 file"))
    }

    @Test("check opens the certificates and keys of a project, and reports topic, environment and end")
    func openedCredentials() async throws {
        let project = try makeProject("function run() {}")
        try project.write(
            """
            <application id="App" xmlns="http://www.worklight.com/application-descriptor">
            <iphone bundleId="com.example.app"><pushSender password="secret"/></iphone></application>
            """, to: "apps/App/application-descriptor.xml")
        try project.write("", to: "keys/empty.p8")
        for (kind, topic, days, password) in [
            ("sandbox", "com.example.app", 60, "secret"), ("production", "com.example.other", 20, "secret"),
            ("unused", "com.example.app", 60, "unknown"),
        ] {
            let file = "apps/App/apns-certificate-\(kind).p12"
            try await OpenSSL.run(
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days",
                "\(days)", "-subj", "/UID=\(topic)", in: project)
            try await OpenSSL.run(
                "pkcs12", "-export", "-legacy", "-in", "cert.pem", "-inkey", "key.pem", "-out", file, "-passout",
                "pass:\(password)", in: project)
        }
        try await OpenSSL.run(
            "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "keys/AuthKey_ABCDE12345.p8",
            in: project)
        let lines = try await Command.run(["check", project.path]).output.split(separator: "\n").map(String.init)
        let certificate = "apps/App/apns-certificate-"
        #expect(
            lines.contains {
                $0.hasPrefix(
                    "\(certificate)sandbox.p12: note: APNs certificate for com.example.app, production and sandbox")
                    && $0.contains(" ends on 20")
            })
        #expect(
            lines.contains {
                $0.hasPrefix("\(certificate)production.p12: warning: APNs certificate for com.example.other,")
                    && $0.hasSuffix("make a new one on Apple's developer site")
            })
        #expect(
            lines.contains(
                "\(certificate)production.p12: warning: the certificate is for com.example.other, and the app is "
                    + "com.example.app; use the app's own certificate"))
        #expect(
            lines.contains {
                $0.hasPrefix("\(certificate)unused.p12: note: not opened, since its password is not known")
            })
        #expect(
            lines.contains(
                "keys/AuthKey_ABCDE12345.p8: note: APNs key ABCDE12345, which no setting names; set push.apns.key to use it"
            ))
        #expect(lines.contains { $0.hasPrefix("keys/empty.p8: warning: expected a P-256 key") })
    }

    @Test("A limit from the file is the limit of a call")
    func limit() async throws {
        let project = try makeProject("function run() { for (;;) {} }")
        try project.write("limits:\n  cpuTime: 0.05\n", to: "lamplighter.yaml")
        let outcome = try await Command.run(["call", "A/run", "--project", project.path])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("A/run was stopped: it used more than the CPU time limit (cpuTime) of 50 ms"))
        let longer = try await Command.run(
            ["call", "A/run", "--project", project.path], environment: ["LAMPLIGHTER_LIMITS_CPU_TIME": "0.1"])
        #expect(longer.output.contains("of 100 ms"))
    }

    @Test("An empty file sets nothing")
    func empty() async throws {
        #expect(try await errors("# nothing\n") == "")
    }

    @Test("The output of check for the broken project is the one in docs/checking-a-project.md")
    func brokenProject() async throws {
        let outcome = try await Command.run([
            "check", Command.repository.appending(path: "examples/broken-project").path,
        ])
        #expect(outcome.status == 1)
        let page = try String(
            contentsOf: Command.repository.appending(path: "docs/checking-a-project.md"), encoding: .utf8)
        for line in outcome.output.split(separator: "\n") { #expect(page.contains("    \(line)\n")) }
        #expect(outcome.output.split(separator: "\n").count == 12)
    }

    @Test("The project of three adapters has no problems")
    func exampleProject() async throws {
        let outcome = try await Command.run(["check", Command.repository.appending(path: "examples/watch-prices").path])
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
    }
}
