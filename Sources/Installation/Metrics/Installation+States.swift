import AdapterRuntime
import Authentication
import Core
package import Foundation
import HTTPServer
import PollScheduler
import Push
import PushModel

extension Installation {
    /// Sets the gauges of all states.
    package func readStates() async {
        let (gauges, now) = (telemetry.metrics.states, time.now)
        gauges.set(.info, [[LamplighterVersion.current, settings.mode.rawValue, server.name]: 1])
        gauges.set(.sessions, Double(security.sessions.count))
        var calls: [[String]: Double] = [:]
        for (adapter, active) in runtime.activeCalls {
            for (phase, part) in active.parts { calls[[adapter, phase.rawValue]] = Double(part.count) }
        }
        gauges.set(.calls, calls)
        let scopes = runtime.scopes
        gauges.set(.scopes, Double(scopes.scopes))
        gauges.set(.machines, Double(scopes.machines))
        gauges.set(.pollLateness, await pollLateness(at: now))
        gauges.set(.certificateExpiry, server.facts.certificate.map { $0.notAfter.timeIntervalSince(now) })
        var expiries: [[String]: Double] = [:]
        for status in deliveries.credentials.status {
            expiries[[status.service.rawValue, status.applicationID ?? ""]] = status.expires?.timeIntervalSince(now)
        }
        gauges.set(.credentialExpiry, expiries)
        gauges.set(.diskFree, Self.freeSpace(of: folder.url).map(Double.init))
        telemetry.metrics.process.read()
        let health = await currentHealth()
        let findings = health.findings
        gauges.set(
            .healthFindings,
            Dictionary(findings.map { ([$0.check.rawValue, $0.severity.rawValue], 1) }, uniquingKeysWith: +))
        // A store that hangs would keep the scrape waiting.
        if !health.isStoreFailing { await readStoreStates(at: now) }
    }

    /// A store that fails has no states; ``MetricName/storeErrors`` says that it does.
    private func readStoreStates(at now: Date) async {
        let found = try? await runBlocking { [store] in
            try (counts: store.outbox.counts(), oldest: store.outbox.oldestDeliveries())
        }
        var counts: [[String]: Double] = [:]
        if let found {
            for state in DeliveryState.allCases { counts[[state.rawValue]] = Double(found.counts[state] ?? 0) }
        }
        telemetry.metrics.states.set(.deliveries, counts)
        var ages: [[String]: Double] = [:]
        for oldest in found?.oldest ?? [] {
            let application =
                oldest.applicationID.map { deliveries.applications.contains($0) ? $0 : "other" } ?? "other"
            let key = ["\(oldest.channel)", application]
            ages[key] = max(ages[key] ?? 0, now.timeIntervalSince(oldest.created))
        }
        telemetry.metrics.states.set(.oldestDelivery, ages)
    }
}

extension Installation {
    /// The longest time that a poll of this server has been due without running, in seconds.
    package func pollLateness(at now: Date) async -> Double {
        let due = await deployments.scheduler.status().filter { $0.runningSince == nil }.compactMap(\.nextDue)
        return due.map { max(now.timeIntervalSince($0), 0) }.max() ?? 0
    }
}
