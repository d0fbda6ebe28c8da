public import Core
public import HummingbirdCore
public import Logging

extension HTTPServerBuilder {
    /// What Lamplighter listens with: HTTP/1.1, or with a certificate HTTPS with HTTP/2 and HTTP/1.1, within the limits of
    /// the settings.
    ///
    /// - Parameters:
    ///   - certificate: nil for plain HTTP.
    ///   - direct: what is answered without Hummingbird.
    ///   - bodies: limits for the bodies of requests; without, handlers alone limit them.
    ///   - time: for how often the log repeats a message.
    ///   - guards: counts the limits that are reached.
    public static func transport(
        settings: HTTPServerSettings = HTTPServerSettings(), certificate: ServerCertificate? = nil,
        direct: DirectAnswers? = nil, bodies: RequestBodyRules? = nil, logger: Logger,
        time: any TimeSource = SystemTime(), guards: GuardCounters = .none
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            HTTPServerChannel(
                responder: responder, settings: settings, certificate: certificate, direct: direct,
                bodies: bodies, logger: logger, time: time, guards: guards)
        }
    }
}
