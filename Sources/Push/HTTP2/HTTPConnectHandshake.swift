import Core
import Foundation
import NIOCore

/// Asks an HTTP proxy for a connection with `CONNECT` (RFC 9110, 9.3.6).
struct HTTPConnectHandshake: ProxyHandshake {
    let host: String
    let port: Int
    let login: EgressProxy.Login?

    /// No proxy says more than this about a connection.
    private static let longestAnswer = 16 * 1024

    func begin() -> ByteBuffer {
        let authority = Authority(host: host, port: port)
        var text = "CONNECT \(authority) HTTP/1.1\r\nhost: \(authority)\r\n"
        if let login {
            let token = Data("\(login.user):\(login.password)".utf8).base64EncodedString()
            text += "proxy-authorization: Basic \(token)\r\n"
        }
        return ByteBuffer(string: text + "\r\n")
    }

    func read(_ bytes: inout ByteBuffer) throws -> ProxyHandshakeStep {
        let view = bytes.readableBytesView
        guard let end = view.firstRange(of: Array("\r\n\r\n".utf8)) else {
            guard bytes.readableBytes <= Self.longestAnswer else {
                throw ProxyHandshakeError(
                    description: "expected an HTTP proxy's response, found \(bytes.readableBytes) bytes without an end")
            }
            return .more
        }
        let head = String(decoding: view[view.startIndex..<end.lowerBound], as: UTF8.self)
        bytes.moveReaderIndex(to: end.upperBound)
        let statusLine = head.prefix { $0 != "\r\n" }
        let words = statusLine.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw ProxyHandshakeError(description: "expected an HTTP proxy's response to CONNECT, found something else")
        }
        if (200..<300).contains(status) { return .open }
        let advice =
            status == 407
            ? (login == nil ? "; it wants a user and a password" : "; it refuses the user or the password") : ""
        throw ProxyHandshakeError(
            description: "it replied to CONNECT \(host):\(port) with \(words[1...].joined(separator: " "))\(advice)")
    }
}
