import Core
import Foundation
import Synchronization
import TestSupport
import WorklightProject

@testable import BackEndHTTP

/// A back end on loopback that is asked as an adapter would.
final class TestBackEnd: Sendable {
    private static let threads = ThreadPool(name: "script", threads: .max)

    let backEnd: HTTPBackEnd
    let jar = CookieJar()

    init(
        port: Int, security: BackEndSecurity = BackEndSecurity(), folder: URL? = nil, limit: Int = 64 << 20,
        idleTimeout: Duration = .noLimit, redirectHosts: Set<String> = [],
        _ change: (inout HTTPConnectionPolicy) -> Void = { _ in }
    ) throws {
        var policy = HTTPConnectionPolicy()
        policy.domain = "127.0.0.1"
        policy.port = port
        // Limits that only a fault reaches, where a test is not about them.
        (policy.connectionTimeout, policy.socketTimeout) = (Duration.noLimitMilliseconds, Duration.noLimitMilliseconds)
        change(&policy)
        backEnd = try HTTPBackEnd(
            policy: policy, security: security, adapterFolder: folder, maximumResponseSize: limit,
            idleTimeout: idleTimeout, redirectHosts: redirectHosts)
    }

    /// The thread that polls; in the server the threads of scripts do.
    private static let poller: Void = {
        Thread { while true { TransferLoop.shared.poll(upTo: 1000) } }.start()
    }()

    deinit { backEnd.close() }

    func send(
        _ request: BackEndRequest, jar: CookieJar? = nil, deadline: Duration = .noLimit,
        isGivenUp: (@Sendable () -> Bool)? = nil
    ) async -> BackEndOutcome {
        Self.poller
        let exchange = await withCheckedContinuation { continuation in
            backEnd.begin(
                request,
                BackEndExchange.Options(cookies: jar ?? self.jar, deadline: deadline, isGivenUp: isGivenUp)
            ) { continuation.resume(returning: $0) }
        }
        return await Self.threads.run { [self] in
            let outcome = backEnd.convert(exchange)
            // As the engine would find it.
            if case .response(let response) = outcome, let failure = response.check() { return .failure(failure) }
            return outcome
        }
    }

    func get(_ path: String = "/", jar: CookieJar? = nil, deadline: Duration = .noLimit) async throws
        -> BackEndOutcome
    {
        try await send(BackEndRequest(method: "get", path: path), jar: jar, deadline: deadline)
    }
}

extension BackEndOutcome {
    var content: BackEndResponse.Content? {
        if case .response(let response) = self { response.content } else { nil }
    }

    var text: String? {
        if case .text(let text)? = content { text } else { nil }
    }

    var json: String? {
        switch content {
        case .object(let json), .array(let json): json.text
        default: nil
        }
    }

    var message: String {
        if case .failure(let failure) = self { failure.message } else { "(no failure)" }
    }

    var status: Int? {
        switch self {
        case .response(let response): response.head.statusCode
        case .failure(let failure): failure.head?.statusCode
        }
    }
}

/// Responds with a fixed body to a request, and returns the outcome of the request.
func answer(
    _ body: [UInt8], type: String, headers: String = "", status: String = "200 OK", limit: Int = 64 << 20,
    folder: URL? = nil, request: BackEndRequest? = nil, deadline: Duration = .noLimit
) async throws -> BackEndOutcome {
    let server = try LoopbackServer { _ in .bytes(body, type: type, status: status, headers: headers) }
    let backEnd = try TestBackEnd(port: server.port, folder: folder, limit: limit)
    return try await backEnd.send(request ?? BackEndRequest(method: "get", path: "/"), deadline: deadline)
}

func answer(_ body: String, type: String, folder: URL? = nil, request: BackEndRequest? = nil) async throws
    -> BackEndOutcome
{
    try await answer(Array(body.utf8), type: type, folder: folder, request: request)
}

/// Returns the value of a Python expression over `d`, the bytes of `text`: for compressed bodies.
func python(_ text: String, _ expression: String) async throws -> [UInt8] {
    try await shell("python3 -c \"import gzip,zlib,sys;d=b'\(text)';sys.stdout.buffer.write(\(expression))\"")
}
