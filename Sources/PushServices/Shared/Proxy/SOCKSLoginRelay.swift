import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Lets AsyncHTTPClient, which knows no logins for SOCKS, through a SOCKS proxy that wants one: to the client it is an HTTP
/// proxy on loopback.
///
/// It wants a password itself, made at random, so that no other program on the machine gets out through it.
final class SOCKSLoginRelay: Sendable {
    static let user = "relay"

    let host = "127.0.0.1"
    let port: Int
    let password: String
    private let channel: any Channel
    private let refusal = Refusal()

    private final class Refusal: Sendable {
        let reason = Mutex<String?>(nil)
    }

    /// Why the proxy did not connect the last time that it did not.
    var lastRefusal: String? { refusal.reason.withLock(\.self) }

    /// - Parameter proxy: a SOCKS proxy with a login.
    /// - Throws: ``CredentialError`` when the login is too long, or no port is to be had.
    init(to proxy: EgressProxy, group: any EventLoopGroup) throws(CredentialError) {
        let login = proxy.login ?? EgressProxy.Login(user: "", password: "")
        let source = "the SOCKS proxy \(proxy.host):\(proxy.port)"
        guard (1...255).contains(login.user.utf8.count), (1...255).contains(login.password.utf8.count) else {
            throw CredentialError(
                source: source, problem: "expected a user and a password of 1 to 255 bytes each, as SOCKS 5 takes them")
        }
        var random = SystemRandomNumberGenerator()
        let password = (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
        let expected = "Basic " + Data("\(Self.user):\(password)".utf8).base64EncodedString()
        self.password = password
        let refusal = refusal
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 64)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        RelayFrontHandler(authorization: expected, proxy: proxy) { reason in
                            refusal.reason.withLock { $0 = reason }
                        })
                }
            }
            .childChannelOption(.autoRead, value: true)
        do {
            channel = try bootstrap.bind(host: host, port: 0).wait()
        } catch {
            throw CredentialError(source: source, problem: "no port on 127.0.0.1 for the way to it: \(error)")
        }
        guard let port = channel.localAddress?.port else {
            throw CredentialError(source: source, problem: "no port on 127.0.0.1 for the way to it")
        }
        self.port = port
    }

    /// Takes no more connections. Those that there are end with the client's.
    func close() async {
        try? await channel.close()
    }
}
