public import HummingbirdCore
public import Logging

extension HTTPServerBuilder {
    /// What Lamplighter listens with: HTTP/1.1, or with a certificate HTTPS with HTTP/2 and HTTP/1.1, within the limits of
    /// the settings.
    ///
    /// - Parameters:
    ///   - certificate: nil for plain HTTP.
    ///   - direct: what is answered without Hummingbird, on HTTP/1.
    public static func transport(
        settings: TransportSettings = TransportSettings(), certificate: ServerCertificate? = nil,
        direct: DirectAnswers? = nil, logger: Logger
    ) -> HTTPServerBuilder {
        let connections = ConnectionCounter(settings: settings, logger: logger)
        return HTTPServerBuilder { responder in
            TransportChannel(
                responder: responder, settings: settings, certificate: certificate, direct: direct,
                connections: connections)
        }
    }
}
