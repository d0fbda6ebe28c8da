import AsyncHTTPClient
import Delivery
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// How push services are reached: where they are, or at one endpoint, or through a proxy.
struct WebPushDestination: Sendable {
    let endpoint: ServiceEndpoint?
    private let proxy: HTTPClientProxy
    private let trustRoots: [NIOSSLCertificate]
    private let trustsSystem: Bool
    private let connectTimeout: Duration

    /// - Parameters:
    ///   - trustRoots: a PEM file's path, or PEM.
    ///   - trustsSystem: whether the system's authorities are trusted too. Reading them takes long.
    /// - Throws: ``WebPushCredentialError`` when `trustRoots` has no certificate or the proxy cannot be used.
    init(
        endpoint: ServiceEndpoint?, trustRoots: String?, proxy: EgressProxy?, trustsSystem: Bool = true,
        connectTimeout: Duration = .seconds(10)
    ) throws(WebPushCredentialError) {
        self.trustsSystem = trustsSystem
        self.connectTimeout = connectTimeout
        self.endpoint = endpoint
        if let trustRoots {
            self.trustRoots = try Self.certificates(trustRoots)
        } else {
            self.trustRoots = []
        }
        do {
            self.proxy = try HTTPClientProxy(proxy, group: MultiThreadedEventLoopGroup.singleton)
        } catch {
            throw WebPushCredentialError(source: error.source, reason: error.problem)
        }
    }

    private static func certificates(_ trustRoots: String) throws(WebPushCredentialError) -> [NIOSSLCertificate] {
        let isText = trustRoots.contains("-----BEGIN")
        do {
            return isText
                ? try NIOSSLCertificate.fromPEMBytes(Array(trustRoots.utf8))
                : try NIOSSLCertificate.fromPEMFile(trustRoots)
        } catch {
            throw WebPushCredentialError(
                source: isText ? "the trust root of Web Push" : trustRoots,
                reason:
                    "holds no certificates in PEM (\(error)); give a file with the certificate of the authority to trust"
            )
        }
    }

    /// Whether names are looked up and their addresses checked here. A proxy looks them up itself, and decides itself; and an
    /// endpoint is the operator's own choice.
    var isLookedUpHere: Bool { endpoint == nil && proxy.name == nil }

    /// A request's address, led to the endpoint if there is one.
    func url(of request: String) -> String {
        guard let endpoint else { return request }
        let rest = request.dropFirst("https://".count)
        return endpoint.description + rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...]
    }

    /// Connections to a service at one address, whatever its name leads to.
    func client(for host: String, at address: PublicAddress) throws -> HTTPClient {
        var configuration = try configuration()
        configuration.dnsOverride = [host: address.description]
        return HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: configuration)
    }

    /// Connections to whatever a request names.
    func client() throws -> HTTPClient {
        HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: try configuration())
    }

    /// Why a request did not get to a service, for people.
    func reason(_ error: any Error, host: String) -> String {
        proxy.failure(error, to: host)?.reason ?? "the push service \(host) cannot be reached: \(error)"
    }

    /// Ends the way through the proxy.
    func close() async {
        await proxy.close()
    }

    private func configuration() throws -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        if !trustsSystem {
            tls.trustRoots = .certificates(trustRoots)
        } else if !trustRoots.isEmpty {
            tls.additionalTrustRoots = [.certificates(trustRoots)]
        }
        // A service that leads elsewhere would lead around the check of its address.
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        configuration.timeout.connect = TimeAmount(connectTimeout)
        configuration.connectionPool.idleTimeout = .seconds(60)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.proxy = proxy.configuration
        return configuration
    }
}

extension Error {
    /// Whether no connection came about, so that nothing was sent.
    var isConnectFailure: Bool {
        switch self {
        case is NIOConnectionError: true
        case let error as HTTPClientError: error == .connectTimeout
        case let error as ChannelError:
            if case .connectTimeout = error { true } else { false }
        case let error as IOError:
            [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, ETIMEDOUT].contains(error.errnoCode)
        default: false
        }
    }
}
