import Synchronization

/// What all sides of a sandbox share.
final class SandboxCore: Sendable {
    let settings: PushSandbox.Settings
    let identity: SandboxIdentity
    let journal: Journal
    let providerTokens: ProviderTokens
    private let tokenCounts = Mutex<[SandboxService: [String: Int]]>([:])
    private let connections = Atomic(0)

    init(settings: PushSandbox.Settings, identity: SandboxIdentity) async throws {
        self.settings = settings
        self.identity = identity
        journal = Journal(limit: settings.keptArrivals)
        providerTokens = try await ProviderTokens(identity: identity)
    }

    /// The number of a new TCP connection, from 1.
    func nextConnection() -> Int { connections.add(1, ordering: .relaxed).newValue }

    /// What is to go wrong with a request, if anything.
    func fault(
        for service: SandboxService, connection: Int, sequence: Int, method: String, path: String, token: String?,
        headers: @autoclosure () -> [(name: String, value: String)]
    ) -> SandboxFault? {
        guard let decide = settings.fault else { return nil }
        let number = token.map { token in
            tokenCounts.withLock { counts in
                counts[service, default: [:]][token, default: 0] += 1
                return counts[service]?[token] ?? 1
            }
        }
        return decide(
            SandboxRequest(
                service: service, connection: connection, method: method, path: path, headers: headers(), token: token,
                number: number ?? sequence, sequence: sequence))
    }
}
