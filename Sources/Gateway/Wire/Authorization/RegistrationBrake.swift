import PushModel
import Synchronization
import Transport

/// Slows registering with the OAuth layer: everybody may, and each registration costs work and is remembered.
///
/// Each address (for IPv6: one /64 network) has a stock of registrations that fills up again with time.
final class RegistrationBrake: Sendable {
    /// As many as a company's phones behind one address may need when all get a new version on the same morning.
    static let stock = 300
    /// One more after each such time.
    static let pause = Duration.seconds(2)
    /// Beyond so many addresses, those are forgotten first whose stock is fullest.
    private static let capacity = 10_000

    private let time: any TimeSource
    /// When the stock of each address will be full again.
    private let fullAt = Mutex<[ClientNetwork?: Duration]>([:])

    init(time: any TimeSource) {
        self.time = time
    }

    /// Takes one from an address's stock.
    ///
    /// - Returns: for how long to refuse when there is none; `nil` when there was.
    func wait(for address: String) -> Duration? {
        let network = IPAddress(address).map(ClientNetwork.init)
        let now = time.uptime
        return fullAt.withLock { fullAt in
            let next = max(fullAt[network] ?? now, now) + Self.pause
            let wait = next - now - Self.pause * Self.stock
            guard wait <= .zero else { return wait }
            if fullAt[network] == nil, fullAt.count >= Self.capacity { Self.makeRoom(in: &fullAt, at: now) }
            fullAt[network] = next
            return nil
        }
    }

    private static func makeRoom(in fullAt: inout [ClientNetwork?: Duration], at now: Duration) {
        fullAt = fullAt.filter { $0.value > now }
        guard fullAt.count >= capacity else { return }
        // A tenth at once, so that it is rarely needed to sort.
        for (network, _) in fullAt.sorted(by: { $0.value < $1.value }).prefix(capacity / 10) { fullAt[network] = nil }
    }
}
