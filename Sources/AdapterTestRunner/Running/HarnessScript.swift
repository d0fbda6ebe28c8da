import AdapterRuntime
import Core
import Foundation
import JavaScriptEngine
import LamplighterTesting
import PushModel
import Synchronization
import WorklightProject

/// The operations of the harness that harness.js calls by name.
final class HarnessScript: Sendable {
    let harness: AdapterHarness
    /// Calls the function of a stub, by its number, and returns its response to a request. Both are JSON.
    private let ask: @Sendable (Int, String) throws -> String
    private let clients = Mutex<[HarnessClient]>([])
    /// The ids of the sessions that have ended.
    private let ended = Mutex<Set<String>>([])
    /// The number of the first client.
    private let firstClient: Int

    init(
        _ harness: AdapterHarness, firstClient: Int, ask: @escaping @Sendable (Int, String) throws -> String
    ) {
        self.harness = harness
        self.firstClient = firstClient
        self.ask = ask
    }

    var clientCount: Int { clients.withLock { $0.count } }

    /// Performs an operation.
    ///
    /// - Returns: the result; `nil` for undefined.
    /// - Throws: the errors of the harness; `HostError` for invalid values.
    func perform(_ what: String, _ values: JSONValue) async throws -> JSONValue? {
        switch what {
        case "call":
            let (procedure, arguments) = (try text("procedure", values), values["arguments"]?.array ?? [])
            guard values["client"] == nil else {
                return try await calling(values).call(procedure: procedure, arguments: arguments)
            }
            return try await harness.call(procedure, arguments, caller: caller(values))
        case "reply":
            let (procedure, arguments) = (try text("procedure", values), values["arguments"]?.array ?? [])
            guard values["client"] == nil else {
                return try await calling(values).reply(procedure: procedure, arguments: arguments)
            }
            return try await harness.reply(procedure, arguments, caller: caller(values))
        case "evaluate":
            return try await harness.evaluate(text("expression", values), in: values["adapter"]?.string)
        case "advance":
            let runs = try await harness.advance(
                by: .seconds(min(values["seconds"]?.number ?? 0, 1e9)),
                toleratingFailures: values["tolerateFailures"] == .bool(true),
                adapters: values["adapters"]?.string.flatMap(PolledAdapters.init) ?? .own)
            return .array(runs.map(\.json))
        case "now": return .number(harness.clock.now.timeIntervalSince1970 * 1000)
        case "elapsed": return .number(harness.clock.elapsed)
        case "polls": return .array(harness.pollRuns.map(\.json))
        case "log": return .array(harness.log.filter { $0.adapter != nil }.map(\.json))
        case "sent": return .array(try harness.sent.map(\.json))
        case "clearSent":
            try harness.clearSent()
            return nil
        case "stub", "forward", "requests", "clearRequests": return try performBackEnd(what, values)
        case "execute":
            return .number(
                Double(
                    try harness.database(adapter(values))
                        .execute(text("statement", values), values["parameters"]?.array ?? [])))
        case "query":
            return .array(
                try harness.database(adapter(values))
                    .query(text("statement", values), values["parameters"]?.array ?? []))
        default: return try await performPeople(what, values)
        }
    }

    private func performPeople(_ what: String, _ values: JSONValue) async throws -> JSONValue? {
        switch what {
        case "user": return add(harness.user(try text("name", values)))
        case "client" where values["client"] == nil: return add(harness.client())
        case "receiveSMS", "ussd": return try await performGateway(what, values)
        case "login":
            try client(values, inSession: true).login(text("realm", values), values["identity"] ?? .null)
            return nil
        case "logout":
            try client(values, inSession: true).logout(values["realm"]?.string)
            return nil
        case "identity": return try client(values, inSession: true).identity(in: text("realm", values)) ?? .null
        case "authenticator", "loginModule":
            let (client, realm, function) = (
                try calling(values), try text("realm", values), try text("function", values)
            )
            let arguments = values["arguments"]?.object ?? [:]
            return what == "authenticator"
                ? try await client.authenticator(of: realm, function, arguments)
                : try await client.loginModule(of: realm, function, arguments)
        case "transmit":
            return .number(
                Double(try await calling(values).transmit(values["events"]?.array ?? [])))
        case "end":
            let client = try client(values)
            await client.end()
            _ = ended.withLock { $0.insert(client.session.id) }
            return nil
        case "device":
            _ = try device(values)
            return nil
        case "subscribe":
            let options = values["options"] ?? ["alert": true, "badge": true, "sound": true]
            try await device(values).subscribe(
                to: text("eventSource", values), alias: values["alias"]?.string, options: options,
                toleratingFailures: values["tolerateFailures"] == .bool(true))
            return nil
        case "unsubscribe":
            return .bool(
                try await device(values).unsubscribe(
                    from: text("eventSource", values), toleratingFailures: values["tolerateFailures"] == .bool(true)))
        case "register":
            try device(values).register()
            return nil
        case "subscribeToTag":
            try device(values).subscribe(toTag: text("tag", values))
            return nil
        case "token": return .string(try device(values).token.value)
        default: throw HostError("harness has no '\(what)'")
        }
    }

    private func performGateway(_ what: String, _ values: JSONValue) async throws -> JSONValue {
        let parameters = values["parameters"]?.object ?? [:]
        guard what == "ussd" else { return .number(Double(try await harness.receiveSMS(parameters))) }
        let answer = try await harness.ussd(
            parameters, path: values["path"]?.string ?? "", headers: values["headers"]?.object ?? [:],
            body: values["body"]?.string ?? "")
        guard let answer else { return .null }
        return [
            "content": .string(answer.content), "contentType": .string(answer.contentType),
            "isLastMsg": .bool(answer.isLast),
        ]
    }

    private func performBackEnd(_ what: String, _ values: JSONValue) throws -> JSONValue? {
        let stub = harness.backEnd(try adapter(values))
        switch what {
        case "requests": return .array(stub.requests.map(\.json))
        case "clearRequests": stub.clearRequests()
        case "forward":
            guard let url = URL(string: try text("url", values)), ["http", "https"].contains(url.scheme),
                url.host() != nil
            else { throw HostError("forward: expected an address such as http://127.0.0.1:8080") }
            stub.forward(to: url)
        default:
            let (method, path) = (try text("method", values), try text("path", values))
            if let number = values["number"]?.number {
                stub.onThread(method, path) { [ask] request in
                    try StubbedAnswer(script: JSONValue(parsing: ask(Int(number), request.json.text)))
                }
            } else {
                stub.on(method, path, (values["answers"]?.array ?? []).map(StubbedAnswer.init(script:)))
            }
        }
        return nil
    }

    private func add(_ client: HarnessClient) -> JSONValue {
        clients.withLock { clients in
            clients.append(client)
            return .number(Double(firstClient + clients.count - 1))
        }
    }

    /// Returns the client with the number in `values`.
    ///
    /// - Parameter inSession: whether the client's session must not have ended.
    /// - Throws: `HostError`.
    private func client(_ values: JSONValue, inSession: Bool = false) throws -> HarnessClient {
        let clients = clients.withLock { $0 }
        guard let number = values["client"]?.number, clients.indices.contains(Int(number) - firstClient) else {
            throw HostError("this user is of another test: ask this test's harness for one")
        }
        let client = clients[Int(number) - firstClient]
        if inSession, ended.withLock({ $0.contains(client.session.id) }) {
            throw HostError("this session has ended: harness.user(…) and harness.client() begin new ones")
        }
        return client
    }

    /// Returns a caller without a session.
    private func caller(_ values: JSONValue) -> Caller {
        values["request"].map { Caller(request: ClientRequest(script: $0, path: "/invoke")) } ?? .backEnd
    }

    /// Returns a client whose session has not ended, with the request of its calls.
    private func calling(_ values: JSONValue) throws -> HarnessClient {
        let client = try client(values, inSession: true)
        return values["request"].map { client.withRequest(ClientRequest(script: $0, path: "/test")) } ?? client
    }

    private func device(_ values: JSONValue) throws -> HarnessDevice {
        let name = try text("platform", values)
        guard let platform = Platform(name) else {
            throw HostError("'\(name)' is not a platform; expected \(Platform.list(Platform.allCases))")
        }
        let device = try client(values).device(
            text("id", values), platform: platform, application: values["application"]?.string)
        try device.checkApplication()
        return device
    }

    /// Returns the adapter in `values`; `nil` without one.
    private func adapter(_ values: JSONValue) throws -> String? {
        guard let name = values["adapter"]?.string else { return nil }
        return try harness.adapterName(name)
    }

    private func text(_ key: String, _ values: JSONValue) throws -> String {
        guard let text = values[key]?.string else {
            throw HostError("'\(key)' must be a string, got \(values[key]?.kind ?? "nothing")")
        }
        return text
    }
}
