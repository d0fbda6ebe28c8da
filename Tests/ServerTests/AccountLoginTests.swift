import Core
import Crypto
import Foundation
import HTTPTransfer
import NIOHTTP1
import TestSupport
import Testing

@testable import Installation

@Suite("Accounts at a directory or a provider", .serialized)
struct AccountLoginTests {
    private static let files = ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": "function run() {}"]

    private static func logIn(_ server: RunningServer, _ name: String, _ password: String) async throws -> (
        Int, JSONValue
    ) {
        let body: JSONValue = ["account": .string(name), "password": .string(password)]
        let answer = try await server.send(.POST, "/management/v1/login", body: body.text)
        return (answer.status, try JSONValue(parsing: answer.body))
    }

    @Test("An LDAP account gets the highest role whose filter finds it; without one it is refused")
    func ldap() async throws {
        let directory = try LDAPServer.shared()
        var ldap = LDAPAccountSettings(url: directory.url)
        // The most that the login module takes.
        ldap.timeout = .seconds(600)
        ldap.principal = "uid={username},ou=people,dc=example,dc=com"
        ldap.base = "dc=example,dc=com"
        ldap.filters = [
            .monitor: "(uid={username})", .deployer: "(&(uid={username})(employeeType=sales))",
            .admin: "(&(uid={username})(employeeType=chief))",
        ]
        try await RunningServer.run(files: Self.files, change: { $0.ldapAccounts = ldap }) { (server) async throws in
            #expect(try await Self.logIn(server, "bob", "builder-7").1["role"] == "deployer")
            #expect(try await Self.logIn(server, "alice", "wonder-land-1").1["role"] == "monitor")
            #expect(try await Self.logIn(server, "bob", "wrong").0 == 401)
            // An account of the file is not searched for in the directory.
            let body = #"{"name":"alice","role":"admin","password":"a password of the file"}"#
            #expect(try await server.manage(.POST, "accounts", body: body).status == 201)
            #expect(try await Self.logIn(server, "alice", "wonder-land-1").0 == 401)
            #expect(try await Self.logIn(server, "alice", "a password of the file").1["role"] == "admin")
        }
        ldap.filters[.monitor] = nil
        try await RunningServer.run(files: Self.files, change: { $0.ldapAccounts = ldap }) { (server) async throws in
            #expect(try await Self.logIn(server, "alice", "wonder-land-1").0 == 401)
        }
    }

    @Test("A directory that does not respond gets status 503, and the server's log has the reason")
    func noDirectory() async throws {
        var ldap = LDAPAccountSettings(url: "ldap://127.0.0.1:1")
        ldap.principal = "uid={username},dc=example,dc=com"
        let log = LogRecorder()
        try await RunningServer.run(files: Self.files, log: log, change: { $0.ldapAccounts = ldap }) {
            (server) async throws in
            #expect(try await Self.logIn(server, "bob", "builder-7").0 == 503)
            #expect(log.messages.contains { $0.hasPrefix("login to the management API: ") })
        }
    }

    @Test("A wrong LDAP setting is a reason not to start")
    func wrongSetting() async throws {
        var ldap = LDAPAccountSettings(url: "ldap://127.0.0.1")
        ldap.principal = "uid=bob,dc=example,dc=com"
        await #expect(throws: (any Error).self) {
            try await RunningServer.run(files: Self.files, change: { $0.ldapAccounts = ldap }) { _ in }
        }
    }

    // MARK: OpenID Connect

    /// A provider that issues identity tokens for one code.
    private final class Provider: Sendable {
        private let key = P256.Signing.PrivateKey()
        /// The claims of the next identity token besides issuer, audience and expiry.
        private let claims = AwaitableValue<JSONObject>([:])
        private let server = AwaitableValue<LoopbackServer?>(nil)
        private let asked = AwaitableValue<[String: String]>([:])

        init() throws {
            let server = try LoopbackServer { [weak self] in self?.answer($0) ?? .nothing }
            self.server.update { $0 = server }
        }

        var issuer: String { "http://127.0.0.1:\(server.value?.port ?? 0)" }
        /// The fields of the last request for a token, with the header Authorization.
        var tokenRequest: [String: String] { asked.value }

        func set(_ claims: JSONObject) { self.claims.update { $0 = claims } }

        private func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
            switch request.target {
            case "/.well-known/openid-configuration":
                return .ok(
                    """
                    {"issuer":"\(issuer)","jwks_uri":"\(issuer)/keys","authorization_endpoint":"\(issuer)/authorize",
                    "token_endpoint":"\(issuer)/token"}
                    """, type: "application/json")
            case "/keys":
                let raw = key.publicKey.rawRepresentation
                let (x, y) = (Base64URL.encode(raw.prefix(32)), Base64URL.encode(raw.suffix(32)))
                return .ok(
                    #"{"keys":[{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)","alg":"ES256"}]}"#,
                    type: "application/json")
            case "/token":
                let form = FormFields(request.body)
                var fields = ["authorization": request.header("Authorization") ?? ""]
                for field in form.all { fields[field.name] = field.value }
                asked.update { [fields] in $0 = fields }
                guard form["code"] == "right-code" else {
                    return .ok(#"{"error":"invalid_grant"}"#, type: "application/json", status: "400 Bad Request")
                }
                return .ok(#"{"id_token":"\#(token())"}"#, type: "application/json")
            default: return .ok("", status: "404 Not Found")
            }
        }

        private func token() -> String {
            var payload: JSONObject = [
                "iss": .string(issuer), "aud": "lamplighter",
                "exp": .number(Date().timeIntervalSince1970.rounded() + 600),
            ]
            for member in claims.value.members { payload[member.key] = member.value }
            let text =
                Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8)) + "."
                + Base64URL.encode(Array(JSONValue.object(payload).text.utf8))
            let signature = try? key.signature(for: Data(text.utf8)).rawRepresentation
            return text + "." + Base64URL.encode(signature ?? Data())
        }
    }

    private static func withProvider(
        _ body: @Sendable (RunningServer, Provider) async throws -> Void
    ) async throws {
        let provider = try Provider()
        var openID = OpenIDAccountSettings(issuer: provider.issuer)
        (openID.clientID, openID.clientSecret) = ("lamplighter", "a secret")
        openID.timeout = .noLimit
        openID.roles = [.operator: "ops", .admin: "chiefs"]
        try await RunningServer.run(
            files: files,
            change: {
                $0.openIDAccounts = openID
                $0.consoleURL = "http://console.example.com/"
            }
        ) { (server) async throws in
            try await body(server, provider)
        }
    }

    /// Begins a login.
    ///
    /// - Returns: the fields of the provider's address, and the cookie.
    private static func begin(_ server: RunningServer) async throws -> (fields: FormFields, cookie: String) {
        let answer = try await server.send(.GET, "/management/v1/login/openid")
        #expect(answer.status == 302)
        let location = try #require(answer.headers["Location"].first)
        let cookie = try #require(answer.headers["Set-Cookie"].first)
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
        return (FormFields(String(location.drop { $0 != "?" }.dropFirst())), String(cookie.prefix { $0 != ";" }))
    }

    private static func finish(
        _ server: RunningServer, code: String = "right-code", state: String?, cookie: String?
    ) async throws -> (Int, JSONValue) {
        let query = FormFields.encode([("code", code), ("state", state ?? "")])
        let answer = try await server.send(
            .GET, "/management/v1/login/openid/callback?\(query)", headers: cookie.map { [("Cookie", $0)] } ?? [])
        return (answer.status, try JSONValue(parsing: answer.body))
    }

    @Test("A login that began at the console ends there, with the session's cookie")
    func console() async throws {
        try await Self.withProvider { (server, provider) async throws in
            for roles: JSONValue in [["ops"], ["nobody"]] {
                let begin = try await server.send(.GET, "/management/v1/login/openid?for=console")
                let location = try #require(begin.headers["Location"].first)
                let cookie = String(try #require(begin.headers["Set-Cookie"].first).prefix { $0 != ";" })
                let fields = FormFields(String(location.drop { $0 != "?" }.dropFirst()))
                provider.set([
                    "preferred_username": "ann", "nonce": .string(fields["nonce"] ?? ""), "groups": roles,
                ])
                let query = FormFields.encode([("code", "right-code"), ("state", fields["state"] ?? "")])
                let end = try await server.send(
                    .GET, "/management/v1/login/openid/callback?\(query)", headers: [("Cookie", cookie)])
                guard roles == ["ops"] else {
                    #expect(end.status == 401 && end.body.contains("has no role here"))
                    continue
                }
                #expect(end.status == 303 && end.headers["Location"] == ["/console"])
                let session = try #require(end.headers["Set-Cookie"].first { $0.hasPrefix("lamplighter-console=") })
                let page = try await server.send(
                    .GET, "/console", headers: [("Cookie", String(session.prefix { $0 != ";" }))])
                #expect(page.status == 200 && page.body.contains("openid:ann"))
            }
        }
    }

    @Test("A login at the provider uses PKCE and a nonce, and sets the session's role")
    func openID() async throws {
        try await Self.withProvider { (server, provider) async throws in
            let (fields, cookie) = try await Self.begin(server)
            #expect(fields["response_type"] == "code" && fields["client_id"] == "lamplighter")
            #expect(fields["redirect_uri"] == "http://console.example.com/management/v1/login/openid/callback")
            #expect(fields["code_challenge_method"] == "S256")
            provider.set([
                "preferred_username": "ann", "nonce": .string(fields["nonce"] ?? ""), "groups": ["staff", "ops"],
            ])
            let (status, session) = try await Self.finish(server, state: fields["state"], cookie: cookie)
            #expect(status == 200 && session["account"] == "openid:ann" && session["role"] == "operator")
            let verifier = try #require(provider.tokenRequest["code_verifier"])
            #expect(Base64URL.encode(SHA256.hash(data: Data(verifier.utf8))) == fields["code_challenge"])
            let basic = "Basic " + Data("lamplighter:a+secret".utf8).base64EncodedString()
            #expect(provider.tokenRequest["authorization"] == basic)
            let me = try await server.send(.GET, "/management/v1/me", key: session["token"]?.string)
            #expect(me.body == #"{"name":"openid:ann","role":"operator"}"#)
            let body = #"{"name":"bob","role":"monitor","password":"a long password"}"#
            #expect(try await server.manage(.POST, "accounts", body: body).status == 201)
            #expect(try await Self.logIn(server, "bob", "a long password").0 == 200)
            #expect(try await server.manage(.DELETE, "logins/openid:ann").body == #"{"ended":1}"#)
            #expect(try await server.send(.GET, "/management/v1/me", key: session["token"]?.string).status == 401)
            let log = try await server.items("audit-log")
            let entry = try #require(log.first { $0["account"] == "openid:ann" })
            #expect(entry["type"] == "Login" && entry["account"] == "openid:ann" && entry["outcome"] == "SUCCESS")
        }
    }

    @Test("A login is refused in another browser, with another state, nonce, code or client, and without a role")
    func openIDRefused() async throws {
        try await Self.withProvider { (server, provider) async throws in
            let (fields, cookie) = try await Self.begin(server)
            let (state, nonce) = (fields["state"], JSONValue.string(fields["nonce"] ?? ""))
            provider.set(["preferred_username": "ann", "nonce": nonce, "groups": "ops"])
            let otherCookie = try await Self.begin(server).cookie
            #expect(try await Self.finish(server, state: state, cookie: nil).0 == 400)
            #expect(try await Self.finish(server, state: state, cookie: otherCookie).0 == 400)
            #expect(try await Self.finish(server, state: "x", cookie: cookie).0 == 400)
            #expect(try await Self.finish(server, code: "wrong", state: state, cookie: cookie).0 == 503)
            for (claims, status) in [
                (["preferred_username": "ann", "nonce": "other", "groups": "ops"], 401),
                (["preferred_username": "ann", "nonce": nonce, "groups": "ops", "aud": "another"], 401),
                (["preferred_username": "ann", "nonce": nonce, "groups": "ops", "exp": 1], 401),
                (["nonce": nonce, "groups": "ops"], 401), (["preferred_username": "ann", "nonce": nonce], 403),
            ] as [(JSONObject, Int)] {
                provider.set(claims)
                let (found, answer) = try await Self.finish(server, state: state, cookie: cookie)
                #expect(found == status && answer["token"] == nil, "\(claims): \(answer.text)")
            }
        }
    }
}
