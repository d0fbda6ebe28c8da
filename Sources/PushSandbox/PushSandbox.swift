public import Logging
import NIOCore
import NIOPosix

/// Stands in for APNs, FCM, WNS, an SMS gateway and a Web Push service on loopback.
///
/// It speaks what they speak over real sockets and TLS, checks what they document, keeps what arrived, and misbehaves when
/// it is told to.
public final class PushSandbox: Sendable {
    /// Where APNs' side listens: HTTP/2 over TLS.
    public let apnsPort: Int

    let core: SandboxCore
    private let listeners: [Listener]
    private let connections: OpenConnections

    /// PEM: what clients must trust. The server's certificate is for localhost, 127.0.0.1 and ::1.
    public var rootCertificate: String { core.identity.rootCertificate }

    /// What the sandbox accepts.
    public let credentials: SandboxCredentials

    private init(core: SandboxCore, listeners: [Listener], connections: OpenConnections, apnsPort: Int) {
        self.core = core
        self.listeners = listeners
        self.connections = connections
        self.apnsPort = apnsPort
        credentials = core.identity.credentials()
    }

    /// Listens on all its ports.
    ///
    /// - Throws: ``SandboxStartError`` when a port cannot be had, or the errors of the libraries that make the certificates.
    public static func start(_ settings: Settings = Settings(), logger: Logger) async throws -> PushSandbox {
        let identity = try settings.identity ?? SandboxIdentity()
        let core = try await SandboxCore(settings: settings, identity: identity)
        let connections = OpenConnections()
        let apns = try await Listener.open(
            "APNs", host: settings.host, port: settings.apnsPort,
            protocols: .secure(try identity.tlsContext(protocols: ["h2"], host: settings.host)) { channel, negotiated in
                try APNsConnection.add(to: channel, negotiated: negotiated, core: core)
            }, connections: connections)
        logger.debug("push-sandbox listens for APNs on port \(apns.port)")
        return PushSandbox(core: core, listeners: [apns], connections: connections, apnsPort: apns.port)
    }

    /// Every request that was decided on, accepted and refused ones, in order: the last ``Settings/keptArrivals`` of them.
    public func arrivals(of service: SandboxService? = nil) -> [Arrival] { core.journal.kept(service) }

    /// How many requests were decided on, whether they are still kept or not.
    public func arrivalCount(of service: SandboxService? = nil) -> Int { core.journal.count(service) }

    /// Waits until so many requests were decided on in all.
    ///
    /// - Returns: what is kept of them, which is less than `count` when the task is cancelled or the time is over.
    public func waitForArrivals(
        _ count: Int, of service: SandboxService? = nil, within limit: Duration = .seconds(60)
    ) async -> [Arrival] {
        await core.journal.wait(for: count, of: service, within: limit)
        return arrivals(of: service)
    }

    /// Closes the ports and all connections.
    public func stop() async {
        for listener in listeners { await listener.close() }
        await connections.closeAll()
        core.journal.end()
    }
}
