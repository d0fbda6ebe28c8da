import Core
import Foundation
import HTTPTransfer
import JWTKit
import Logging
import PushSandbox
import TestSupport

/// A sandbox and a client for its plain HTTP sides, for one test.
struct WebCase {
    struct Reply {
        let status: Int
        let headers: [String: String]
        let body: String

        var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    }

    let sandbox: PushSandbox
    let client: TransferClient

    static func run(
        _ settings: PushSandbox.Settings = PushSandbox.Settings(), http1Only: Bool = false,
        body: (WebCase) async throws -> Void
    ) async throws {
        let sandbox = try await PushSandbox.start(settings, logger: Logger(label: "test"))
        var transfers = TransferClient.Settings()
        transfers.trust = .only(pem: sandbox.rootCertificate)
        // A busy machine takes more than the ten seconds of others.
        transfers.connectTimeout = .noLimit
        transfers.offersHTTP2 = !http1Only
        let client = TransferClient(transfers)
        let result = await { () async -> (any Error)? in
            do {
                try await body(WebCase(sandbox: sandbox, client: client))
                return nil
            } catch {
                return error
            }
        }()
        client.close()
        await sandbox.stop()
        if let result { throw result }
    }

    var base: String { "https://localhost:\(sandbox.httpPort)" }

    func send(
        _ method: String = "POST", _ url: String, _ headers: [String: String?] = [:], body: [UInt8] = []
    ) async throws -> Reply {
        let answer = try await client.send(
            TransferRequest(
                method, url: url, headers: headers.compactMap { name, value in value.map { (name, $0) } },
                body: method == "GET" ? nil : body, timeout: .noLimit))
        return Reply(
            status: answer.status,
            headers: Dictionary(answer.head.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first },
            body: answer.text)
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
