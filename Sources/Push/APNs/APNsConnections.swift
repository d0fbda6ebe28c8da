import Core
import NIOCore
import NIOPosix
import NIOSSL
import PushModel
import Synchronization

/// All connections to APNs: one ``APNsTransport`` for each credential and environment, however many applications share it,
/// and one provider token for each key.
final class APNsConnections: Sendable {
    private struct Key: Hashable {
        let credential: APNsCredential
        let environment: PushServiceSettings.APNsEnvironment
    }

    private struct State {
        var transports: [Key: APNsTransport] = [:]
        var tokens: [APNsTokenKey: APNsProviderTokens] = [:]
    }

    private let context: TransportContext
    private let settings: HTTP2ClientSettings
    private let state = Mutex(State())

    /// - Parameter settings: with the most connections for a credential (`push.apns.connections`; the original's default is 3).
    init(_ context: TransportContext, settings: HTTP2ClientSettings = HTTP2ClientSettings()) {
        self.context = context
        self.settings = settings
    }

    /// The transport for a credential: the same object for the same credential and environment. No connection is made
    /// before the first message.
    ///
    /// - Throws: ``CredentialError`` when the credential does not fit this environment, the endpoint is not https, or the trusted
    ///   certificates cannot be read.
    func transport(
        with credential: APNsCredential, to environment: PushServiceSettings.APNsEnvironment
    ) throws(CredentialError) -> APNsTransport {
        let key = Key(credential: credential, environment: environment)
        if let transport = state.withLock({ $0.transports[key] }) { return transport }
        let transport = try make(credential, environment)
        return state.withLock { state in
            // Somebody else may have been quicker; the one that was made now has no connections yet.
            if let first = state.transports[key] { return first }
            state.transports[key] = transport
            return transport
        }
    }

    /// Ends all connections. Nothing is sent afterwards.
    func close() async {
        for transport in state.withLock({ Array($0.transports.values) }) { await transport.close() }
    }

    private func make(
        _ credential: APNsCredential, _ environment: PushServiceSettings.APNsEnvironment
    ) throws(CredentialError) -> APNsTransport {
        if case .certificate(let certificate) = credential, !certificate.environments.contains(environment) {
            throw CredentialError(
                source: certificate.source,
                problem: """
                    expected a certificate for APNs' \(environment.rawValue) service, found one for the other; use \
                    the other certificate or set the environment
                    """)
        }
        guard context.endpoint?.isSecure != false else {
            throw CredentialError(
                source: "the endpoint of APNs",
                problem: "expected https, found http; APNs is spoken to through TLS only")
        }
        let (host, port) = (context.endpoint?.host ?? environment.host, context.endpoint?.port ?? 443)
        let connector = HTTP2Connector(
            host: host, port: port, proxy: context.proxy, tls: try tls(for: credential), settings: settings)
        let authority = Authority(host: host, port: port == 443 ? nil : port).description
        return APNsTransport(
            credential: credential, environment: environment, authority: authority,
            client: HTTP2Client(
                name: "APNs (\(environment.rawValue))", connector: connector,
                loop: MultiThreadedEventLoopGroup.singleton.next(), time: context.time, logger: context.logger),
            tokens: tokens(for: credential), context)
    }

    private func tls(for credential: APNsCredential) throws(CredentialError) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2"]
        if let trustRoots = context.trustRoots {
            configuration.additionalTrustRoots = [.certificates(try AdditionalTrustRoots.certificates(trustRoots))]
        }
        if case .certificate(let certificate) = credential {
            configuration.certificateChain = certificate.chain.map { .certificate($0) }
            configuration.privateKey = .privateKey(certificate.key)
        }
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw CredentialError(
                source: "\(credential)",
                problem: "expected a certificate and a key that belong together: \(error); check both files")
        }
    }

    private func tokens(for credential: APNsCredential) -> APNsProviderTokens? {
        guard case .token(let key) = credential else { return nil }
        return state.withLock { state in
            if let tokens = state.tokens[key] { return tokens }
            let tokens = APNsProviderTokens(key: key, time: context.time)
            state.tokens[key] = tokens
            return tokens
        }
    }
}
