public import ServiceLifecycle

/// Checks the certificate's files repeatedly, until the server stops.
public struct CertificateReloader: Service {
    private let certificate: ServerCertificate
    private let interval: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - interval: time between two checks; a change is applied at the second check that sees it.
    ///   - sleep: waits; it throws when its task is cancelled.
    public init(
        _ certificate: ServerCertificate, interval: Duration = .seconds(5),
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.certificate = certificate
        self.interval = interval
        self.sleep = sleep
    }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await sleep(interval)
                certificate.look()
            }
        }
    }
}
