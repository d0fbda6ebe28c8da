import Synchronization

import struct Foundation.UUID

/// The state that all sides of a sandbox share.
final class SandboxCore: Sendable {
    let settings: PushSandbox.Settings
    let identity: SandboxIdentity
    let journal: Journal
    /// Another one at each start, so that a page notices that its numbers are of an earlier sandbox.
    let instance = UUID()
    let providerTokens: ProviderTokens
    let faults = ActiveFaultRules()
    let accessTokens = SandboxAccessTokens()
    let subscribers = WebPushSubscribers()
    private let tokenCounts = Mutex<[SandboxService: [String: Int]]>([:])
    private let connections = Atomic(0)
    private let boundHTTPPort = Atomic(0)

    init(settings: PushSandbox.Settings, identity: SandboxIdentity) async throws {
        self.settings = settings
        self.identity = identity
        journal = Journal(limit: settings.keptArrivals)
        providerTokens = try await ProviderTokens(identity: identity)
    }

    /// The port of FCM, WNS and Web Push; 0 until it is open.
    var httpPort: Int {
        get { boundHTTPPort.load(ordering: .relaxed) }
        set { boundHTTPPort.store(newValue, ordering: .relaxed) }
    }

    /// The number of a new TCP connection, from 1.
    func nextConnection() -> Int { connections.add(1, ordering: .relaxed).newValue }

    /// Returns the fault for a request, if any.
    func fault(
        for service: SandboxService, connection: Int, sequence: Int, method: String, path: String, token: String?,
        headers: @autoclosure () -> [(name: String, value: String)]
    ) -> SandboxFault? {
        guard settings.fault != nil || !faults.isEmpty else { return nil }
        // Rules do not ask for it, and a million tokens would be remembered for nothing.
        let counted = settings.fault == nil ? nil : token
        let number = counted.map { token in
            tokenCounts.withLock { counts in
                counts[service, default: [:]][token, default: 0] += 1
                return counts[service]?[token] ?? 1
            }
        }
        let request = SandboxRequest(
            service: service, connection: connection, method: method, path: path, headers: headers(), token: token,
            number: number ?? sequence, sequence: sequence)
        return settings.fault?(request) ?? faults.fault(for: request)
    }
}
