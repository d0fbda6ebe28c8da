import Core
public import Foundation
import Installation
import Logging
import ServiceLifecycle

/// Deploys adapters when their files change, for development.
///
/// It checks the files every 250 ms rather than subscribe to the system's notifications: containers' mounts and network drives deliver no events, and
/// a check of a hundred files takes a millisecond.
public struct AdapterReloader: Sendable {
    private static let pause = Duration.milliseconds(250)

    private let project: URL
    private let start: ProjectSnapshot

    /// Takes a snapshot of the project. Changes from now on are deployed, including those before the watch begins: so call this before the project is
    /// read.
    public init(project: URL) {
        self.project = project
        start = ProjectSnapshot(of: project)
    }

    /// Deploys what changes until the task is cancelled.
    func run(_ installation: Installation) async {
        // A deployment may take long, and what changes meanwhile must be seen.
        let (changes, queue) = AsyncStream<ChangeDebouncer.Change>.makeStream()
        await withTaskGroup { group in
            group.addTask { await act(on: changes, installation) }
            await look(installation, queue)
            group.cancelAll()
        }
    }

    private func look(
        _ installation: Installation, _ queue: AsyncStream<ChangeDebouncer.Change>.Continuation
    ) async {
        let time = installation.time
        var judge = ChangeDebouncer(start)
        while true {
            do {
                try await time.sleep(untilUptime: time.uptime + Self.pause)
                let image = await ThreadPool.shared.run { ProjectSnapshot(of: project) }
                for change in judge.look(image) {
                    if case .deploy(let adapter) = change { installation.deployments.drop(adapter) }
                    queue.yield(change)
                }
            } catch {
                return queue.finish()
            }
        }
    }

    private func act(on changes: AsyncStream<ChangeDebouncer.Change>, _ installation: Installation) async {
        var refused = start.describedAdapters.filter { !installation.deployments.isRunning($0) }
        for await change in changes {
            switch change {
            case .deploy(let adapter): await deploy(adapter, &refused, installation)
            case .undeploy(let adapter):
                refused.remove(adapter)
                await installation.deployments.undeploy(adapter)
            case .restart(let path):
                installation.logger.notice("\(path) has changed: restart the server to take it in")
            }
        }
    }

    /// Deploys an adapter, and again those that were refused before: their top-level code may need the new version.
    private func deploy(_ adapter: String, _ refused: inout Set<String>, _ installation: Installation) async {
        var waiting = [adapter]
        while let next = waiting.popLast() {
            switch await installation.deployments.deploy(next).outcome {
            case .refused: refused.insert(next)
            case .deployed:
                refused.remove(next)
                // A folder that is away for now may be gone.
                waiting += refused.subtracting(waiting).filter(isThere).sorted()
            case .unchanged, .undeployed, .unknown: refused.remove(next)
            }
        }
    }

    private func isThere(_ adapter: String) -> Bool {
        FileManager.default.fileExists(atPath: project.appending(path: "adapters/\(adapter)").path)
    }
}
