import Core
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import Management

@Suite("connectAs: the user whom a back end sees", .defaultTimeLimit)
struct EndUserTests {
    private static func files(_ scheme: String, port: Int) -> [String: String] {
        func realm(_ name: String, _ authenticator: String, _ parameters: String = "") -> String {
            """
            <realm name="\(name)" loginModule="Believe"><className>\(authenticator)</className>\(parameters)</realm>
            """
        }
        let tests = ["Form", "Basic", "Adapter"].map {
            #"<customSecurityTest name="\#($0)Test"><test realm="\#($0)" isInternalUserID="true"/></customSecurityTest>"#
        }
        let procedures = ["form": "FormTest", "basic": "BasicTest", "adapter": "AdapterTest", "open": "wl_unprotected"]
        let ends = procedures.map {
            #"<procedure name="\#($0)" securityTest="\#($1)" connectAs="endUser" audit="true"/>"#
        }
        let logIn =
            #"<procedure name="logIn" audit="true"/><procedure name="fail" audit="true" securityTest="AdapterTest"/>"#
        return [
            "server/conf/authenticationConfig.xml": """
            <tns:loginConfiguration xmlns:tns="http://www.worklight.com/auth/config">
            <securityTests>\(tests.joined())</securityTests>
            <realms>
            \(realm("Form", "com.worklight.core.auth.ext.FormBasedAuthenticator"))
            \(realm("Basic", "com.worklight.core.auth.ext.BasicAuthenticator"))
            \(realm("Adapter", "com.worklight.integration.auth.AdapterAuthenticator",
                    #"<parameter name="login-function" value="Login.ask"/>"#))
            </realms>
            <loginModules><loginModule name="Believe">
            <className>com.worklight.core.auth.ext.NonValidatingLoginModule</className></loginModule></loginModules>
            </tns:loginConfiguration>
            """,
            "adapters/Login/Login.xml": adapterXML("Login", procedures: []),
            "adapters/Login/Login-impl.js": "function ask() { return { authRequired: true } }",
            "adapters/A/A.xml": adapterXML(
                "A", procedures: ["server"],
                connectivity: httpConnectivity(port: port).replacing(
                    "</connectionPolicy>",
                    with: """
                        <authentication><\(scheme)/><serverIdentity><username> server </username>
                        <password> machine </password></serverIdentity></authentication></connectionPolicy>
                        """)
            ).replacing("</wl:adapter>", with: (ends + [logIn, "</wl:adapter>"]).joined()),
            "adapters/A/A-impl.js": """
            function ask() {
                var answer = WL.Server.invokeHttp({ method: 'get', path: '/' });
                return { said: answer.text, errors: answer.errors };
            }
            var form = ask, basic = ask, adapter = ask, open = ask, server = ask;
            function logIn(identity) {
                WL.Server.setActiveUser('Adapter', identity);
                WL.Logger.info('logged in', WL.Server.getActiveUser('Adapter'));
                return { kept: WL.Server.getActiveUser('Adapter').credentials === identity.credentials };
            }
            function fail(text) { throw new Error('no good: ' + text) }
            """,
        ]
    }

    /// Starts a back end that responds with the user and the password of `Authorization: Basic`.
    private static func basicBackEnd() throws -> LoopbackServer {
        try LoopbackServer { request in
            let text = request.header("Authorization").flatMap { Data(base64Encoded: String($0.dropFirst(6))) }
            return .ok(text.map { String(decoding: $0, as: UTF8.self) } ?? "nobody")
        }
    }

    private static func identity(_ name: String, _ password: String) -> String {
        #"[{"userId":"\#(name)","displayName":"\#(name)","credentials":"\#(password)","attributes":{}}]"#
    }

    @Test("the back end sees the user of an adapter login, a form and Basic, for two users in turn")
    func users() async throws {
        let backEnd = try Self.basicBackEnd()
        try await RunningServer.run(files: Self.files("basic", port: backEnd.port)) { (server) async throws in
            let (ann, bob) = (WireClient(server, device: "a"), WireClient(server, device: "b"))
            for (client, name, password) in [(ann, "ann", "p-ann"), (bob, "bob", "p-bob")] {
                #expect(try await client.call("logIn", Self.identity(name, password))["kept"] == true)
                #expect(try await client.call("form").text.contains("j_security_check"))
                try await client.logIn("form-" + name, password)
                let credentials = Data("basic-\(name):\(password)".utf8).base64EncodedString()
                client.headers = [("Authorization", "Basic \(credentials)")]
                #expect(try await client.call("basic")["said"] == .string("basic-\(name):\(password)"))
                client.headers = []
            }
            for (client, name) in [(ann, "ann"), (bob, "bob"), (ann, "ann")] {
                #expect(try await client.call("adapter")["said"] == .string("\(name):p-\(name)"))
                #expect(try await client.call("form")["said"] == .string("form-\(name):p-\(name)"))
                #expect(try await client.call("basic")["said"] == .string("basic-\(name):p-\(name)"))
                #expect(try await client.call("server")["said"] == "server:machine")
            }
        }
    }

    @Test("NTLM sends a user's domain and name, and the connection serves no other user")
    func ntlm() async throws {
        let backEnd = try NTLMBackEnd()
        try await RunningServer.run(files: Self.files("ntlm", port: backEnd.port)) { (server) async throws in
            for (name, expected) in [("HOUSE/ann", #"HOUSE\ann"#), (#"HOUSE\\bob"#, #"HOUSE\bob"#)] {
                let client = WireClient(server, device: "d")
                try await client.call("logIn", Self.identity(name, "p"))
                #expect(try await client.call("adapter")["said"] == .string(expected))
                #expect(try await client.call("server")["said"] == #"\server"#)
            }
            #expect(backEnd.connections >= 4)
        }
    }

    @Test("fails a call without the user's credentials, and never sends the server's own")
    func nobody() async throws {
        let backEnd = try Self.basicBackEnd()
        try await RunningServer.run(files: Self.files("basic", port: backEnd.port)) { (server) async throws in
            let client = WireClient(server, device: "a")
            let open = try await client.call("open")
            #expect(open["said"] == nil)
            #expect(open.text.contains("its security test names no user realm"))
            try await client.call("logIn", #"[{"userId":"ann"}]"#)
            let bare = try await client.call("adapter")
            #expect(bare.text.contains("has no string 'credentials'"))
            try await client.call("logIn", Self.identity("ann", "line\\nbreak"))
            #expect(try await client.call("adapter").text.contains("a character that HTTP authentication cannot send"))
            #expect(backEnd.requests.value.isEmpty)
        }
    }

    @Test(
        "credentials of an identity are in no log, no error, no audit line, no user info and no page of the management API"
    )
    func hidden() async throws {
        let secret = "Gr\u{FC}n\\\"9"
        let backEnd = try LoopbackServer { _ in .ok("{oops", type: "application/json") }
        let (log, logs) = (LogRecorder(), LogBuffer())
        try await RunningServer.run(
            files: Self.files("basic", port: backEnd.port), log: log, logs: logs
        ) { (server) async throws in
            let client = WireClient(server, device: "a")
            let json = JSONValue.string(secret).text
            let login = #"[{"userId":"ann","credentials":\#(json)}]"#
            #expect(try await client.call("logIn", login)["kept"] == true)
            try await client.call("form")
            try await client.logIn("ann", secret)
            var seen = [try await client.act("getuserinfo").text, try await client.act("init").text]
            seen.append(try await client.call("adapter", "[\(json)]").text)
            seen.append(try await client.call("form").text)
            try await client.call("fail", "[\(json)]")
            for path in ["sessions", "logs", "audit-log", "overview", "adapters/A", "devices", "users"] {
                seen.append(try await server.manage(.GET, path).body)
            }
            let call: JSONValue = ["procedure": "logIn", "parameters": .string(login), "trace": true, "user": "ann"]
            seen.append(try await server.manage(.POST, "adapters/A/invoke", body: call.text).body)
            seen.append(log.text)
            let forms = [
                secret, String(json.dropFirst().dropLast()),
                String(JSONValue.string(json).text.dropFirst(2).dropLast(2)),
            ]
            for text in seen { for form in forms { #expect(!text.contains(form), "\(text.prefix(20_000))") } }
            #expect(log.text.contains("audit: A/logIn was called") && log.text.contains("no good: …"))
        }
    }

    @Test("a back end's cookies of a user are no other user's in the same session, and not the server's")
    func cookies() async throws {
        let backEnd = try LoopbackServer { request in
            let text = request.header("Authorization").flatMap { Data(base64Encoded: String($0.dropFirst(6))) }
            let user = text.map { String(decoding: $0, as: UTF8.self).prefix { $0 != ":" } } ?? ""
            return .ok("\(user) \(request.header("Cookie") ?? "none")", headers: "Set-Cookie: of=\(user); Path=/\r\n")
        }
        try await RunningServer.run(files: Self.files("basic", port: backEnd.port)) { (server) async throws in
            let client = WireClient(server, device: "a")
            #expect(try await client.call("server")["said"] == "server none")
            for name in ["carol", "dave"] {
                try await client.call("logIn", Self.identity(name, "p"))
                #expect(try await client.call("adapter")["said"] == .string("\(name) none"))
                #expect(try await client.call("adapter")["said"] == .string("\(name) of=\(name)"))
                #expect(try await client.call("server")["said"] == "server of=server")
                try await client.act("logout", [("realm", "Adapter")])
            }
        }
    }

    @Test("credentials are hidden however a client writes them, after a logout, and in errors that the client gets")
    func hiddenForms() async throws {
        var files = Self.files("basic", port: 1)
        files["adapters/A/A-impl.js"] = files["adapters/A/A-impl.js"]?.replacing(
            "function fail(text) { throw new Error('no good: ' + text) }",
            with: """
                function fail() {
                    var user = WL.Server.getActiveUser('Adapter');
                    WL.Server.setActiveUser('Adapter', null);
                    WL.Logger.warn('gone', user.credentials, encodeURIComponent(user.credentials));
                    throw new Error('no good: ' + user.credentials);
                }
                """)
        let log = LogRecorder()
        try await RunningServer.run(files: files, log: log) { (server) async throws in
            let client = WireClient(server, device: "a")
            try await client.call("logIn", #"[{"userId":"ann","credentials":"pass\/w\u00F6rd 12"}]"#)
            try await client.call("adapter", #"["pass\/word","pass\/w\u00f6rd 12","\u0070ass/wörd 12"]"#)
            let failed = try await client.call("fail")
            #expect(failed.text.contains("no good: …"))
            for form in ["wörd 12", "u00F6rd", "u00f6rd", "w%C3%B6rd"] {
                #expect(!log.text.contains(form) && !failed.text.contains(form), "\(form): \(log.text)")
            }
            #expect(log.text.contains("gone … …"))
        }
    }

    @Test("a login's password is not kept in a project whose back ends authenticate no user")
    func notKept() async throws {
        var files = Self.files("basic", port: 1)
        files["adapters/A/A.xml"] = files["adapters/A/A.xml"]?.replacing(#" connectAs="endUser""#, with: "")
        files["adapters/A/A-impl.js"] =
            "function form() { return WL.Server.getActiveUser('Form') }\n['basic','adapter','open','server','logIn','fail']"
        for name in ["basic", "adapter", "open", "server", "logIn", "fail"] {
            files["adapters/A/A-impl.js"]? += "\nfunction \(name)() {}"
        }
        try await RunningServer.run(files: files) { (server) async throws in
            let client = WireClient(server, device: "a")
            try await client.call("form")
            try await client.logIn("ann", "secret")
            let user = try await client.call("form")
            #expect(user["userId"] == "ann" && user["credentials"] == nil)
        }
    }
}

/// A back end that responds with the domain and the user of NTLM's third message.
private final class NTLMBackEnd: Sendable {
    private let server: LoopbackServer

    var port: Int { server.port }
    var connections: Int { server.connections }

    init() throws {
        server = try LoopbackServer { request in
            let text = request.header("Authorization")?.split(separator: " ").last.map(String.init) ?? ""
            let message = Data(base64Encoded: text).map { Array($0) } ?? []
            switch message.count > 8 ? message[8] : 0 {
            case 3: return .ok("\(Self.field(28, of: message))\\\(Self.field(36, of: message))")
            case 1:
                return .ok("", status: "401 Unauthorized", headers: "WWW-Authenticate: NTLM \(Self.challenge)\r\n")
            default: return .ok("", status: "401 Unauthorized", headers: "WWW-Authenticate: NTLM\r\n")
            }
        }
    }

    /// The second message, with a challenge of eight bytes.
    private static let challenge: String = {
        var message = Array("NTLMSSP\0".utf8) + [2, 0, 0, 0] + [0, 0, 0, 0, 48, 0, 0, 0] + [0x05, 0x82, 0x08, 0x00]
        message += Array("12345678".utf8) + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 48, 0, 0, 0]
        return Data(message).base64EncodedString()
    }()

    /// Returns the UTF-16 string that a security buffer at an offset of the third message names.
    private static func field(_ offset: Int, of message: [UInt8]) -> String {
        let length = Int(message[offset]) + Int(message[offset + 1]) << 8
        let start = Int(message[offset + 4]) + Int(message[offset + 5]) << 8
        let bytes = Array(message[start..<start + length])
        let isWide =
            bytes.count.isMultiple(of: 2) && bytes.indices.allSatisfy { $0.isMultiple(of: 2) || bytes[$0] == 0 }
        return String(data: Data(bytes), encoding: isWide && !bytes.isEmpty ? .utf16LittleEndian : .utf8) ?? ""
    }
}
