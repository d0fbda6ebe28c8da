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

    /// Runs `body` at once, without a change, and then after each change that is followed by one snapshot without a further one. Changes while it
    /// runs count as well. Continues until the task is cancelled.
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

/// The changes in a project.
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
