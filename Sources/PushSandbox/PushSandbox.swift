public import Logging
import NIOCore
import NIOPosix

/// Simulates APNs, FCM, WNS, an SMS gateway and a Web Push service on loopback.
///
/// It speaks their protocols over real sockets and TLS, checks requests as they document, keeps the arrivals, and injects the faults of
/// its fault rules.
public final class PushSandbox: Sendable {
    /// The port of APNs' side: HTTP/2 over TLS.
    public let apnsPort: Int
    /// The port of FCM, WNS, Web Push and the token endpoints: HTTPS.
    public let httpPort: Int
    /// The port of the SMS gateway: plain HTTP.
    public let smsPort: Int
    /// The port of the page of phones; nil without one.
    public let pagePort: Int?

    let core: SandboxCore
    private let listeners: [Listener]
    private let connections: OpenConnections

    /// The root certificate that clients must trust, in PEM. The server's certificate is for localhost, 127.0.0.1 and ::1.
    public var rootCertificate: String { core.identity.rootCertificate }

    /// The credentials that the sandbox accepts.
    public let credentials: SandboxCredentials

    private init(
        core: SandboxCore, apns: Listener, http: Listener, sms: Listener, page: Listener?, connections: OpenConnections
    ) {
        self.core = core
        self.connections = connections
        listeners = [apns, http, sms] + (page.map { [$0] } ?? [])
        apnsPort = apns.port
        httpPort = http.port
        smsPort = sms.port
        pagePort = page?.port
        credentials = core.identity.credentials(httpPort: http.port)
    }

    /// Listens on all its ports.
    ///
    /// - Throws: ``SandboxStartError`` when a port cannot be had, or the errors of the libraries that make the certificates.
    public static func start(_ settings: Settings = Settings(), logger: Logger) async throws -> PushSandbox {
        let identity = try settings.identity ?? SandboxIdentity()
        let core = try await SandboxCore(settings: settings, identity: identity)
        let desk = try await SandboxRouter(core: core)
        let gateway = SandboxSMSGateway()
        let phones = PhonePageController(core: core)
        let connections = OpenConnections()
        var opened: [Listener] = []
        func open(_ name: String, _ port: Int, _ protocols: Listener.Protocols) async throws -> Listener {
            let listener = try await Listener.open(
                name, host: settings.host, port: port, protocols: protocols, connections: connections)
            logger.debug("push-sandbox listens for \(name) on port \(listener.port)")
            opened.append(listener)
            return listener
        }
        do {
            let apns = try await open(
                "APNs", settings.apnsPort,
                .secure(try identity.tlsContext(protocols: ["h2"], host: settings.host)) { channel, negotiated in
                    try APNsConnection.add(to: channel, negotiated: negotiated, core: core)
                })
            let http = try await open(
                "FCM, WNS and Web Push", settings.httpPort,
                .secure(try identity.tlsContext(protocols: ["h2", "http/1.1"], host: settings.host)) {
                    channel, negotiated in
                    try WebConnection.add(to: channel, negotiated: negotiated, core: core, respond: desk.respond)
                })
            core.httpPort = http.port
            let sms = try await open(
                "SMS", settings.smsPort,
                .plain { channel in
                    try WebConnection.add(to: channel, negotiated: nil, core: core) { request in
                        await gateway.respond(to: request, core: core)
                    }
                })
            var page: Listener?
            if let port = settings.pagePort {
                page = try await open(
                    "the page of phones", port,
                    .plain { channel in
                        try WebConnection.add(to: channel, negotiated: nil, core: core, respond: phones.respond)
                    })
            }
            return PushSandbox(core: core, apns: apns, http: http, sms: sms, page: page, connections: connections)
        } catch {
            for listener in opened { await listener.close() }
            throw error
        }
    }

    /// Every request that was decided on, accepted and refused ones, in order: the last ``Settings/keptArrivals`` of them.
    public func arrivals(of service: SandboxService? = nil) -> [Arrival] { core.journal.kept(service) }

    /// Returns the number of requests that were decided on, whether they are still kept or not.
    public func arrivalCount(of service: SandboxService? = nil) -> Int { core.journal.count(service) }

    /// Waits until `count` requests have arrived in all.
    ///
    /// - Returns: the arrivals that are kept; fewer than `count` when the task is cancelled or the time is over.
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
