import AdapterChecks
import AdapterRuntime
import Foundation
import Installation
import TestSupport
import Testing
import WorklightProject

/// A mistake in an otherwise sound project, and what `check --strict` must report about it.
struct PlantedMistake: Sendable, CustomTestStringConvertible {
    /// Where: `A-impl.js:1` or `A.xml:3`, the end of a path with the line.
    let place: String
    /// A part of the message.
    let message: String
    let files: [String: String]

    var testDescription: String { "\(place) \(message)" }

    /// The problems that `check --strict` prints, apart from notes.
    func problems() async throws -> [ProjectError] {
        let folder = try TemporaryFolder(files)
        defer { withExtendedLifetime(folder) {} }
        let project = Project(reading: folder.url)
        return try await
            (project.problems + project.syntaxProblems() + project.stylesheetProblems()
            + Installation.loginProblems(of: project) + StrictCheck.problems(of: project)).filter {
                $0.severity != .note
            }
    }

    /// Returns whether the problem is reported at its location.
    func isFound(in problems: [ProjectError]) -> Bool {
        problems.contains { problem in
            "\(problem.file):\(problem.line ?? 0)".hasSuffix(place) && problem.message.contains(message)
        }
    }

    private static let http = """
        <connectivity><connectionPolicy xsi:type="http:HTTPConnectionPolicyType"><protocol>http</protocol>
        <domain>127.0.0.1</domain></connectionPolicy></connectivity>
        """
    private static let sql = """
        <connectivity><connectionPolicy xsi:type="sql:SQLConnectionPolicy"><dataSourceDefinition>
        <url>jdbc:sqlite:a.db</url></dataSourceDefinition></connectionPolicy></connectivity>
        """

    /// An adapter's XML; the `adapter` element is line 1.
    static func adapter(_ content: String, name: String = "A") -> String {
        """
        <adapter name="\(name)" xmlns="http://www.worklight.com/integration" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
        xmlns:http="http://www.worklight.com/integration/http" xmlns:sql="http://www.worklight.com/integration/sql">
        \(content)
        </adapter>
        """
    }

    /// A script of an adapter with an HTTP or SQL back end; line 1 has the mistake.
    static func script(
        _ source: String, _ message: String, sql isSQL: Bool = false, line: Int = 1, files: [String: String] = [:]
    ) -> PlantedMistake {
        let own = source.contains("function go(") || source.contains("go = ") ? "" : "\nfunction go() { return {}; }"
        var all = files
        all["adapters/A/A.xml"] =
            all["adapters/A/A.xml"] ?? adapter((isSQL ? Self.sql : Self.http) + "\n<procedure name=\"go\"/>")
        all["adapters/A/A-impl.js"] = source + own
        return PlantedMistake(place: "A-impl.js:\(line)", message: message, files: all)
    }

    /// A call of `WL.Server` in a procedure.
    static func call(
        _ call: String, _ message: String, sql isSQL: Bool = false, files: [String: String] = [:]
    ) -> PlantedMistake {
        script("function go(sub, text) { return WL.Server.\(call); }", message, sql: isSQL, files: files)
    }

    /// An adapter's XML with a mistake: `content` begins on line 2.
    static func xml(_ content: String, _ line: Int, _ message: String, script: String = "function go() {}")
        -> PlantedMistake
    {
        PlantedMistake(
            place: "A.xml:\(line)", message: message,
            files: ["adapters/A/A.xml": adapter(content), "adapters/A/A-impl.js": script])
    }

    /// An HTTP connection policy whose content begins on line 4.
    static func policy(_ content: String, _ message: String) -> PlantedMistake {
        xml(
            """
            <connectivity>
            <connectionPolicy xsi:type="http:HTTPConnectionPolicyType">
            \(content)
            </connectionPolicy>
            </connectivity>
            <procedure name="go"/>
            """, 4, message,
            script: "function go() { return WL.Server.invokeHttp({ method: 'get', path: '/' }); }")
    }

    /// authenticationConfig.xml with the adapter `Login` and a procedure that its test `T` guards; `content` begins on line 2.
    static func authentication(
        _ content: String, _ line: Int, _ message: String, files: [String: String] = [:]
    ) -> PlantedMistake {
        var all = files
        all["server/conf/authenticationConfig.xml"] = """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            \(content)
            </tns:loginConfiguration>
            """
        all["adapters/Login/Login.xml"] = adapter(
            """
            <procedure name="submit" securityTest="wl_unprotected"/>
            <procedure name="secret" securityTest="T"/>
            """, name: "Login")
        all["adapters/Login/Login-impl.js"] =
            all["adapters/Login/Login-impl.js"]
                ?? """
                function onAuthRequired() { return { authRequired: true }; }
                function submit(name) { WL.Server.setActiveUser("R", { userId: name }); return { authRequired: false }; }
                function onLogout() {}
                function secret() { return { secret: 1 }; }
                """
        return PlantedMistake(place: "authenticationConfig.xml:\(line)", message: message, files: all)
    }
}
