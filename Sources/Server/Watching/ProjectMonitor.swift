public import Core
public import Foundation

/// Reports changes of a project's files, tests included; ``AdapterReloader`` says why it polls.
public struct ProjectMonitor: Sendable {
    private static let pause = Duration.milliseconds(250)

    private let project: URL
    private let time: any TimeSource

    public init(project: URL, time: any TimeSource = SystemTime()) {
        self.project = project
        self.time = time
    }

    /// Runs `body` at once, without a change, and then whenever something has changed and has been still for one look. What
    /// changes while it runs counts as well. Goes on until the task is cancelled.
    ///
    /// - Throws: what `body` throws, `CancellationError`.
    public func forEachChange(_ body: (ProjectChange?) async throws -> Void) async throws {
        var seen = await look()
        try await body(nil)
        while true {
            var last = seen
            while true {
                try await time.sleep(untilUptime: time.uptime + Self.pause)
                let now = await look()
                if now != seen, now == last { break }
                last = now
            }
            let change = ProjectChange(from: seen, to: last)
            seen = last
            try await body(change)
        }
    }

    private func look() async -> ProjectSnapshot {
        await ThreadPool.shared.run { ProjectSnapshot(of: project, includesTests: true) }
    }
}

/// What has changed in a project.
public struct ProjectChange: Sendable, Hashable {
    /// The adapters in whose folders; `nil` when something else has changed as well.
    public let adapters: Set<String>?

    init(from old: ProjectSnapshot, to new: ProjectSnapshot) {
        guard let before = old.adapters, let after = new.adapters, old.others == new.others else {
            adapters = nil
            return
        }
        adapters = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    }
}
