package import Core
package import Foundation
package import Logging
package import PushModel
import Synchronization
import WorklightProject

/// The credentials of the push services with their connections. They can be reloaded while the server runs.
package final class PushCredentials: Mediator {
    /// The time for which the previous connections stay open after a reload, for the requests that use them.
    private static let overlap = Duration.seconds(60)

    private struct Current {
        let plan: PushPlan
        let transports: PushTransports
        let mediator: ServiceMediator
    }

    private let webPushKey: VAPIDKey
    private let time: any TimeSource
    private let logger: Logger
    private let guards: GuardCounters
    private let isBlocked: @Sendable (DeliveryTarget) -> Bool
    private let current: Mutex<Current>
    private let monitors = Mutex<[ServiceMediator.Route: CredentialMonitor]>([:])
    private let isReloading = Atomic(false)
    private let lastReloadProblem = Mutex<String?>(nil)
    /// The connections of former credentials, until they are closed.
    private let former = Mutex<[PushTransports]>([])

    /// - Parameter isBlocked: whether deliveries to a target are refused.
    /// - Throws: `CredentialError` when a credential is unusable.
    package init(
        _ plan: PushPlan, webPushKey: VAPIDKey, time: any TimeSource, logger: Logger, guards: GuardCounters,
        isBlocked: @escaping @Sendable (DeliveryTarget) -> Bool
    ) async throws {
        (self.webPushKey, self.time, self.logger) = (webPushKey, time, logger)
        (self.guards, self.isBlocked) = (guards, isBlocked)
        var monitors: [ServiceMediator.Route: CredentialMonitor] = [:]
        let first = try await Self.connect(plan, webPushKey, &monitors, time, logger, guards)
        current = Mutex(first)
        self.monitors.withLock { [monitors] in $0 = monitors }
    }

    private static func connect(
        _ plan: PushPlan, _ webPushKey: VAPIDKey,
        _ monitors: inout [ServiceMediator.Route: CredentialMonitor], _ time: any TimeSource, _ logger: Logger,
        _ guards: GuardCounters
    ) async throws -> Current {
        let transports = try await PushTransports(
            plan, webPushKey: webPushKey, time: time, logger: logger, guards: guards)
        for route in transports.routes.keys where monitors[route] == nil { monitors[route] = CredentialMonitor() }
        return Current(
            plan: plan, transports: transports,
            mediator: ServiceMediator(
                settings: plan.settings, transports: transports.routes, monitors: monitors,
                preview: plan.isProduction ? nil : logger, time: time))
    }

    /// Builds the requests that deliveries are sent with.
    package var requestBuilder: PushRequestBuilder {
        PushRequestBuilder(settings: current.withLock { $0.plan.settings })
    }

    package func deliver(_ delivery: Delivery) async -> MediatorOutcome {
        guard !isBlocked(delivery.target) else {
            return MediatorOutcome(.refused(reason: "the device is blocked"), requests: [])
        }
        return await current.withLock { $0.mediator }.deliver(delivery)
    }

    /// Reads the files of all credentials again. Attempts from now on use them.
    ///
    /// - Throws: ``PushSettingsError``, ``ModeError``, `CredentialError`. The former credentials stay in use then.
    package func reload() async throws {
        guard isReloading.exchange(true, ordering: .acquiringAndReleasing) == false else {
            throw PushSettingsError(problems: ["another reload is under way; try again"])
        }
        defer { isReloading.store(false, ordering: .releasing) }
        do {
            try await readAgain()
            lastReloadProblem.withLock { $0 = nil }
        } catch {
            lastReloadProblem.withLock { $0 = "\(error)" }
            throw error
        }
    }

    /// The reason why the last reload failed, so that the former credentials are in use; `nil` if it succeeded.
    package var reloadProblem: String? { lastReloadProblem.withLock { $0 } }

    private func readAgain() async throws {
        let former = current.withLock { $0.plan }
        let plan = PushPlan(
            for: Project(reading: former.project.folder), former.push, isProduction: former.isProduction, now: time.now)
        try plan.check()
        let lost = former.usableRoutes.subtracting(plan.usableRoutes)
        guard lost.isEmpty else {
            let names = lost.map(\.description).sorted()
            throw PushSettingsError(
                problems: ["credentials that were there cannot be read any more: \(names.joined(separator: ", "))"]
                    + plan.unusable + plan.warnings)
        }
        var monitors = monitors.withLock { $0 }
        let new = try await Self.connect(plan, webPushKey, &monitors, time, logger, guards)
        self.monitors.withLock { [monitors] in $0 = monitors }
        let old = current.withLock { current in
            let old = current.transports
            current = new
            return old
        }
        self.former.withLock { $0.append(old) }
        plan.log(to: logger)
        Task { [time] in
            try? await time.sleep(untilUptime: time.uptime + Self.overlap)
            await closeFormer()
        }
    }

    private func closeFormer() async {
        let old = former.withLock { former -> PushTransports? in former.isEmpty ? nil : former.removeFirst() }
        await old?.close()
    }

    /// Ends all connections.
    package func close() async {
        await current.withLock { $0.transports }.close()
        for transports in former.withLock({ $0 }) { await transports.close() }
    }

    /// The services that are reached at a loopback address instead of their official one.
    package var sandboxes: [String] {
        let senders = current.withLock { $0.plan.senders }
        return Set(senders.filter { $0.value.endpoint?.isLoopback == true }.map(\.key.service.rawValue)).sorted()
    }

    /// The credentials with the results of their last attempts, in the order of service and application.
    package var status: [CredentialStatus] {
        let plan = current.withLock { $0.plan }
        let monitors = monitors.withLock { $0 }
        return plan.senders.sorted { $0.key < $1.key }.map { route, sender in
            CredentialStatus(
                service: route.service, applicationID: route.applicationID, credential: sender.text,
                expires: sender.expires, problem: sender.problem, answers: monitors[route]?.answers ?? .init())
        }
    }
}

/// A credential of a push service.
package struct CredentialStatus: Sendable {
    package let service: PushService
    /// `nil` for all applications without a separate credential.
    package let applicationID: String?
    /// Without secrets.
    package let credential: String
    /// The expiry date of the credential's certificate; `nil` for credentials that do not expire.
    package let expires: Date?
    /// The reason why it is unusable; `nil` when it is usable.
    package var problem: String?
    package let answers: CredentialMonitor.Answers
}

/// Keeps a push service's last results for one credential, since the server's start.
package final class CredentialMonitor: Sendable {
    package struct Answers: Sendable {
        package var lastSuccess: Date?
        /// The last message that the service did not take: when and why.
        package var lastRefusal: (date: Date, reason: String)?
        /// The first refusal since the last success; `nil` after a success.
        package var refusedSince: Date?
        /// The number of consecutive attempts after which the service is retried: it is down, or refuses the credential.
        package var failuresInARow = 0
    }

    private let state = Mutex(Answers())

    var answers: Answers { state.withLock { $0 } }

    func note(_ ending: MediatorOutcome.Ending, at date: Date) {
        state.withLock { answers in
            if case .retry = ending { answers.failuresInARow += 1 } else { answers.failuresInARow = 0 }
            switch ending {
            case .delivered, .previewed: (answers.lastSuccess, answers.refusedSince) = (date, nil)
            case .refused(let reason), .deviceGone(let reason, _), .retry(_, let reason):
                answers.lastRefusal = (date, reason)
                answers.refusedSince = answers.refusedSince ?? date
            }
        }
    }
}
