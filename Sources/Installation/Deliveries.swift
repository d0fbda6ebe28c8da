import Core
import Foundation
import Logging
import PrometheusExporter
package import Push
import PushModel
import WorklightProject

/// The parts that send notifications: the worker of the outbox, with the credentials of the push services.
package struct Deliveries: Sendable {
    package let credentials: PushCredentials
    package let worker: OutboxWorker
    package let broadcasts: OutboxBroadcastSender
    package let pressure: OutboxBackpressure
    /// The key that identifies this server to the push services of browsers.
    package let webPushKey: VAPIDKey
    /// Removes the devices that a push service no longer knows.
    let removal: DeviceRemoval
    /// The ids of the applications in the project and the settings, which appear as labels of metrics.
    let applications: Set<String>

    /// - Parameter name: the server's.
    /// - Throws: `CredentialError`, `WebPushCredentialError`.
    init(
        _ plan: PushPlan, of project: Project, settings: InstallationSettings, folder: DataFolder, store: any Store,
        blocks: DeviceBlocks, name: String, telemetry: Telemetry
    ) async throws {
        let (time, logger, metrics) = (telemetry.time, telemetry.logger, telemetry.metrics)
        webPushKey = try settings.webPushKey ?? VAPIDKey(file: folder.url.appending(path: "web-push-key.pem").path)
        credentials = try await PushCredentials(
            plan, webPushKey: webPushKey, time: time, logger: logger, guards: metrics.guards
        ) { target in blocks.date(applicationID: target.applicationID, deviceID: target.deviceID) != nil }
        pressure = OutboxBackpressure()
        removal = DeviceRemoval(store: store, time: time, logger: logger)
        applications = Set(project.applications.map(\.id)).union(settings.push.applications.keys)
        worker = OutboxWorker(
            name: name, outbox: store.outbox, mediator: credentials, pressure: pressure, time: time, logger: logger,
            settings: OutboxWorkerSettings(gracePeriod: settings.gracePeriod, retention: settings.deliveryRetention),
            metrics: DeliveryMetrics(
                factory: metrics.registry, applications: applications),
            tracer: telemetry.tracer, onDeviceGone: removal.remove)
        broadcasts = OutboxBroadcastSender(broadcasts: store.outbox, pressure: pressure, worker: worker)
    }
}
