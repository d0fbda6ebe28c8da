import Foundation
import TestSupport
import Testing

@Suite("A service manager", .defaultTimeLimit)
struct ServiceManagerTests {
    @Test("learns when the server is ready, reloads and stops, and that its loops respond while a script computes")
    func messages() async throws {
        let project = try makeProject("function run() { for (;;) {} }")
        let socket = try NotifySocket(in: project)
        let server = try await ServerProcess(
            [project.path], environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "300000"])
        let ready = await socket.message(with: "READY=1")
        #expect(ready.last == "STATUS=serves 1 adapter at \(server.url)", "\(ready)")
        async let call = Command.run(["call", "A/run", "--project", project.path])
        for _ in 0..<10 { _ = await socket.message(with: "WATCHDOG=1") }
        server.signal(SIGHUP)
        let reloading = await socket.message(with: "RELOADING=1")
        #expect(reloading.last?.wholeMatch(of: /MONOTONIC_USEC=\d{7,}/) != nil, "\(reloading)")
        _ = await socket.message(with: "READY=1")
        server.signal(SIGTERM)
        let stopping = await socket.message(with: "STOPPING=1")
        #expect(stopping.contains("EXTEND_TIMEOUT_USEC=90000000"), "\(stopping)")
        _ = await server.exitStatus
        _ = try await call
    }

    @Test("gets no sign of life for another process")
    func otherProcess() async throws {
        let project = try makeProject("function run() {}")
        let socket = try NotifySocket(in: project)
        let server = try await ServerProcess(
            [project.path],
            environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "3000", "WATCHDOG_PID": "1"])
        _ = await socket.message(with: "READY=1")
        server.signal(SIGTERM)
        // The next datagram after READY is this one.
        #expect(await socket.next().first == "STOPPING=1")
        #expect(await server.exitStatus == 0)
    }
}
