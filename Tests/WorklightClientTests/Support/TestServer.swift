import AdapterRuntime
import Authentication
import Core
import Dispatch
import Foundation
import HTTPServer
import Logging
import PushModel
import Storage
import TestSupport
import Testing
import WorklightClient
import WorklightProject

@testable import Installation
@testable import Server

/// A real server on a free port, on a ``SDKTestProject``.
struct TestServer: Sendable {
    let port: Int
    let scheme: String
    let installation: Installation
    /// The server's log.
    let log: LogRecorder

    static func run(
        _ login: SDKTestProject.Login = .nobody, change: (inout InstallationSettings) -> Void = { _ in },
        _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        let folder = try SDKTestProject.make(login)
        try await run(project: folder.url, change: change, body)
        withExtendedLifetime(folder) {}
    }

    /// With a client.
    static func withClient(
        _ login: SDKTestProject.Login = .nobody, _ body: @Sendable (TestServer, SDKTestClient) async throws -> Void
    ) async throws {
        try await run(login) { server in try await body(server, try server.client()) }
    }

    /// With a client that has connected.
    static func connected(_ body: @Sendable (TestServer, SDKTestClient) async throws -> Void) async throws {
        try await withClient { (server, client) async throws in
            try await client.connect()
            try await body(server, client)
        }
    }

    /// Runs a server on another project. Its data is in a separate folder.
    static func run(
        project: URL, change: (inout InstallationSettings) -> Void = { _ in },
        _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var settings = InstallationSettings(project: project)
        settings.data = folder.url
        settings.port = 0
        settings.contextRoot = "/wl"
        // When the process is held up between a client's connection and its request, the server may continue first.
        settings.transport.handshakeTime = .noLimit
        settings.transport.headerTime = .noLimit
        settings.transport.bodyIdleTime = .noLimit
        change(&settings)
        let log = LogRecorder()
        let installation = try await Installation(opening: settings, logger: log.logger, time: SystemTime())
        try #require(installation.problems.filter { $0.severity == .error } == [])
        let (urls, yield) = AsyncStream<String>.makeStream()
        let server = LamplighterServer(installation, logger: log.logger) { url, _ in yield.yield(url) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            guard let text = await urls.first(where: { _ in true }), let url = URL(string: text), let port = url.port
            else {
                return
            }
            try await body(
                TestServer(port: port, scheme: url.scheme ?? "http", installation: installation, log: log))
            group.cancelAll()
        }
        await installation.close()
        withExtendedLifetime(folder) {}
    }

    func settings(environment: String = "iOSnative") -> WorklightSettings {
        WorklightSettings(
            scheme: scheme, host: "127.0.0.1", port: port, context: "/wl", applicationID: "MyNative",
            environment: environment, requestTimeout: .noLimit)
    }

    /// Makes a client with a separate device.
    func client(environment: String = "iOSnative") throws -> SDKTestClient {
        try SDKTestClient(settings(environment: environment))
    }

    /// Decides for version 1.0 of the application, as the operator does.
    func setRule(_ access: ApplicationRule.Access, message: String, downloadLink: String? = nil) throws {
        _ = try installation.security.rules.set(
            ApplicationRule(
                applicationID: "MyNative", environment: "iOSnative", version: "1.0", access: access, message: message,
                downloadLink: downloadLink, checksum: nil, messageID: nil, updatedAt: installation.time.now))
    }

    /// Calls a procedure as a back end.
    func call(_ adapter: String, _ procedure: String, _ parameters: JSONValue...) async throws -> JSONValue {
        let result = await installation.runtime.invoke(
            adapter: adapter, procedure: procedure, parameters: JSONValue.array(parameters).text, caller: Caller())
        return try JSONValue(parsing: result.json)
    }

    /// Returns the subscriptions of a user's devices.
    func devices(of user: String) async throws -> [JSONValue] {
        try await call("PushAdapter", "devices", "PushEventSource", .string(user))["devices"]?.array ?? []
    }
}

/// A client, and what it keeps.
struct SDKTestClient: Sendable {
    let client: WLClient
    let folder: TemporaryFolder
    let queue = DispatchQueue(label: "test callbacks")
    static let key = DispatchSpecificKey<Bool>()

    init(_ settings: WorklightSettings, folder: TemporaryFolder? = nil, trustRoots: TrustRoots? = nil) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        client = WLClient(settings: settings, folder: folder.url, trustRoots: trustRoots)
        queue.setSpecific(key: Self.key, value: true)
        client.callbackQueue = queue
    }

    /// Waits for the call of a delegate.
    func outcome(_ call: (WLClient, any WLDelegate) -> Void) async throws -> Outcome {
        let delegate = RecordingDelegate()
        call(client, delegate)
        return try await delegate.outcome()
    }

    func response(_ call: (WLClient, any WLDelegate) -> Void) async throws -> WLResponse {
        try await outcome(call).response()
    }

    func failure(_ call: (WLClient, any WLDelegate) -> Void) async throws -> WLFailResponse {
        try await outcome(call).failure()
    }

    @discardableResult
    func connect() async throws -> WLResponse {
        try await response { $0.wlConnect(with: $1) }
    }

    func invoke(_ procedure: String, _ parameters: [Any] = [], options: [AnyHashable: Any] = [:]) async throws
        -> Outcome
    {
        let data: WLProcedureInvocationData! = .init(adapter: "demoAdapter", procedure: procedure)
        data.setParameters(parameters)
        return try await outcome { $0.invokeProcedure(data, with: $1, options: options) }
    }
}
