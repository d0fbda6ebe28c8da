import Core
import Foundation
import TestSupport
import Testing

/// Two servers of Lamplighter, of which one stands for the old server: both speak the original's protocol.
@Suite("Comparing an old server with the new one", .defaultTimeLimit)
struct CompareCommandTests {
    private static let application = """
        <application id="MyApp" xmlns="http://www.worklight.com/application-descriptor">
        <android version="1.0" securityTest="FormMobile"/><desktopBrowser version="1.0" securityTest="AdapterWeb"/></application>
        """

    private static func project(_ script: String) throws -> TemporaryFolder {
        let project = try TemporaryFolder(LoginProject.files(realm: "PushAppRealm", slow: 0, eventSource: ""))
        try project.write(application, to: "apps/MyApp/application-descriptor.xml")
        try project.write(
            adapterXML("Orders", procedures: ["list", "get", "who", "store", "price"]), to: "adapters/Orders/Orders.xml"
        )
        try project.write(script, to: "adapters/Orders/Orders-impl.js")
        try TestCertificates.giveServerKey(to: project.url.appending(path: ".lamplighter"))
        return project
    }

    private static let script = """
        function list() { return { orders: [{ id: 1, price: 2.5 }, { id: 2 }], time: Date.now(), responseTime: Math.random() }; }
        function get(id) { return { id: id, price: PRICE, nested: { made: Math.random() } }; }
        function who() { return { user: WL.Server.getActiveUser('REALM').userId }; }
        function price() { return { price: PRICE, note: PRICE + 'secret\\u001b[2J' }; }
        function store() { throw new Error('must not be called'); }
        """

    /// Runs the command on an old server with the price 12.5, and on a new one with the string.
    private func compare(
        _ calls: String, files: [String: String] = [:], realm: String = "PushAppRealm", more: [String] = []
    ) async throws -> Command.Outcome {
        let script = Self.script.replacing("REALM", with: realm)
        let old = try Self.project(script.replacing("PRICE", with: "12.5"))
        let new = try Self.project(script.replacing("PRICE", with: "'12.50'"))
        try new.write(calls.replacing("PROJECT", with: new.path), to: "calls.yaml")
        for (path, text) in files { try new.write(text, to: path) }
        let before = try await ServerProcess(["--context-root", "/Old", old.path])
        let after = try await ServerProcess([new.path])
        let outcome = try await Command.run(
            ["compare", "--old", before.url + "/Old", "--calls", new.path("calls.yaml"), "--project", new.path]
                + more.map { $0.replacing("PROJECT", with: new.path) })
        #expect(await before.end(with: SIGTERM) == 0)
        #expect(await after.end(with: SIGTERM) == 0)
        return outcome
    }

    @Test("An app with a form's login: each call is the same or has its differences by member, and the status says so")
    func form() async throws {
        let outcome = try await compare(
            """
            application: MyApp
            login:
              form: {user: bjones, password: password}
            ignore: [time]
            calls:
              - Orders/list:
              - Orders/get: [42]
                ignore: [nested.made]
              - Orders/who: []
            """)
        #expect(
            outcome.output == """
                same      Orders/list []
                different Orders/get [42]
                  price: 12.5 -> "12.50"
                same      Orders/who []

                """, "\(outcome)")
        #expect(outcome.status == 1 && outcome.errors == "calls: 3, different: 1\n")
        #expect(!(outcome.output + outcome.errors).contains("password"))
    }

    @Test("An app with a login by a procedure, and the report in JSON")
    func procedure() async throws {
        let outcome = try await compare(
            """
            application: MyApp
            environment: desktopbrowser
            login:
              AuthAdapter/submitAuthentication: [ann, secret]
            calls:
              - Orders/who: []
            """, realm: "AdapterRealm", more: ["--json"])
        #expect(
            outcome.output
                == #"[{"adapter":"Orders","procedure":"who","parameters":"[]","failed":false,"differences":[]}]"#
                + "\n", "\(outcome)")
        #expect(outcome.status == 0)
    }

    @Test("A password of the login that a server returns is not shown", arguments: [[], ["--json"]])
    func returnedPassword(more: [String]) async throws {
        let outcome = try await compare(
            """
            application: MyApp
            environment: desktopbrowser
            login:
              AuthAdapter/submitAuthentication: [ann, {passwordFile: PROJECT/password.txt}]
            calls:
              - Orders/price: []
            """, files: ["password.txt": "secret\n"], realm: "AdapterRealm", more: more)
        #expect(outcome.status == 1 && outcome.output.contains("12.5"), "\(outcome)")
        #expect(outcome.output.contains("…") && outcome.output.contains("\\u001b"), "\(outcome)")
        for text in [outcome.output, outcome.errors] { #expect(!text.contains("secret") && !text.contains("\u{1b}")) }
    }

    @Test("An address with a password is refused without showing it")
    func password() async throws {
        let outcome = try await Command.run(["compare", "--old", "http://ann:secret@host/x", "--calls", "calls.yaml"])
        #expect(outcome.status == 2 && outcome.errors.contains("an address has a user or a password"), "\(outcome)")
        #expect(!(outcome.output + outcome.errors).contains("secret"))
    }

    @Test("A call that fails on both servers is not the same, and the results of a login by a procedure are shown")
    func failed() async throws {
        let outcome = try await compare(
            """
            application: MyApp
            environment: desktopbrowser
            login:
              AuthAdapter/submitAuthentication: [ann, wrong]
            calls:
              - Orders/lst: []
            """, realm: "AdapterRealm")
        #expect(outcome.output == "failed    Orders/lst []\n", "\(outcome)")
        #expect(outcome.status == 1 && outcome.errors.contains("failed on both servers: 1"))
        #expect(
            outcome.errors.contains(#"results of the login, old and new: {"isSuccessful":true,"authRequired":true"#),
            "\(outcome.errors)")
    }

    @Test("Calls of an access log are made once each, and only those of the named procedures")
    func log() async throws {
        let log = """
            127.0.0.1 - - [01/Jan/2016:10:00:00 +0000] "GET /Old/invoke?adapter=Orders&procedure=get&parameters=%5B7%5D HTTP/1.1" 200 20
            127.0.0.1 - - [01/Jan/2016:10:00:01 +0000] "GET /Old/invoke?adapter=Orders&procedure=get&parameters=%5B7%5D HTTP/1.1" 200 20
            127.0.0.1 - - [01/Jan/2016:10:00:02 +0000] "GET /Old/adapters/Orders/get?params=%5B%22x%22%5D HTTP/1.1" 200 20
            127.0.0.1 - - [01/Jan/2016:10:00:03 +0000] "GET /Old/invoke?adapter=Orders&procedure=store&parameters=[] HTTP/1.1" 200 20
            127.0.0.1 - - [01/Jan/2016:10:00:04 +0000] "POST /Old/apps/services/api/MyApp/android/query HTTP/1.1" 200 20
            """
        let outcome = try await compare(
            """
            application: MyApp
            login: {form: {user: bjones, passwordFile: PROJECT/password.txt}}
            ignore: [price, made]
            """, files: ["access.log": log, "password.txt": "password\n"],
            more: ["--log", "PROJECT/access.log", "--procedure", "Orders/get"])
        #expect(outcome.output == "same      Orders/get [7]\nsame      Orders/get [\"x\"]\n", "\(outcome)")
    }

    @Test(
        "A mistake in the file is an error with its line",
        arguments: [
            ("calls: []", "calls.yaml: expected 'application'"),
            ("application: A\ncalls:\n  - list: []", "calls.yaml:3: 'list' is not ADAPTER/PROCEDURE"),
            ("application: A\ncalls:\n  - A/b: 7", "calls.yaml:3: expected a list of parameters"),
            ("application: A\nlogin: x", "calls.yaml:2: expected form: {user, password}"),
            ("aplication: A", "calls.yaml:1: there is no key 'aplication'"),
            ("application: A", "calls.yaml: there are no calls to make"),
        ])
    func mistakes(text: String, message: String) async throws {
        let folder = try TemporaryFolder(["calls.yaml": text, "adapters/.keep": ""])
        let outcome = try await Command.shell(
            "lamplighter compare --old http://127.0.0.1:1/x --calls calls.yaml", in: folder.url)
        #expect(outcome.status == 1 && outcome.errors.hasPrefix("lamplighter: \(message)"), "\(outcome.errors)")
    }

    @Test("An old server that does not respond is named, and so is one that refuses the login")
    func failures() async throws {
        let folder = try TemporaryFolder(["calls.yaml": "application: A\ncalls: [A/b: []]", "adapters/.keep": ""])
        let unreachable = try await Command.shell(
            "lamplighter compare --old http://127.0.0.1:1/x --new http://127.0.0.1:1 --calls calls.yaml", in: folder.url
        )
        #expect(unreachable.status == 1 && unreachable.errors.contains("nothing listens at http://127.0.0.1:1/x"))
        let outcome = try await compare(
            """
            application: MyApp
            login: {form: {user: bjones, password: wrong-one}}
            calls: [Orders/list: []]
            """)
        #expect(
            outcome.status == 1
                && outcome.errors.contains("/Old refuses the user name or the password of the file's login"))
        #expect(!outcome.errors.contains("wrong-one"))
    }
}
