public import Foundation
import NIOPosix
public import PushModel

/// Tells when a project's files have changed, tests included; see ``AdapterWatch`` for why it looks again and again.
public struct ProjectWatch: Sendable {
    private static let pause = Duration.milliseconds(250)

    private let project: URL
    private let time: any TimeSource

    public init(project: URL, time: any TimeSource = SystemTime()) {
        self.project = project
        self.time = time
    }

    /// Runs `body` at once, and then whenever something has changed and has been still for one look. What changes while it
    /// runs counts as well. Goes on until the task is cancelled.
    ///
    /// - Throws: what `body` throws, `CancellationError`.
    public func forEachChange(_ body: () async throws -> Void) async throws {
        while true {
            let seen = try await look()
            try await body()
            var last = seen
            while true {
                try await time.sleep(untilUptime: time.uptime + Self.pause)
                let now = try await look()
                if now != seen, now == last { break }
                last = now
            }
        }
    }

    private func look() async throws -> ProjectImage {
        try await NIOThreadPool.singleton.runIfActive { ProjectImage(of: project, includesTests: true) }
    }
}
