import AdapterChecks
import TestSupport
import Testing
import WorklightProject

/// For each id a script that it bites, and one as near to it as can be that it does not.
@Suite("Every id")
struct EveryIDTests {
    private struct Pair {
        let biting: String
        let harmless: String
        var connectivity = ""
        var files: [String: String] = [:]
        /// The harmless script's, where they are others.
        var harmlessFiles: [String: String]?
    }

    private static let poll = "WL.Server.createEventSource({ name: 'E', poll: { interval: 5, onPoll: poll } }); "
    private static let secured = [
        "server/conf/authenticationConfig.xml": """
        <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
        <securityTests><customSecurityTest name="T"><test realm="wl_anonymousUserRealm"/></customSecurityTest></securityTests>
        </tns:loginConfiguration>
        """,
        "adapters/A/A.xml": """
        <adapter xmlns="http://www.ibm.com/mfp/integration" name="A"><procedure name="run" securityTest="T"/></adapter>
        """,
    ]

    private static let application = [
        "apps/App/application-descriptor.xml": """
        <application id="App" xmlns="http://www.worklight.com/application-descriptor"><tags><tag><name>gold</name></tag></tags>
        </application>
        """,
        "adapters/A/A.xml": """
        <adapter xmlns="http://www.ibm.com/mfp/integration" name="A"><procedure name="run" securityTest="wl_unprotected"/></adapter>
        """,
    ]

    /// A project whose adapter names the test `T`, which has the realm `R`.
    private static func realm(_ authenticator: String, module: String, script: String = "") -> [String: String] {
        [
            "server/conf/authenticationConfig.xml": """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            <securityTests><customSecurityTest name="T"><test realm="R" isInternalUserID="true"/></customSecurityTest></securityTests>
            <realms><realm name="R" loginModule="M"><className>com.worklight.core.auth.ext.\(authenticator)</className></realm></realms>
            <loginModules><loginModule name="M"><className>com.worklight.core.auth.ext.\(module)</className></loginModule></loginModules>
            </tns:loginConfiguration>
            """,
            "adapters/A/A.xml": secured["adapters/A/A.xml", default: ""],
            "server/authentication/Own.js": script,
        ]
    }

    private static func source(_ options: String) -> String {
        "WL.Server.createEventSource({ \(options) }); function run() {}"
    }

    private static func call(_ call: String) -> String { "function run(x) { return WL.Server.\(call); }" }

    private static let pairs: [CheckID: Pair] = [
        .undefinedCallback: Pair(
            biting: source("name: 'E', onUserChange: 'rum'"), harmless: source("name: 'E', onUserChange: 'run'")),
        .undeclaredProcedure: Pair(
            biting: call("invokeProcedure({ adapter: 'A', procedure: 'rum' })"),
            harmless: call("invokeProcedure({ adapter: 'A', procedure: 'run' })")),
        .missingFunction: Pair(biting: "let run = 5;", harmless: "let run = () => 5;"),
        .unusedFunction: Pair(
            biting: "function run() {} function other() {}", harmless: "function run() { other(); } function other() {}"
        ),
        .duplicateFunction: Pair(
            biting: "function run() {} function run() {}", harmless: "function run() { function run() {} run(); }"),
        .sharedGlobal: Pair(
            biting: poll + "var n = 0; function poll() { n++; } function run() { return n; }",
            harmless: poll
                + "var n = 0; function poll() { n = 0; n++; return n; } function run() { n = 0; n++; return n; }"),
        .mutableGlobal: Pair(
            biting: "var user; function run(x) { user = user || x; return user; }",
            harmless: "var user = null; function run(x) { var own = user || x; return own; }",
            files: ["server/conf/worklight.properties": "mfp.session.independent=true"]),
        .implicitGlobal: Pair(biting: "function run() { x = 1; }", harmless: "function run() { var x; x = 1; }"),
        .unknownName: Pair(
            biting: "function run() { return helpr; }",
            harmless: "function run() { return typeof helpr === 'undefined' ? 0 : helpr; }"),
        .unknownMember: Pair(
            biting: "function run() { WL.Server.x(); }", harmless: "function run() { if (WL.Server.x) WL.Server.x(); }"),
        .missingProperty: Pair(
            biting: "function run() { return WL.Server.configuration['app.hots']; }",
            harmless: "function run() { return WL.Server.configuration['app.host']; }",
            files: ["server/conf/worklight.properties": "app.host=h"]),
        .unknownOption: Pair(
            biting: source("name: 'E', onUserChanged: run"), harmless: source("name: 'E', onUserChange: run")),
        .wrongArgument: Pair(
            biting: call("setActiveUser('R', 'ann')"), harmless: call("setActiveUser('R', { userId: 'ann' })")),
        .unknownApplication: Pair(
            biting: call("sendMessage('Appl', x)"), harmless: call("sendMessage('App', x)"), files: application),
        .unknownTag: Pair(
            biting: call("sendMessage('App', { message: { alert: 'a' }, target: { tagNames: ['silver'] } })"),
            harmless: call("sendMessage('App', { message: { alert: 'a' }, target: { tagNames: ['gold'] } })"),
            files: application),
        .unknownRealm: Pair(
            biting: call("getActiveUser('Realm')"), harmless: call("getActiveUser('wl_anonymousUserRealm')"),
            files: secured),
        .eval: Pair(
            biting: "function run(x) { return eval(x); }", harmless: "function run(eval) { return eval(1); }"),
        .eventSourceInFunction: Pair(
            biting: "function run() { make(); } function make() { WL.Server.createEventSource({ name: 'E' }); }",
            harmless: "make(); function run() {} function make() { WL.Server.createEventSource({ name: 'E' }); }"),
        .duplicateEventSource: Pair(
            biting: source("name: 'E'") + " WL.Server.createEventSource({ name: 'E' });",
            harmless: "if (1) " + source("name: 'E'") + " WL.Server.createEventSource({ name: 'E' });"),
        .unknownEventSource: Pair(
            biting: source("name: 'E'")
                + call("getUserNotificationSubscription('A.F', x)").replacing("run", with: "run2")
                + " run2();",
            harmless: source("name: 'E'")
                + call("getUserNotificationSubscription('A.E', x)").replacing("run", with: "run2") + " run2();"),
        .pollInterval: Pair(
            biting: source("name: 'E', poll: { interval: 300000, onPoll: run }"),
            harmless: source("name: 'E', poll: { interval: 300, onPoll: run }")),
        .missingSecurityTest: Pair(
            biting: source("name: 'E'"), harmless: source("name: 'E', securityTest: 'wl_unprotected'"), files: secured),
        .unknownSecurityTest: Pair(
            biting: source("name: 'E', securityTest: 'U'"), harmless: source("name: 'E', securityTest: 'T'"),
            files: secured),
        .unverifiedLogin: Pair(
            biting: "function run() {}", harmless: "function run() {}",
            files: realm("FormBasedAuthenticator", module: "NonValidatingLoginModule"),
            harmlessFiles: realm("FormBasedAuthenticator", module: "RejectingLoginModule")),
        .loginKey: Pair(
            biting: "function run() {}", harmless: "function run() {}",
            files: realm(
                "Own", module: "RejectingLoginModule", script: "function getAuthenticationData() { return { pin: 1 }; }"
            ),
            harmlessFiles: realm(
                "Own", module: "RejectingLoginModule",
                script: "function getAuthenticationData() { return { username: 1 }; }")),
        .wrongBackEnd: Pair(
            biting: call("createSQLStatement(x)"), harmless: call("invokeHttp(x)"), connectivity: Checked.http),
        .httpRequest: Pair(
            biting: call("invokeHttp({ method: 'get' })"), harmless: call("invokeHttp({ method: 'get', path: x })"),
            connectivity: Checked.http),
        .sqlParameters: Pair(
            biting: "var s = WL.Server.createSQLStatement('select ?');"
                + call("invokeSQLStatement({ preparedStatement: s, parameters: [x, x] })"),
            harmless: "var s = WL.Server.createSQLStatement('select ?');"
                + call("invokeSQLStatement({ preparedStatement: s, parameters: [x] })"),
            connectivity: Checked.sql),
        .payloadSize: Pair(
            biting: call("notifyAll(x, { alert: '\(String(repeating: "x", count: 5200))' })"),
            harmless: call("notifyAll(x, { alert: '\(String(repeating: "x", count: 3500))' })")),
        .unavailable: Pair(
            biting: call("signSoapMessage(x)"),
            harmless: "function run(WL) { return WL.signSoapMessage('WL.Server.signSoapMessage()'); }"),
        .javaClass: Pair(
            biting: "function run() { return new java.util.Date(); }",
            harmless: "function run(java) { return new java.util.Date(); }"),
        .javaMethod: Pair(
            biting: "function run(x) { var s = 'a' + x; return s.length(); }",
            harmless: "function run(x) { var s = 'a' + x; return s.length; }"),
        .rhinoOnly: Pair(
            biting: "function run(o) { for each (var x in o) return x; }",
            harmless: "function run(o) { for (var x of o) return x; }"),
    ]

    private func check(_ script: String, _ pair: Pair, _ files: [String: String]) async throws -> [String] {
        try await Checked(script, connectivity: pair.connectivity, files: files).problems.compactMap(\.id)
    }

    @Test("reports its problem in the biting script, and nothing else", arguments: CheckID.allCases)
    func bites(id: CheckID) async throws {
        let pair = try #require(Self.pairs[id], "\(id.rawValue) has no pair of scripts here")
        #expect(try await check(pair.biting, pair, pair.files) == [id.rawValue])
    }

    @Test("is silent on the nearest harmless script, as all others are", arguments: CheckID.allCases)
    func silent(id: CheckID) async throws {
        let pair = try #require(Self.pairs[id], "\(id.rawValue) has no pair of scripts here")
        #expect(try await check(pair.harmless, pair, pair.harmlessFiles ?? pair.files) == [])
    }
}
