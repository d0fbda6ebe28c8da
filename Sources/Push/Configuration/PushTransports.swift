import Core
import Foundation
import Logging
import PushModel
import WorklightProject

/// The connections to the push services that a plan asks for.
struct PushTransports {
    let routes: [ServiceMediator.Route: any PushTransport]

    /// - Throws: `CredentialError` when a credential cannot be used, or the trusted certificates cannot be read.
    init(
        _ plan: PushPlan, webPushKey: VAPIDKey, time: any TimeSource, logger: Logger, guards: GuardCounters
    ) async throws {
        let (project, push) = (plan.project, plan.push)
        let properties = project.properties
        let roots = push.trustedCertificates.map(project.folder.path(ofFile:))
        func proxy(_ service: String, _ kind: EgressProxy.Kind) -> EgressProxy? {
            properties.proxy(of: service, kind) ?? push.proxy
        }
        let connections = properties["push.apns.connections"].flatMap { Int($0) } ?? 3
        var apns: [ServiceEndpoint?: APNsConnections] = [:]
        var routes: [ServiceMediator.Route: any PushTransport] = [:]
        do {
            for (route, sender) in plan.senders {
                switch sender {
                case .apns(let credential, let environment, let endpoint):
                    let all =
                        apns[endpoint]
                        ?? APNsConnections(
                            endpoint: endpoint, trustRoots: roots, proxy: proxy("apns", .socks),
                            connections: connections, time: time, logger: logger, guards: guards)
                    apns[endpoint] = all
                    routes[route] = try all.transport(with: credential, to: environment)
                case .fcm(let credential, let endpoint):
                    routes[route] = try FCMTransport(
                        credential: credential, endpoint: endpoint, trustRoots: roots, proxy: proxy("gcm", .http),
                        time: time, logger: logger, guards: guards)
                case .wns(let credential, let endpoint):
                    routes[route] = try WNSTransport(
                        credential: credential, endpoint: endpoint, trustRoots: roots, proxy: proxy("wns", .http),
                        time: time, logger: logger, guards: guards)
                case .sms(let gateways, let endpoint):
                    routes[route] = try SMSTransport(
                        gateways: gateways, endpoint: endpoint, trustRoots: roots, proxy: proxy("sms", .http),
                        time: time, logger: logger, guards: guards)
                case .unusable(let error): routes[route] = UnusableTransport(reason: error.description)
                case .webPush(let contact, let endpoint):
                    routes[route] = try WebPushTransport(
                        credentials: WebPushCredentials(key: webPushKey, contact: contact), endpoint: endpoint,
                        trustRoots: roots, proxy: push.proxy, time: time, logger: logger, guards: guards)
                }
            }
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
