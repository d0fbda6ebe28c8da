import PushModel

/// A credential that cannot be used: its file cannot be read, it has expired, or its settings contradict each other.
///
/// It stops only its own service of its own application. No other credential takes its place.
struct UnusableCredentialError: Error, CustomStringConvertible {
    /// The setting or the file with what is wrong, and what to do.
    let description: String
}

/// Stands in for the connections of a credential that cannot be used: deliveries wait, with the reason.
struct UnusableTransport: PushTransport {
    /// After this time a delivery tries again; reloaded credentials are taken up then.
    private static let pause = Duration.seconds(60)

    let reason: String

    func send(_ request: PushRequest, for delivery: Delivery) async -> PushAnswer {
        PushAnswer(.retry(after: Self.pause, reason: reason))
    }

    func close() async {}
}
