import Core
import Logging
import WorklightProject

/// The connections to the push services that a plan asks for.
struct PushTransports {
    let routes: [ServiceMediator.Route: any PushTransport]

    /// - Throws: `CredentialError` when a credential is unusable, or the trusted certificates cannot be read.
    init(
        _ plan: PushPlan, webPushKey: VAPIDKey, time: any TimeSource, logger: Logger, guards: GuardCounters
    ) async throws {
        var context = PushConnectionContext(
            properties: plan.project.properties,
            common: TransportContext(
                trustRoots: plan.push.trustedCertificates.map(plan.path), proxy: plan.push.proxy, time: time,
                logger: logger, guards: guards), webPushKey: webPushKey)
        var routes: [ServiceMediator.Route: any PushTransport] = [:]
        do {
            for (route, sender) in plan.senders { routes[route] = try sender.connect(&context) }
        } catch {
            for transport in routes.values { await transport.close() }
            throw error
        }
        self.routes = routes
    }

    /// Ends all connections.
    func close() async {
        for transport in routes.values { await transport.close() }
    }
}

extension WorklightProperties {
    /// The proxy of `push.SERVICE.proxy.*` (server-api 5.4): `enabled`, `host`, `port`, and where they are `type` or `protocol`,
    /// `user` and `password`.
    ///
    /// - Parameter kind: unless the properties say which.
    func proxy(of service: String, _ kind: EgressProxy.Kind) -> EgressProxy? {
        let prefix = "push.\(service).proxy."
        guard self[prefix + "enabled"]?.lowercased() == "true", let host = self[prefix + "host"], !host.isEmpty else {
            return nil
        }
        let type = (self[prefix + "type"] ?? self[prefix + "protocol"])?.lowercased() ?? ""
        let known: EgressProxy.Kind = type.hasPrefix("socks") ? .socks : type.hasPrefix("http") ? .http : kind
        let port = self[prefix + "port"].flatMap { Int($0) } ?? (known == .socks ? 1080 : 8080)
        let login = self[prefix + "user"].flatMap { user in
            user.isEmpty ? nil : EgressProxy.Login(user: user, password: self[prefix + "password"] ?? "")
        }
        return EgressProxy(known, host: host, port: port, login: login)
    }
}
