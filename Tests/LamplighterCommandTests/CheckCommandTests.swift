import Core
import Foundation
import TestSupport
import Testing

@Suite("check --strict, --fix and --json")
struct CheckCommandTests {
    private static let old = "function run(o) {\n    for each (var x in o) WL.Logger.info(x);\n}\n"
    private static let new = "function run(o) {\n    for (var x of Object.values(o ?? {})) WL.Logger.info(x);\n}\n"

    @Test("Mistakes that fail later are reported with --strict only, and then count as failures")
    func strict() async throws {
        let project = try makeProject("function run() {\n    total = 1;\n}")
        let plain = try await Command.run(["check", project.path])
        #expect(plain.status == 0)
        #expect(plain.output == "")
        let strict = try await Command.run(["check", "--strict", project.path])
        #expect(strict.status == 1)
        #expect(
            strict.output.hasPrefix(
                "adapters/A/A-impl.js:2:5: warning: 'total' is assigned in run() and declared nowhere"))
        #expect(strict.output.hasSuffix("write var before it [implicit-global]\n"))
        #expect(strict.errors == "read 1 adapter and 0 applications: 0 errors, 1 warning, 0 notes\n")
    }

    @Test("A note does not fail the check")
    func note() async throws {
        let project = try makeProject("function run() {}\nfunction forgotten() {}")
        let outcome = try await Command.run(["check", "--strict", project.path])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains(":2:1: note: nothing uses the function 'forgotten'"))
    }

    @Test("Translated syntax is a note, and with --strict a warning instead")
    func translated() async throws {
        let project = try makeProject(Self.old)
        let plain = try await Command.run(["check", project.path])
        #expect(plain.status == 0)
        #expect(plain.output.hasPrefix("adapters/A/A-impl.js:2:5: note: Rhino-only syntax"))
        let strict = try await Command.run(["check", "--strict", project.path])
        #expect(strict.output.split(separator: "\n").count == 1)
        #expect(strict.output.contains(":2:5: warning: "))
        #expect(strict.output.hasSuffix("(--fix does it) [rhino-only]\n"))
    }

    @Test("--fix rewrites the scripts, says where, and checks the result")
    func fix() async throws {
        let project = try makeProject(Self.old)
        let outcome = try await Command.run(["check", "--strict", "--fix", project.path])
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
        #expect(
            outcome.errors == """
                fixed adapters/A/A-impl.js:2:5: write for-of over Object.values
                1 place in 1 file changed
                read 1 adapter and 0 applications: 0 errors, 0 warnings, 0 notes

                """)
        #expect(try String(contentsOfFile: project.path("adapters/A/A-impl.js"), encoding: .utf8) == Self.new)
    }

    @Test("--fix leaves a script in the encoding that it was saved in", arguments: [String.Encoding.isoLatin1, .utf16])
    func fixKeepsEncoding(encoding: String.Encoding) async throws {
        let project = try makeProject("")
        let file = project.url.appending(path: "adapters/A/A-impl.js")
        // .utf16 writes a byte order mark.
        try #require(("// é\n" + Self.old).data(using: encoding)).write(to: file)
        let outcome = try await Command.run(["check", "--fix", project.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Data(contentsOf: file) == ("// é\n" + Self.new).data(using: encoding))
    }

    @Test(
        "A stylesheet that will fail is an error, a warning or a note, depending on its use"
    )
    func stylesheets() async throws {
        func sheet(_ template: String) -> String {
            "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>\n<xsl:output method='text'/>\n"
                + "\(template)</xsl:stylesheet>"
        }
        let project = try makeProject("function run() { return ['good.xsl', 'broken.xsl', 'text.xsl'].length; }")
        for (name, template) in [
            ("good", "<xsl:template match='/rss'>{ 'Items': [ {'title': ''}, ] }</xsl:template>"),
            ("broken", "<xsl:template match='/['/>"), ("text", "<xsl:template match='/'>text</xsl:template>"),
            ("unused", "<xsl:template match='/'>text</xsl:template>"),
        ] { try project.write(sheet(template), to: "adapters/A/\(name).xsl") }
        let outcome = try await Command.run(["check", project.path])
        #expect(outcome.status == 1)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 3, "\(outcome.output)")
        #expect(
            lines.first?.hasPrefix("adapters/A/broken.xsl:3: error: FWLSE0311E: the XSL transformation failed") == true)
        #expect(
            lines.dropFirst().first?.hasPrefix("adapters/A/text.xsl: warning: on an empty document: FWLSE0311E") == true
        )
        #expect(lines.last?.hasPrefix("adapters/A/unused.xsl: note: on an empty document") == true)
        #expect(lines.last?.hasSuffix("; no script names this stylesheet") == true)
    }

    @Test("A project as Studio makes it, with a console that has no credentials here, passes")
    func template() async throws {
        let project = try makeProject("function run() {}")
        try project.write(
            """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            <staticResources><resource id="console" securityTest="Console"><urlPatterns>/console*</urlPatterns></resource></staticResources>
            <securityTests><customSecurityTest name="Console"><test realm="Console" isInternalUserID="true"/></customSecurityTest></securityTests>
            <realms><realm name="Console" loginModule="M"><className>com.worklight.core.auth.ext.FormBasedAuthenticator</className></realm></realms>
            <loginModules><loginModule name="M"><className>com.worklight.core.auth.ext.SingleIdentityLoginModule</className></loginModule></loginModules>
            </tns:loginConfiguration>
            """, to: "server/conf/authenticationConfig.xml")
        let outcome = try await Command.run(["check", project.path])
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains(":5: note: the login module 'M' "))
    }

    @Test("--dry-run prints a patch and changes nothing")
    func dryRun() async throws {
        let project = try makeProject(Self.old)
        let outcome = try await Command.run(["check", "--fix", "--dry-run", project.path])
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                --- a/adapters/A/A-impl.js
                +++ b/adapters/A/A-impl.js
                @@ -1,3 +1,3 @@
                 function run(o) {
                -    for each (var x in o) WL.Logger.info(x);
                +    for (var x of Object.values(o ?? {})) WL.Logger.info(x);
                 }

                """)
        #expect(outcome.errors == "1 place in 1 file would be changed\n")
        #expect(try String(contentsOfFile: project.path("adapters/A/A-impl.js"), encoding: .utf8) == Self.old)
    }

    @Test("--dry-run without --fix, or with --json, is wrong usage", arguments: [[], ["--fix", "--json"]])
    func wrongUsage(extra: [String]) async throws {
        let outcome = try await Command.run(["check", "--dry-run"] + extra)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("--dry-run"))
    }

    @Test("--json prints one array of problems, with null for unknown values")
    func json() async throws {
        let project = try makeProject(Self.old)
        try project.write("<nonsense/>", to: "adapters/B/B.xml")
        try project.write("limits:\n  cpuTme: 1\n", to: "lamplighter.yaml")
        let outcome = try await Command.run(["check", "--strict", "--json", project.path])
        #expect(outcome.status == 1)
        let problems = try #require(try JSONValue(parsing: outcome.output).array)
        #expect(
            problems.map { $0["file"]?.string } == ["adapters/A/A-impl.js", "adapters/B/B.xml", "lamplighter.yaml"])
        #expect(problems.map { $0["line"] } == [2, 1, 2])
        #expect(problems.map { $0["column"] } == [5, .null, .null])
        #expect(problems.map { $0["severity"] } == ["warning", "error", "error"])
        #expect(problems.map { $0["id"] } == ["rhino-only", .null, .null])
        #expect(problems.map { $0["fix"] } == ["write for-of over Object.values", nil, nil])
        #expect(problems[2]["message"]?.string?.hasPrefix("there is no setting 'limits.cpuTme'") == true)
    }

    @Test("lists all errors of lamplighter.yaml at once, each with the closest setting")
    func settings() async throws {
        let project = try makeProject("function run() {}")
        try project.write(
            "prot: 14100\nlimits:\n  cpuTme: 3\n  heap: many\nlogLevel: info\n", to: "lamplighter.yaml")
        let outcome = try await Command.run(["check", project.path])
        #expect(outcome.status == 1)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 3, "\(outcome.output)")
        #expect(lines.first == "lamplighter.yaml:1: error: there is no setting 'prot'; is 'port' meant?")
        #expect(
            outcome.output.contains(
                "lamplighter.yaml:3: error: there is no setting 'limits.cpuTme'; is 'limits.cpuTime' meant?"))
        #expect(outcome.output.contains("lamplighter.yaml:4: error: limits.heap is 'many'; expected "))
    }

    @Test(
        "reports without --strict what cannot work",
        arguments: [
            ("WL.Server.createEventSource({ name: 'E', poll: { interval: '3', onPoll: run } }); function run() {}", 1),
            ("WL.Server.createEventSource({ name: 'E', poll: { interval: 3, onPoll: 'rum' } }); function run() {}", 0),
            ("function rum() {}", 0),
        ])
    func certainFailures(script: String, status: Int32) async throws {
        let project = try makeProject(script)
        let outcome = try await Command.run(["check", project.path])
        #expect(outcome.status == status, "\(outcome.output)")
        #expect(outcome.output.split(separator: "\n").count == 1, "\(outcome.output)")
    }

    @Test(
        "An unresolved merge conflict is named, with its first line, in every kind of file",
        arguments: [
            "adapters/A/A-impl.js", "adapters/A/A.xml", "server/conf/worklight.properties", "lamplighter.yaml",
            "server/authentication/Own.js", "server/conf/authenticationConfig.xml", "server/conf/users",
        ])
    func mergeConflict(path: String) async throws {
        let module = path.hasSuffix("users") ? "lamplighter.PasswordFileLoginModule" : "com.acme.Own"
        let project = try makeProject("function run() {}", loginModule: module)
        try project.write("\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> theirs\n", to: path)
        let outcome = try await Command.run(["check", project.path])
        #expect(
            outcome.status == 1
                && outcome.output.contains("\(path):2: error: the file has an unresolved merge conflict (<<<<<<< HEAD)"),
            "\(outcome)")
    }

    @Test("Each wrong line of a password file is a problem at its own line")
    func passwordFile() async throws {
        let project = try makeProject("function run() {}", loginModule: "lamplighter.PasswordFileLoginModule")
        try project.write("# users\nann:plain\nbob:$6$x$y\n", to: "server/conf/users")
        let lines = try await Command.run(["check", project.path]).output.split(separator: "\n")
        #expect(lines.count == 2, "\(lines)")
        #expect(lines.first?.hasPrefix("server/conf/users:2: error: ") == true)
        #expect(lines.last?.hasPrefix("server/conf/users:3: error: ") == true)
    }

    @Test("A password file that does not exist is named as the project names it")
    func missingPasswordFile() async throws {
        let project = try makeProject("function run() {}", loginModule: "lamplighter.PasswordFileLoginModule")
        let output = try await Command.run(["check", project.path]).output
        #expect(output.contains("the file server/conf/users cannot be read"), "\(output)")
    }

    @Test("The template of a login module is an error until its author has written it")
    func unwrittenModule() async throws {
        let project = try makeProject("function run() {}", loginModule: "com.acme.Own")
        let made = try await Command.shell("lamplighter new authenticator Own", in: project.url)
        #expect(made.status == 0, "\(made)")
        let outcome = try await Command.run(["check", project.path])
        #expect(outcome.status == 1 && outcome.output.contains("server/authentication/Own.js:"), "\(outcome)")
        #expect(outcome.output.contains("check the password here"))
    }

    @Test(
        "A data source that no connection can be opened to is reported at its URL",
        arguments: [
            (
                "jdbc:sqllite:stock.db",
                "error: the URL jdbc:sqllite:stock.db names no supported database; is jdbc:sqlite: meant?"
            ),
            (
                "jdbc:oracle:thin:@h:1521:x",
                "warning: every SQL call fails on this machine: no ODBC driver for Oracle is installed"
            ),
        ])
    func dataSource(url: String, message: String) async throws {
        let project = try makeProject("function run() {}")
        try project.write(
            adapterXML(
                "A", procedures: ["run"],
                connectivity: """
                    <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition>
                    <url>\(url)</url></dataSourceDefinition></connectionPolicy></connectivity>
                    """), to: "adapters/A/A.xml")
        let output = try await Command.run(["check", project.path]).output
        #expect(output.contains("adapters/A/A.xml:4: \(message)"), "\(output)")
    }

    @Test("--json prints an empty array when there is nothing to report")
    func emptyJSON() async throws {
        let project = try makeProject("function run() {}")
        let outcome = try await Command.run(["check", "--json", project.path])
        #expect(outcome.status == 0)
        #expect(outcome.output == "[]\n")
    }

    @Test("A script that --fix may not write is reported, and stays")
    func unwritable() async throws {
        let project = try makeProject(Self.old)
        let folder = project.path("adapters/A")
        // Root may write everywhere, so the name beside the script is made impossible instead.
        let long = "A" + String(repeating: "a", count: 240)
        try FileManager.default.moveItem(atPath: folder, toPath: project.path("adapters/\(long)"))
        try project.write(adapterXML(long), to: "adapters/\(long)/\(long).xml")
        try project.write(Self.old, to: "adapters/\(long)/\(long)-impl.js")
        let outcome = try await Command.run(["check", "--fix", project.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("-impl.js: cannot be written"))
        #expect(
            try String(contentsOfFile: project.path("adapters/\(long)/\(long)-impl.js"), encoding: .utf8) == Self.old)
    }

    @Test("names a project's folder that does not exist")
    func missingFolder() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Command.run(["check", folder.path("nowhere")])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("there is no folder \(folder.path)/nowhere"), "\(outcome.errors)")
    }

    @Test("The output of --strict is the one in docs/checking-a-project.md")
    func page() async throws {
        let page = try String(
            contentsOf: Command.repository.appending(path: "docs/checking-a-project.md"), encoding: .utf8)
        let outcome = try await Command.run([
            "check", "--strict", Command.repository.appending(path: "examples/run-a-job-every-day").path,
        ])
        for line in (outcome.output + outcome.errors).split(separator: "\n") { #expect(page.contains("    \(line)\n")) }
    }
}

/// A project whose procedure `run` requires a form login that this module checks.
private func makeProject(_ script: String, loginModule: String) throws -> TemporaryFolder {
    let project = try makeProject(script)
    try project.write(
        """
        <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
        <securityTests><customSecurityTest name="T"><test realm="R" isInternalUserID="true"/></customSecurityTest></securityTests>
        <realms><realm name="R" loginModule="M"><className>com.worklight.core.auth.ext.FormBasedAuthenticator</className>
        </realm></realms><loginModules><loginModule name="M"><className>\(loginModule)</className>
        <parameter name="file" value="server/conf/users"/></loginModule></loginModules>
        </tns:loginConfiguration>
        """, to: "server/conf/authenticationConfig.xml")
    try project.write(
        """
        <wl:adapter xmlns:wl="http://www.worklight.com/integration" name="A"><procedure name="run" securityTest="T"/></wl:adapter>
        """, to: "adapters/A/A.xml")
    return project
}
