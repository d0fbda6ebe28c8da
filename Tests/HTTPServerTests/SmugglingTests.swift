import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import HTTPServer

/// Many random connections, made of pieces that are apt to confuse a reader of HTTP/1.
@Suite struct SmugglingTests {
    private static let pieces = [
        "GET /é HTTP/1.1\r\nHost: h\r\n", "GET /a HTTP/1.1\r\nHost: h\r\n", "POST /é HTTP/1.1\r\nHost: h\r\n",
        "GET /é HTTP/1.0\r\n", "é",
        "/é HTTP/1.1\r\n",
        "Host: h\r\n", "X: é\r\n", "é: x\r\n", " folded é\r\n", "Content-Length: 5\r\n", "Content-Length: 0\r\n",
        "Content-Length: 30\r\n", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n",
        "Connection: close\r\n", "Connection: keep-alive\r\n", "Connection: upgrade\r\nUpgrade: x\r\n", "\r\n", "\r\n",
        "\r\n\r\n", "\n", "\r", "\n\n", "\r\n\n", "0\r\n\r\n", "0\r\n", "3\r\né\n\r\n", "6\r\né\r\n\r\n\r\n",
        "5;é=\"é\"\r\nabcde\r\n",
        "5\r\nabcde\r\n", "abcde", "éé\n", "GET /é HTTP/1.1\r\nHost: h\r\n\r\n", "GET /é HTTP/1.1\r\nHost: h\r\n\r\n",
        "POST /é HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\nGET /é\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
    ]

    private func requests(_ bytes: [UInt8], _ numbers: inout SeededNumbers, inOnePiece: Bool) throws -> [String] {
        let connection = try EmbeddedConnection()
        defer { connection.finish() }
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = inOnePiece ? rest.count : Int.random(in: 1...min(rest.count, 40), using: &numbers)
            connection.send(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return try connection.requests()
    }

    /// With `a` for each byte that repairs could touch, the parser sees the same requests: repairs move no boundary. The
    /// raw bytes may only lead to an earlier refusal.
    @Test("Repairs never change where a request begins or ends", arguments: 0..<40) func boundaries(_ seed: Int) throws
    {
        for round in 0..<50 {
            var numbers = SeededNumbers(state: UInt64(seed * 50 + round))
            let count = Int.random(in: 2...14, using: &numbers)
            let text = (0..<count).map { _ in Self.pieces.randomElement(using: &numbers) ?? "" }.joined()
            let bytes = Array(text.utf8)
            let plain = bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "a") }
            let expected = try requests(plain, &numbers, inOnePiece: true)
            #expect(try requests(plain, &numbers, inOnePiece: false) == expected, "\(text.debugDescription)")
            let mended = try requests(bytes, &numbers, inOnePiece: false).map(unmended)
            #expect(isStart(mended, of: expected), "\(text.debugDescription): \(mended) \(expected)")
        }
    }

    /// The request with `a` for each byte from 0x80 on, in its target encoded or not.
    private func unmended(_ request: String) -> String {
        var parts = request.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map { String($0) }
        parts[1].replace("%C3%A9", with: "aa")
        // A body may end within a character.
        if parts.count > 2 {
            parts[2].replace("é", with: "aa")
            parts[2].replace("\u{FFFD}", with: "a")
        }
        return parts.joined(separator: " ")
    }

    /// The last one may have come in part.
    private func isStart(_ some: [String], of all: [String]) -> Bool {
        guard some.count <= all.count else { return false }
        return zip(some, all).enumerated().allSatisfy { index, pair in
            pair.0 == pair.1
                || index == some.count - 1 && pair.0.hasSuffix("…") && pair.1.hasPrefix(String(pair.0.dropLast()))
        }
    }
}
