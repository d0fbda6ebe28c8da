import AsyncHTTPClient
import Foundation
import JWTKit
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import PushModel
import PushSandbox

/// A sandbox and a client for its plain HTTP sides, for one test.
struct WebCase {
    struct Reply {
        let status: Int
        let headers: [String: String]
        let body: String

        var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    }

    let sandbox: PushSandbox
    let client: HTTPClient

    static func run(
        _ settings: PushSandbox.Settings = PushSandbox.Settings(), http1Only: Bool = false,
        body: (WebCase) async throws -> Void
    ) async throws {
        let sandbox = try await PushSandbox.start(settings, logger: Logger(label: "test"))
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([
            try NIOSSLCertificate(bytes: Array(sandbox.rootCertificate.utf8), format: .pem)
        ])
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        // A busy machine takes more than the ten seconds of others.
        configuration.timeout.connect = .seconds(120)
        if http1Only { configuration.httpVersion = .http1Only }
        let client = HTTPClient(configuration: configuration)
        let result = await { () async -> (any Error)? in
            do {
                try await body(WebCase(sandbox: sandbox, client: client))
                return nil
            } catch {
                return error
            }
        }()
        try? await client.shutdown()
        await sandbox.stop()
        if let result { throw result }
    }

    var base: String { "https://localhost:\(sandbox.httpPort)" }

    func send(
        _ method: String = "POST", _ url: String, _ headers: [String: String?] = [:], body: [UInt8] = []
    ) async throws -> Reply {
        var request = HTTPClientRequest(url: url)
        request.method = .RAW(value: method)
        for (name, value) in headers { if let value { request.headers.add(name: name, value: value) } }
        if method != "GET" { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await client.execute(request, timeout: .seconds(120))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        return Reply(
            status: Int(response.status.code),
            headers: Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first },
            body: String(buffer: bytes))
    }

    func send(
        _ method: String = "POST", _ url: String, _ headers: [String: String?] = [:], _ body: String
    ) async throws -> Reply {
        try await send(method, url, headers, body: Array(body.utf8))
    }

    func form(_ path: String, _ fields: [String: String]) async throws -> Reply {
        try await send(
            "POST", base + path, ["Content-Type": "application/x-www-form-urlencoded"],
            FormFields.encode(fields.map { ($0, $1) }))
    }
}
