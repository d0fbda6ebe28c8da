import NIOCore

/// What is said to a proxy before the connection through it is there.
protocol ProxyHandshake: Sendable {
    /// What to say first.
    mutating func begin() -> ByteBuffer

    /// Reads what the proxy said; bytes that are not part of it yet stay in the buffer.
    ///
    /// - Throws: ``ProxyHandshakeError`` when the proxy wants no connection, or speaks something else.
    mutating func read(_ bytes: inout ByteBuffer) throws -> ProxyHandshakeStep
}

enum ProxyHandshakeStep: Sendable {
    /// More has to come.
    case more
    /// This is to be said next.
    case say(ByteBuffer)
    /// The connection is there; what follows is the service's.
    case open
}

/// Why there is no connection through a proxy.
struct ProxyHandshakeError: Error, CustomStringConvertible {
    let description: String
    /// Whether it wants a login, or refuses it.
    var isLogin = false
}

extension EgressProxy {
    /// The handshake that asks this proxy for a connection.
    func handshake(to host: String, port: Int) -> any ProxyHandshake {
        switch kind {
        case .http: HTTPConnectHandshake(host: host, port: port, login: login)
        case .socks: SOCKS5Handshake(host: host, port: port, login: login)
        }
    }
}
