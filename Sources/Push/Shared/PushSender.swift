import Core
import Logging
import WorklightProject

import struct Foundation.Date

/// A credential that notifications are sent with, and where; nothing is connected yet.
protocol PushSender: Sendable {
    /// The credential without secrets.
    var name: String { get }

    /// The address that replaces the service's own one.
    var endpoint: ServiceEndpoint? { get }

    /// The expiry date of its certificate; `nil` for credentials that do not expire.
    var expires: Date? { get }

    /// The reason why it is unusable; `nil` when it is usable.
    var problem: String? { get }

    /// Makes the transport. No connection is made before the first message.
    ///
    /// - Throws: `CredentialError` when the credential is unusable, or the trusted certificates cannot be read.
    func connect(_ context: inout PushConnectionContext) throws -> any PushTransport
}

extension PushSender {
    var expires: Date? { nil }
    var problem: String? { nil }

    /// The credential without secrets, and the address that replaces the service's own one.
    var text: String { name + (endpoint.map { ", at \($0)" } ?? "") }
}

/// The connection settings that the transports of all channels share.
struct PushConnectionContext {
    let properties: WorklightProperties
    /// The settings for all services, with the proxy for services that set none.
    let common: TransportContext
    let webPushKey: VAPIDKey
    /// The connections to APNs by their endpoints, since applications share them.
    var apns: [ServiceEndpoint?: APNsConnections] = [:]

    /// - Parameters:
    ///   - service: the SERVICE in `push.SERVICE.proxy.*` (server-api 5.4); `nil` for one that the original did not have.
    ///   - kind: of that proxy, unless the properties say which.
    func transport(
        at endpoint: ServiceEndpoint?, proxy service: String? = nil, _ kind: EgressProxy.Kind = .http
    ) -> TransportContext {
        var context = common
        context.endpoint = endpoint
        if let proxy = service.flatMap({ properties.proxy(of: $0, kind) }) { context.proxy = proxy }
        return context
    }
}

/// The connection settings of one transport.
struct TransportContext {
    /// Replaces all hosts of the service, those that grant access tokens included; `nil` for the real ones.
    var endpoint: ServiceEndpoint?
    /// The path of a PEM file or PEM content with certificates that are trusted in addition to the system's.
    var trustRoots: String?
    var proxy: EgressProxy?
    let time: any TimeSource
    /// Gets alarms (error), and failures to get an access token (warning).
    let logger: Logger
    var guards = GuardCounters.none
}

/// An unusable credential: its file cannot be read, it has expired, or its settings contradict each other.
///
/// It stops only this application's deliveries over this service. No other credential replaces it.
struct UnusableCredentialError: Error, CustomStringConvertible {
    /// The setting or the file, the problem, and the remedy.
    let description: String
}

/// Replaces the sender of an invalid credential.
struct UnusableSender<Channel: PushChannel>: PushSender {
    let error: UnusableCredentialError

    var name: String { "not loaded: \(error)" }
    var endpoint: ServiceEndpoint? { nil }
    var problem: String? { error.description }

    func connect(_ context: inout PushConnectionContext) -> any PushTransport {
        UnusableTransport<Channel>(reason: error.description)
    }
}

/// Replaces the connections of an invalid credential: deliveries wait, with the reason.
struct UnusableTransport<Channel: PushChannel>: PushTransport {
    let reason: String

    /// Makes the delivery wait a minute; the next attempt uses reloaded credentials.
    func send(_ request: Channel.Request) async -> PushAnswer {
        PushAnswer(.retry(after: .seconds(60), reason: reason))
    }

    func close() async {}
}
