import Foundation
import PushModel
import Storage
import TestSupport
import Testing

@Suite("kill -9", .serialized)
struct CrashTests {
    private static let deliveries = 10_000

    /// All devices of one user in one call; or one call with as many users.
    private static let script = """
        WL.Server.createEventSource({ name: 'S' });
        function all(user) {
            WL.Server.notifyAllDevices(WL.Server.getUserNotificationSubscription('S', user), { GCM: { alert: 'hi' } });
        }
        function each(prefix, count) {
            for (var i = 0; i < count; i++) { all(prefix + i); }
        }
        """

    private func subscribe(_ project: TemporaryFolder, user: (Int) -> String) throws -> SQLiteStore {
        // Ten thousand transactions need not all wait for the disk here.
        let store = try SQLiteStore(
            folder: project.url.appending(path: ".lamplighter").path, busyTimeout: .seconds(5),
            pragmas: ["PRAGMA synchronous = OFF"])
        for number in 0..<Self.deliveries {
            _ = try store.subscribe(
                DeviceSubscription(
                    eventSource: EventSourceID(adapter: "A", name: "S"), userID: user(number), deviceID: "d\(number)",
                    applicationID: "App", alias: "a", platform: .android,
                    token: DeviceToken(stored: "token-\(number)"), options: [:]))
        }
        return store
    }

    /// Reads the counts until they are as wanted.
    private func counts(
        _ store: SQLiteStore, until isReached: ([DeliveryState: Int]) -> Bool
    ) async throws -> [DeliveryState: Int] {
        while true {
            let counts = try store.counts()
            if isReached(counts) { return counts }
            // The server needs the processor more than who asks it.
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Kills the server once the counts are as wanted.
    ///
    /// A thread of its own looks: Swift's few may be busy with other tests until the server has done all its work.
    private func kill(
        _ server: ServerProcess, of store: SQLiteStore,
        once isReached: @escaping @Sendable ([DeliveryState: Int]) -> Bool
    ) async throws {
        let isCancelled = Watched(false)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    while !isCancelled.value {
                        if let counts = try? store.counts(), isReached(counts) { break }
                        usleep(2000)
                    }
                    server.signal(SIGKILL)
                    continuation.resume()
                }
            }
        } onCancel: {
            isCancelled.update { $0 = true }
        }
        try Task.checkCancellation()
    }

    @Test(
        "While 10,000 deliveries of one notification go out: all are delivered after the restart",
        .timeLimit(.minutes(15)))
    func whileDelivering() async throws {
        let project = try makeProject(Self.script, procedures: ["all", "each"])
        try FileManager.default.createDirectory(
            at: project.url.appending(path: ".lamplighter"), withIntermediateDirectories: true)
        let store = try subscribe(project) { _ in "ann" }
        let server = try await ServerProcess([project.path])
        let call = try await Command.run(["call", "A/all", #"["ann"]"#, "--project", project.path])
        #expect(call.output == #"{"isSuccessful":true}"# + "\n")
        try await kill(server, of: store) { $0[.delivered, default: 0] > 500 }
        #expect(await server.end(with: SIGKILL) == 128 + SIGKILL)
        let left = try store.counts()
        #expect(left[.delivered, default: 0] < Self.deliveries)

        let again = try await ServerProcess([project.path])
        let end = try await counts(store) { ($0[.queued] ?? 0) + ($0[.sending] ?? 0) == 0 }
        #expect(end == [.delivered: Self.deliveries])
        #expect(await again.end(with: SIGTERM) == 0)
    }

    @Test(
        "While a procedure notifies 10,000 users: what was committed is delivered after the restart",
        .timeLimit(.minutes(15)))
    func whileNotifying() async throws {
        let project = try makeProject(Self.script, procedures: ["all", "each"])
        try FileManager.default.createDirectory(
            at: project.url.appending(path: ".lamplighter"), withIntermediateDirectories: true)
        let store = try subscribe(project) { "user\($0)" }
        let server = try await ServerProcess([project.path])
        async let call = Command.run(
            ["call", "A/each", #"["user", \#(Self.deliveries)]"#, "--project", project.path])
        try await kill(server, of: store) { $0.values.reduce(0, +) > 2000 }
        #expect(await server.end(with: SIGKILL) == 128 + SIGKILL)
        #expect(try await call.status == 1)
        let committed = try store.counts().values.reduce(0, +)
        #expect(committed < Self.deliveries)

        let again = try await ServerProcess([project.path])
        let end = try await counts(store) { ($0[.queued] ?? 0) + ($0[.sending] ?? 0) == 0 }
        #expect(end == [.delivered: committed])
        #expect(await again.end(with: SIGTERM) == 0)
    }

    @Test("A stray SIGUSR1 does not end the server")
    func straySignal() async throws {
        let project = try makeProject("function run() { return { ok: 1 } }")
        let server = try await ServerProcess([project.path])
        server.signal(SIGUSR1)
        #expect(
            try await Command.run(["call", "A/run", "--project", project.path]).output
                == #"{"isSuccessful":true,"ok":1}"# + "\n")
        #expect(await server.end(with: SIGTERM) == 0)
    }
}
