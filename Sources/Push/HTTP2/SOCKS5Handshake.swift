import NIOCore

/// Asks a SOCKS proxy for a connection (RFC 1928), with a user and a password if they are set (RFC 1929). The proxy resolves the name.
struct SOCKS5Handshake: ProxyHandshake {
    private enum Phase {
        case greeting, login, connecting
    }

    private static let version: UInt8 = 5
    private static let noLogin: UInt8 = 0
    private static let userAndPassword: UInt8 = 2

    let host: String
    let port: Int
    let login: EgressProxy.Login?
    private var phase = Phase.greeting

    init(host: String, port: Int, login: EgressProxy.Login?) {
        self.host = host
        self.port = port
        self.login = login
    }

    func begin() -> ByteBuffer {
        let methods = login == nil ? [Self.noLogin] : [Self.noLogin, Self.userAndPassword]
        return ByteBuffer(bytes: [Self.version, UInt8(methods.count)] + methods)
    }

    mutating func read(_ bytes: inout ByteBuffer) throws -> ProxyHandshakeStep {
        switch phase {
        case .greeting: try readMethod(&bytes)
        case .login: try readLogin(&bytes)
        case .connecting: try readConnection(&bytes)
        }
    }

    private mutating func readMethod(_ bytes: inout ByteBuffer) throws -> ProxyHandshakeStep {
        guard bytes.readableBytes >= 2, let answer = bytes.readBytes(length: 2) else { return .more }
        guard answer[0] == Self.version else {
            throw ProxyHandshakeError(description: "expected SOCKS version 5, found another reply")
        }
        switch (answer[1], login) {
        case (Self.noLogin, _):
            phase = .connecting
            return .say(try connectRequest())
        case (Self.userAndPassword, let login?):
            phase = .login
            let (user, password) = (Array(login.user.utf8), Array(login.password.utf8))
            guard let userLength = UInt8(exactly: user.count), let passwordLength = UInt8(exactly: password.count)
            else {
                throw ProxyHandshakeError(description: "SOCKS takes a user and a password of at most 255 bytes each")
            }
            return .say(ByteBuffer(bytes: [1, userLength] + user + [passwordLength] + password))
        default:
            throw ProxyHandshakeError(
                description: login == nil
                    ? "it wants a login and none is set" : "it takes neither no login nor user and password")
        }
    }

    private mutating func readLogin(_ bytes: inout ByteBuffer) throws -> ProxyHandshakeStep {
        guard bytes.readableBytes >= 2, let answer = bytes.readBytes(length: 2) else { return .more }
        guard answer[1] == 0 else {
            throw ProxyHandshakeError(description: "it refuses the user or the password")
        }
        phase = .connecting
        return .say(try connectRequest())
    }

    private func connectRequest() throws -> ByteBuffer {
        let name = Array(host.utf8)
        guard let length = UInt8(exactly: name.count), let port = UInt16(exactly: port) else {
            throw ProxyHandshakeError(description: "SOCKS cannot name \(host):\(port)")
        }
        var request = ByteBuffer(bytes: [Self.version, 1, 0, 3, length] + name)
        request.writeInteger(port)
        return request
    }

    private func readConnection(_ bytes: inout ByteBuffer) throws -> ProxyHandshakeStep {
        let start = bytes.readerIndex
        guard let head: [UInt8] = bytes.getBytes(at: start, length: 5) else { return .more }
        guard head[1] == 0 else {
            throw ProxyHandshakeError(description: "it cannot connect to \(host):\(port): \(Self.meaning(of: head[1]))")
        }
        let addressLength: Int
        switch head[3] {
        case 1: addressLength = 4
        case 3: addressLength = 1 + Int(head[4])
        case 4: addressLength = 16
        default: throw ProxyHandshakeError(description: "expected an address in its SOCKS reply, found something else")
        }
        guard bytes.readSlice(length: 4 + addressLength + 2) != nil else { return .more }
        return .open
    }

    private static func meaning(of code: UInt8) -> String {
        switch code {
        case 2: "its rules do not allow it"
        case 3: "the network is unreachable"
        case 4: "the host is unreachable"
        case 5: "the connection was refused"
        case 6: "it took too long"
        default: "SOCKS error \(code)"
        }
    }
}
