import AdapterRuntime
import Core
import Foundation
import Logging
import PushModel
import Storage
import TestSupport
import WorklightProject

@testable import Authentication

/// A check of realms over a loaded project, with a separate clock.
final class TestGate {
    let time = ManualTime()
    let directory: TestDirectory
    let gate: RealmAuthenticator
    let sessions: SessionTable
    let log = LogRecorder()
    private let folder: TemporaryFolder

    /// - Parameter realms, modules: as of ``RealmTestProject``.
    init(
        realms: String, modules: String, script: String = "function open() {}",
        directory: TestDirectory = TestDirectory(passwords: ["ann": "right", "bob": "right"])
    ) async throws {
        self.directory = directory
        let test = try RealmTestProject(realms: realms, modules: modules, script: script)
        folder = test.folder
        let store = try SQLStore(folder: folder.url.appending(path: "store").path)
        let runtime = AdapterRuntime(
            project: test.project,
            services: RuntimeServices(
                subscriptions: store, smsSubscriptions: store, notifications: NoNotifications(),
                broadcasts: NoBroadcasts(), time: time, logger: log.logger), settings: RuntimeSettings())
        _ = await runtime.load()
        gate = RealmAuthenticator(
            realms: RealmReader.read(test.project, services: .using(directory)).realms, runtime: runtime, time: time,
            logger: log.logger)
        sessions = SessionTable(settings: SessionSettings(), time: time) { _ in }
    }

    /// A request of a session.
    func visit(
        _ session: ServerSession, headers: [String: String] = [:], address: String = "192.0.2.1",
        isProxied: Bool = false
    ) -> RealmAuthenticator.RealmRequest {
        RealmAuthenticator.RealmRequest(
            session: session,
            request: ClientRequest(
                method: "POST", url: "http://localhost/", headers: headers.map { (name: $0.key, value: $0.value) },
                remoteAddress: address), isFromTrustedProxy: isProxied, network: address)
    }

    func begin(_ name: String = "p") -> ServerSession { sessions.begin(persistentID: name) }
}

/// Realms notify nobody.
private struct NoNotifications: NotificationSink {
    func submit(_ deliveries: [Delivery]) throws(StoreError) -> Int { 0 }

    func flush() throws(StoreError) {}
}

private struct NoBroadcasts: BroadcastSender {
    func send(_ broadcast: Broadcast) throws(StoreError) -> Int { 0 }
}
