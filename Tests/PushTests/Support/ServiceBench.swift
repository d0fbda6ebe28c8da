import Core
import Foundation
import Logging
import PushModel
import PushSandbox
import TestSupport
import Testing

@testable import Push

/// A push-sandbox and what a transport needs to work against it, by a clock that only the test moves.
struct ServiceBench: Sendable {
    let sandbox: PushSandbox
    let time: ManualTime
    let log: LogRecorder

    static func run(
        fault: (@Sendable (SandboxRequest) -> SandboxFault?)? = nil, _ body: (ServiceBench) async throws -> Void
    ) async throws {
        let time = ManualTime()
        var settings = PushSandbox.Settings()
        settings.now = { time.now }
        settings.fault = fault
        let sandbox = try await PushSandbox.start(settings, logger: Logger(label: "sandbox"))
        do {
            try await body(ServiceBench(sandbox: sandbox, time: time, log: LogRecorder()))
            await sandbox.stop()
        } catch {
            await sandbox.stop()
            throw error
        }
    }

    var endpoint: ServiceEndpoint? { ServiceEndpoint("https://localhost:\(sandbox.httpPort)") }

    func count(_ service: SandboxService) -> Int { sandbox.arrivals(of: service).count }

    func accepted(_ service: SandboxService) -> [Arrival] { sandbox.arrivals(of: service).filter(\.isAccepted) }

    /// All that was logged.
    var logged: String { log.lines.value.map { "\($0.level) \($0.message) \($0.metadata)" }.joined(separator: "\n") }

    func fcm(
        _ credential: FCMCredential? = nil, trustRoots: String? = nil, proxy: EgressProxy? = nil,
        settings: ServiceClient.Settings = .patient()
    ) throws -> FCMTransport {
        let own = try credential ?? FCMCredential(json: sandbox.credentials.fcmServiceAccount, source: "sandbox")
        return try FCMTransport(own, context(trustRoots, proxy), settings: settings)
    }

    func wns(
        secret: String? = nil, proxy: EgressProxy? = nil, settings: ServiceClient.Settings = .patient()
    ) throws -> WNSTransport {
        let credential = try WNSCredential(
            packageSID: sandbox.credentials.wnsPackageSID,
            clientSecret: secret ?? sandbox.credentials.wnsClientSecret, source: "sandbox")
        return try WNSTransport(credential, context(nil, proxy), settings: settings)
    }

    private func context(_ trustRoots: String?, _ proxy: EgressProxy?) -> TransportContext {
        TransportContext(
            endpoint: endpoint, trustRoots: trustRoots ?? sandbox.rootCertificate, proxy: proxy, time: time,
            logger: log.logger)
    }

    /// With the requests that the outbox would make.
    func mediator<Transport: PushTransport>(
        _ transport: Transport, gateways: [SMSGateway] = []
    ) -> ServiceMediator {
        ServiceMediator(
            settings: PushServiceSettings(accountIDs: [.fcm: "sandbox"], smsGateways: gateways),
            transports: [.init(service: Transport.Channel.service): transport], preview: nil, time: time)
    }
}

extension ServiceClient {
    /// Makes a client that uses the system's clock, for a service that is called FCM.
    static func plain(
        _ settings: Settings = .patient(), trustRoots: String? = nil, proxy: EgressProxy? = nil
    ) throws -> ServiceClient {
        try ServiceClient(
            service: "FCM", settings: settings,
            TransportContext(
                trustRoots: trustRoots, proxy: proxy, time: SystemTime(), logger: LogRecorder().logger))
    }
}

extension ServiceClient.Settings {
    /// With limits that only a fault reaches: a busy machine takes more than the ten seconds of others to connect.
    static func patient(requestTimeout: Duration = .noLimit) -> Self {
        Self(connectTimeout: .noLimit, requestTimeout: requestTimeout)
    }
}

extension MediatorOutcome.Ending {
    /// The time before the retry, for an outcome that is to be retried.
    var wait: Duration? {
        if case .retry(let wait, _) = self { wait } else { nil }
    }

    /// Which of the endings it is.
    var name: String {
        switch self {
        case .delivered: "delivered"
        case .previewed: "previewed"
        case .refused: "refused"
        case .deviceGone: "gone"
        case .retry: "retry"
        }
    }
}
