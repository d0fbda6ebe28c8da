import AdapterRuntime
import Authentication
import Core
import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import NIOHTTP1
import PushModel
import TestSupport
import Testing

@testable import ClientProtocol
@testable import Installation
@testable import Management
@testable import Server

/// Walks all endpoints as every kind of caller, and holds what comes back against the table of docs/security.md.
@Suite("The table of who may call what")
struct WhoMayCallTests {
    /// The columns of the table.
    enum Caller: String, CaseIterable {
        case anybody, page, client, token, gateway, backEnd = "back end", developer, manager

        /// True if the caller sends the cookies of a session.
        var hasSession: Bool { self == .page || self == .client }
    }

    struct Endpoint {
        /// The label in the table.
        let label: String
        let method: HTTPMethod
        let path: String
        var fields: [(String, String)] = []
        /// Lines of name and value, besides those of the caller.
        var headers: [String] = []
    }

    /// The cells of the table, by label.
    private static func table() throws -> [String: [Caller: Bool]] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/security.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| endpoint |") })
        #expect(cells(lines[start]).dropFirst().map { $0 } == Caller.allCases.map(\.rawValue))
        var table: [String: [Caller: Bool]] = [:]
        for line in lines[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
            let cells = cells(line)
            try #require(cells.count == Caller.allCases.count + 1)
            let answers = zip(Caller.allCases, cells.dropFirst()).map { caller, cell in
                #expect(["yes", "no"].contains(cell), "\(line)")
                return (caller, cell == "yes")
            }
            // The words after the comma say where they are.
            for match in (cells[0].split(separator: ", ").first ?? "").matches(of: /`([^`]+)`/) {
                let label = String(match.1)
                #expect(table[label] == nil, "\(label)")
                table[label] = Dictionary(uniqueKeysWithValues: answers)
            }
        }
        return table
    }

    private static func cells(_ line: Substring) -> [String] {
        line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Every endpoint that there is, as the code has them. A new kind of path does not compile here.
    ///
    /// - Parameter message: the id of one that was sent.
    private static func endpoints(_ server: RunningServer, message: String) throws -> [Endpoint] {
        let root = "/apps/services/api/App/desktopbrowser/"
        var paths = ApplicationAction.allCases.map { root + $0.rawValue }
        paths += ClientService.allCases.map { "/apps/services/\($0.rawValue)" }
        paths += ["/invoke", "/dev/invoke", "/adapters/A/echo", "/oauth/token"]
        paths += AuthorizationEndpoint.allCases.map { "/authorization/v1/\($0.rawValue)" }
        paths += WebPushResource.allCases.map { "/lamplighter/\($0.rawValue)" }
        paths += PhoneGatewayService.allCases.map { "/\($0.rawValue)" }
        paths += ["www/App/desktopbrowser/", "preview/App/desktopbrowser/1.0/"].map { "/apps/services/\($0)index.html" }
        let call = [("adapter", "A"), ("procedure", "echo")]
        var endpoints = try paths.map { path in
            let wire = try #require(ClientPathCache(contextRoot: "").path(path))
            switch wire {
            case .application(_, _, let action):
                return Endpoint(label: action, method: .POST, path: path, fields: action == "query" ? call : [])
            case .service(let name): return Endpoint(label: name, method: .POST, path: path)
            case .invoke: return Endpoint(label: "/invoke", method: .POST, path: path, fields: call)
            case .developmentInvoke: return Endpoint(label: "/dev/invoke", method: .POST, path: path, fields: call)
            case .adapter: return Endpoint(label: "/adapters/ADAPTER/PROCEDURE", method: .POST, path: path)
            case .authorization(let path_): return Endpoint(label: path_, method: .POST, path: path)
            case .tokenEndpoint:
                return Endpoint(
                    label: "/oauth/token", method: .POST, path: path, fields: [("grant_type", "client_credentials")],
                    headers: ["wl-oauth-client: WLapp App:desktopbrowser"])
            case .webPush(let resource):
                let fields = [("application", "App"), (WebPushResource.subscriptionField, "{}")]
                return Endpoint(label: resource.rawValue, method: .POST, path: path, fields: fields)
            case .webApp(let file):
                let label = file.kind == .www ? "www/APP/ENVIRONMENT/…" : "preview/APP/ENVIRONMENT/VERSION/…"
                return Endpoint(label: label, method: .GET, path: path)
            case .phoneGateway(let service, _):
                return Endpoint(label: service.rawValue, method: .POST, path: path, fields: [("shortcode", "1")])
            }
        }
        let installation = server.installation
        let router = Routes(
            api: ManagementAPI(installation),
            access: ManagementAccess(
                key: "", store: installation.store, sessions: installation.security.accounts.sessions,
                time: installation.time),
            live: LivePages(sessions: installation.security.accounts.sessions, time: installation.time)
        ).router()
        // Accounts of the console are not among these callers; see `ConsoleTests`.
        for route in router.routes where !["management", "console"].contains(where: "\(route.path)".contains) {
            let trimmed = "\(route.path)".drop { $0 == "/" }
            endpoints.append(
                Endpoint(
                    label: trimmed.isEmpty ? "/" : String(trimmed), method: HTTPMethod(rawValue: route.method.rawValue),
                    path: "/\(trimmed)"))
        }
        // `ManagementRouteTests` walk all of them.
        endpoints.append(
            Endpoint(label: "management/v1/…", method: .GET, path: "/management/v1/messages/\(message)"))
        return endpoints
    }

    /// Sends a request as a caller does.
    private static func ask(
        _ server: RunningServer, _ endpoint: Endpoint, as caller: Caller, _ client: WireClient, token: String
    ) async throws -> Int {
        let form = FormFields.encode(endpoint.fields)
        var headers = ["Content-Type: application/x-www-form-urlencoded"] + endpoint.headers
        let cookies = "Cookie: " + client.cookies.map { "\($0)=\($1)" }.joined(separator: "; ")
        let address = "X-Forwarded-For: \(caller == .gateway ? "192.0.2.77" : "198.51.100.1")"
        switch caller {
        case .anybody, .gateway: headers.append(address)
        case .page: headers += [address, cookies, "Origin: http://evil.example", "Sec-Fetch-Site: cross-site"]
        case .client:
            headers += [
                address, cookies, "WL-Instance-Id: \(client.instanceID ?? "")", "X-Requested-With: XMLHttpRequest",
                "x-wl-app-version: 1.0",
            ]
        case .token: headers += [address, "Authorization: \(token)"]
        case .backEnd: headers += [address, "Authorization: Bearer right-back-end-token"]
        case .developer: headers.append("Authorization: Bearer \(try server.developmentKey)")
        case .manager: headers.append("Authorization: Bearer \(server.note.managementKey)")
        }
        let answer = try await server.sendRaw(endpoint.method.rawValue, endpoint.path, headers: headers, body: form)
        return Int(answer.dropFirst(9).prefix(3)) ?? 0
    }

    @Test("is what the server does", .defaultTimeLimit, arguments: WireProtocol.any)
    func walk(version: WireProtocol) async throws {
        let table = try Self.table()
        let (proxies, gateways) = (try TrustedProxies(["127.0.0.1"]), try TrustedProxies(["192.0.2.77"]))
        var files = AttackedProject.files
        for kind in ["www", "preview"] { files["apps/App/desktopBrowser/\(kind)/default/index.html"] = "<p>page</p>" }
        files["adapters/A/A-impl.js"]? += """
            WL.Server.setEventHandlers([WL.Server.createUSSDEventHandler({ shortcode: '1' }, function () {
                return WL.Server.createUSSDResponse('x', 'text/plain', true);
            })]);
            """
        try await RunningServer.run(
            files: files, over: version,
            change: {
                $0.trustedProxies = proxies
                $0.phoneGateways = gateways
                $0.backEnds.token = "right-back-end-token"
            }
        ) { (server) async throws in
            let token = try await TokenClient(server).token().bearer
            // `composite` responds with the checksum of the application's version, and 404 without one.
            try server.setRule(application: "App", environment: "desktopbrowser", access: .active, checksum: 4242)
            let sent = try await server.manage(
                .POST, "messages", body: #"{"application":"App","message":{"alert":"Hi"}}"#)
            let message = try #require(try JSONValue(parsing: sent.body)["id"]?.string)
            let endpoints = try Self.endpoints(server, message: message)
            #expect(Set(endpoints.map(\.label)) == Set(table.keys))
            for endpoint in endpoints {
                for caller in Caller.allCases {
                    // A request of one caller must not count as another's proof.
                    let client = WireClient(server)
                    client.headers = [("X-Forwarded-For", "198.51.100.1")]
                    if caller.hasSession { try await client.act("heartbeat") }
                    let status = try await Self.ask(server, endpoint, as: caller, client, token: token)
                    let isRefused = [0, 401, 403, 404, 429].contains(status)
                    #expect(
                        table[endpoint.label]?[caller] == !isRefused,
                        "\(endpoint.method.rawValue) \(endpoint.path) as \(caller.rawValue): \(status)")
                }
            }
        }
    }
}
