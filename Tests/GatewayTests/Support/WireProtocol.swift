import NIOHTTP1
import TestSupport
import Testing

/// The versions of HTTP over which clients come.
enum WireProtocol: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case http1 = "HTTP/1.1"
    /// Over TLS, as everywhere.
    case http2 = "HTTP/2"

    var testDescription: String { rawValue }
    var version: HTTPVersion { self == .http1 ? .http1_1 : .http2 }

    /// All of some arguments over HTTP/1.1, and three of them over HTTP/2: what is behind is the same, and each case costs a server.
    static func cases<Argument>(_ arguments: [Argument]) -> [(Argument, WireProtocol)] {
        let some = Set([0, arguments.count / 2, arguments.count - 1])
        return arguments.map { ($0, .http1) } + some.sorted().map { (arguments[$0], .http2) }
    }
}

extension RunningServer {
    /// Sends one request as it stands, and gives what comes back until the server has said all.
    ///
    /// - Parameters:
    ///   - target: the request target, unchecked.
    ///   - headers: lines of name and value.
    /// - Returns: the answer in the form of HTTP/1.1, whatever the version; nothing when there is none.
    func sendRaw(
        _ method: String = "GET", _ target: String, headers: [String] = [], body: String = ""
    ) async throws -> String {
        switch version {
        case .http1:
            let lines = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close"] + headers
            let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
            let text = (lines + length).joined(separator: "\r\n") + "\r\n\r\n" + body
            return try await RawConnection(to: self).exchange(text).answer
        case .http2:
            let client = try await FrameClient(port: port)
            let fields = headers.map { line in
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                return (
                    String(line[..<colon]).lowercased(), line[colon...].drop { $0 == ":" || $0 == " " }.description
                )
            }
            let answer = try await client.exchange(method, target, fields, body: Array(body.utf8))
            await client.raw.close()
            guard let answer else { return "" }
            let lines = answer.headers.filter { $0.name != ":status" }.map { "\($0.name): \($0.value)\r\n" }
            return "HTTP/1.1 \(answer.status) \r\n\(lines.joined())\r\n\(String(decoding: answer.body, as: UTF8.self))"
        }
    }
}
