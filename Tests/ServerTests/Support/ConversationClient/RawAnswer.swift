import Core
import TestSupport

/// A response as received from the network.
struct RawAnswer: Sendable {
    let status: Int
    /// In their order and their spelling.
    let headers: [(name: String, value: String)]
    private(set) var body: [UInt8]

    /// Sends a request over a separate connection, and reads the response.
    init(to request: [UInt8], port: Int) async throws {
        let client = try await RawClient(port: port)
        try await client.send(request)
        var answer: RawAnswer?
        while answer == nil, await client.receive() { answer = try RawAnswer(client.received, isWhole: false) }
        await client.close()
        guard let whole = try answer ?? RawAnswer(client.received, isWhole: true) else {
            throw ClientDoubleError("the connection ended within an answer: \(client.text)")
        }
        self = whole
    }

    /// - Parameter isWhole: whether the connection has ended, so that nothing more comes.
    /// - Returns: `nil` when the response is not complete.
    init?(_ bytes: [UInt8], isWhole: Bool) throws {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components("\r\n")
        let start = lines[0].split(separator: " ")
        guard start.count >= 2, start[0] == "HTTP/1.1", let status = Int(start[1]) else {
            throw ClientDoubleError("this is no HTTP: \(lines[0])")
        }
        self.status = status
        let headers = try lines.dropFirst().map { line -> (name: String, value: String) in
            guard let colon = line.firstIndex(of: ":") else { throw ClientDoubleError("this is no header: \(line)") }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        self.headers = headers
        let rest = Array(bytes[end.upperBound...])
        let value = { (name: String) in headers.first { $0.name.lowercased() == name }?.value }
        if value("transfer-encoding")?.lowercased() == "chunked" {
            guard let body = Self.unchunked(rest) else { return nil }
            self.body = body
        } else if let length = value("content-length").flatMap({ Int($0) }) {
            guard rest.count >= length else { return nil }
            guard rest.count == length else { throw ClientDoubleError("the body is longer than its Content-Length") }
            body = rest
        } else if status == 204 || status == 304 {
            body = []
        } else {
            guard isWhole else { return nil }
            body = rest
        }
    }

    private static func unchunked(_ bytes: [UInt8]) -> [UInt8]? {
        var (rest, body) = (bytes[...], [UInt8]())
        while let end = rest.firstRange(of: Array("\r\n".utf8)) {
            let length = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16) ?? 0
            guard rest[end.upperBound...].count >= length + 2 else { return nil }
            if length == 0 { return body }
            body += rest[end.upperBound..<(end.upperBound + length)]
            rest = rest[(end.upperBound + length + 2)...]
        }
        return nil
    }

    /// All values of a header.
    subscript(name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// With the body unpacked, if it is compressed.
    func unpacked() throws -> RawAnswer {
        guard self["Content-Encoding"] == ["gzip"] else { return self }
        var answer = self
        answer.body = try Zlib.decompress(body, .gzip, limit: 1 << 24)
        return answer
    }
}

/// A failure of an original client: an exception in its code, a dialog, or a request that never ends.
struct ClientDoubleError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
