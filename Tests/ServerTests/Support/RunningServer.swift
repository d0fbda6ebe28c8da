import AdapterRuntime
import Core
import Foundation
import HTTPServer
import HTTPTransfer
import JavaScriptEngine
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import TestSupport
import Tokens

@testable import Installation
@testable import Management
@testable import Server

/// A server on a free port of this machine, with a real store.
struct RunningServer: Sendable {
    /// It follows no redirect, as the SDKs do not, and takes the certificates that test servers make for themselves.
    static let http = {
        var settings = TransferClient.Settings()
        settings.trust = .everybody
        settings.connectTimeout = .noLimit
        settings.connections = 100
        settings.offersHTTP2 = true
        return TransferClient(settings)
    }()

    let url: String
    /// The address of the console's port; `nil` without one.
    let consoleURL: String?
    let installation: Installation
    let note: DataFolder.ServerNote
    /// The protocol of the test's clients.
    let version: WireProtocol

    /// The port on which it listens.
    var port: Int { URL(string: url)?.port ?? 0 }

    /// Runs `body` against a server on a project of one adapter, `A`.
    static func run(
        script: String, in folder: TemporaryFolder? = nil, change: (inout InstallationSettings) -> Void = { _ in },
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let files = ["adapters/A/A.xml": adapterXML("A"), "adapters/A/A-impl.js": script]
        try await run(files: files, in: folder, change: change, body)
    }

    /// Runs `body` against a server on a project of these files.
    ///
    /// - Parameters:
    ///   - version: how clients come; for HTTP/2 the server gets a certificate.
    ///   - log: records the server's log; nothing does without one.
    static func run(
        files: [String: String], in folder: TemporaryFolder? = nil, over version: WireProtocol = .http1,
        time: any TimeSource = SystemTime(), log: LogRecorder? = nil, logs: LogBuffer = LogBuffer(),
        change: (inout InstallationSettings) -> Void = { _ in },
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let folder = try folder ?? TemporaryFolder()
        for (path, text) in files { try folder.write(text, to: path) }
        try await run(project: folder, over: version, time: time, log: log, logs: logs, change: change, body)
    }

    /// Runs `body` against a server on a project.
    ///
    /// - Parameters:
    ///   - version: how clients come; for HTTP/2 the server gets a certificate.
    ///   - log: records the server's log; nothing does without one.
    static func run(
        project folder: TemporaryFolder, over version: WireProtocol = .http1, time: any TimeSource = SystemTime(),
        log: LogRecorder? = nil, logs: LogBuffer = LogBuffer(),
        change: (inout InstallationSettings) -> Void = { _ in },
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        var settings = InstallationSettings(project: folder.url)
        settings.port = 0
        // Many servers run at once in tests, and wait for each other. A test of these times sets its own.
        settings.transport.handshakeTime = .noLimit
        settings.transport.headerTime = .noLimit
        settings.transport.bodyIdleTime = .noLimit
        settings.transport.bodyTimePerMegabyte = .noLimit
        settings.transport.keepAliveTime = .noLimit
        settings.transport.stalledResponseTime = .noLimit
        settings.transport.lingerTime = .noLimit
        settings.storePatience = .noLimit
        settings.runtime.calls.wallClock = .noLimit
        (settings.runtime.loading.wallClock, settings.runtime.loading.cpuTime) = (.noLimit, .noLimit)
        // As long as a refused login waits, otherwise, and tests count who sleeps that long.
        settings.runtime.scopes.idleTime = .noLimit
        let certificates = version == .http2 ? try TestCertificates() : nil
        settings.tls = certificates.map { .init(certificate: $0.path("a.pem"), key: $0.path("a.key")) }
        change(&settings)
        try TestCertificates.giveServerKey(to: settings.dataFolder)
        let logger = log?.logger ?? Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let installation = try await Installation(opening: settings, logger: logger, time: time)
        let (urls, yield) = AsyncStream<(server: String, console: String?)>.makeStream()
        let server = LamplighterServer(installation, logger: logger, logs: logs) { yield.yield(($0, $1)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            guard let url = await urls.first(where: { _ in true }),
                let note = DataFolder.serverNote(in: settings.dataFolder)
            else { return }
            try await body(
                RunningServer(
                    url: url.server, consoleURL: url.console, installation: installation, note: note, version: version))
            group.cancelAll()
        }
        await installation.close()
        withExtendedLifetime((folder, certificates)) {}
    }

    func send(
        _ method: HTTPMethod = .GET, _ path: String, body: String? = nil, type: String = "application/json",
        key: String? = nil, headers: [(String, String)] = []
    ) async throws -> (status: Int, body: String, headers: HTTPHeaders) {
        var request = TransferRequest(
            method.rawValue, url: url + path, headers: headers.map { ($0, $1) }, timeout: .noLimit)
        if let key { request.headers.append(("Authorization", "Bearer \(key)")) }
        if let body {
            request.headers.append(("Content-Type", type))
            request.body = Array(body.utf8)
        }
        let answer = try await Self.http.send(request)
        return (answer.status, answer.text, HTTPHeaders(answer.head.headers.map { ($0, $1) }))
    }

    /// The key of development mode, as a developer takes it from the data folder.
    var developmentKey: String {
        get throws {
            let file = installation.settings.dataFolder.appending(path: "development-key")
            return try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// Calls ``send(_:_:body:type:key:)`` with the key of development mode.
    func develop(
        _ method: HTTPMethod = .GET, _ path: String, body: String? = nil, type: String = "application/json"
    ) async throws -> (status: Int, body: String, headers: HTTPHeaders) {
        try await send(method, path, body: body, type: type, key: try developmentKey)
    }

    /// The first page of a list of the management API.
    func items(_ path: String) async throws -> [JSONValue] {
        try JSONValue(parsing: try await manage(.GET, path).body)["items"]?.array ?? []
    }

    /// Calls ``send(_:_:body:type:key:)`` for the management API, with the key of `server.json`.
    func manage(_ method: HTTPMethod = .GET, _ path: String, body: String? = nil) async throws -> (
        status: Int, body: String, headers: HTTPHeaders
    ) {
        try await send(method, "/management/v1/\(path)", body: body, key: note.managementKey)
    }
}
