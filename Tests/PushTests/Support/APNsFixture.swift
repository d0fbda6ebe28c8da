import Core
import Foundation
import Logging
import PushModel
import PushSandbox
import TestSupport

@testable import Push

/// push-sandbox and a transport to it, on a clock of the test's own.
struct APNsFixture: Sendable {
    let sandbox: PushSandbox
    let time: ManualTime
    let log: LogRecorder
    let connections: APNsConnections
    let transport: APNsTransport

    static func endpoint(port: Int) throws -> ServiceEndpoint {
        guard let endpoint = ServiceEndpoint("https://localhost:\(port)") else { throw SocketError() }
        return endpoint
    }

    /// The key that a sandbox accepts.
    static func key(of sandbox: PushSandbox) throws -> APNsCredential {
        let credentials = sandbox.credentials
        return .token(
            try APNsTokenKey(
                key: credentials.apnsPrivateKey, keyID: credentials.apnsKeyID, teamID: credentials.apnsTeamID))
    }

    /// Sends a notification for production.
    func send(
        _ number: Int = 0, application: String = "com.example.app", id: UUID = UUID(),
        through transport: APNsTransport? = nil, environment: PushServiceSettings.APNsEnvironment = .production
    ) async throws -> PushAnswer {
        let delivery = appleDelivery(deviceToken(number), application: application, id: id)
        let settings = PushServiceSettings(apnsEnvironment: environment)
        let message = try OutgoingMessage(delivery, settings, now: time.now)
        return try await (transport ?? self.transport).send(APNsChannel.requests(for: message)[0])
    }

    /// Sends to so many devices at the same time.
    func sendMany(_ numbers: Range<Int>) async throws -> [PushAnswer] {
        try await withThrowingTaskGroup(of: (Int, PushAnswer).self) { group in
            for number in numbers { group.addTask { (number, try await send(number)) } }
            var answers: [Int: PushAnswer] = [:]
            for try await (number, answer) in group { answers[number] = answer }
            return numbers.compactMap { answers[$0] }
        }
    }
}

/// Runs a test against a sandbox and stops everything afterwards.
///
/// - Parameters:
///   - credential: the key that the sandbox accepts unless given.
///   - endpoint: where the transport goes instead of to the sandbox.
func withAPNs(
    settings: HTTP2ClientSettings = HTTP2ClientSettings(), proxy: EgressProxy? = nil,
    credential: (@Sendable (PushSandbox) throws -> APNsCredential)? = nil, endpoint: ServiceEndpoint? = nil,
    trustsSandbox: Bool = true, time: ManualTime = ManualTime(),
    sandbox configure: (inout PushSandbox.Settings) -> Void = { _ in },
    fault: (@Sendable (SandboxRequest) -> SandboxFault?)? = nil,
    _ test: (APNsFixture) async throws -> Void
) async throws {
    let log = LogRecorder()
    var sandboxSettings = PushSandbox.Settings()
    sandboxSettings.fault = fault
    sandboxSettings.now = { time.now }
    configure(&sandboxSettings)
    let sandbox = try await PushSandbox.start(
        sandboxSettings, logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() })
    let connections = APNsConnections(
        TransportContext(
            endpoint: try endpoint ?? APNsFixture.endpoint(port: sandbox.apnsPort),
            trustRoots: trustsSandbox ? sandbox.rootCertificate : nil, proxy: proxy, time: time, logger: log.logger),
        settings: settings)
    let transport = try connections.transport(
        with: try credential?(sandbox) ?? APNsFixture.key(of: sandbox), to: .production)
    let fixture = APNsFixture(
        sandbox: sandbox, time: time, log: log, connections: connections, transport: transport)
    do {
        try await test(fixture)
    } catch {
        await connections.close()
        await sandbox.stop()
        throw error
    }
    await connections.close()
    await sandbox.stop()
}

extension PushAnswer {
    var reason: String? {
        switch ending {
        case .delivered, .previewed: nil
        case .refused(let reason), .deviceGone(let reason, _), .retry(_, let reason): reason
        }
    }

    var isDelivered: Bool { ending == .delivered }

    var isRefused: Bool {
        if case .refused = ending { true } else { false }
    }

    var isDeviceGone: Bool {
        if case .deviceGone = ending { true } else { false }
    }

    var isRetry: Bool {
        if case .retry = ending { true } else { false }
    }

    /// The least time for which the service must not be called.
    var pause: Duration? {
        if case .retry(let pause, _) = ending { pause } else { nil }
    }
}

extension [PushAnswer] {
    var areDelivered: Bool { allSatisfy(\.isDelivered) }
}
