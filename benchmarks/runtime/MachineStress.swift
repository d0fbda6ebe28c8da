import Foundation
import JavaScriptEngine
import Synchronization

/// Creates, times out and destroys virtual machines, several at a time, while file descriptors come and go. The process must
/// survive it (docs/how-it-works.md, "The engine's abort").
///
///     runtime-benchmark machines [SECONDS [DESCRIPTORS]]
enum MachineStress {
    /// How many machines there are at a time.
    private static let width = 8
    /// One ends by each limit on time, the third by an interruption.
    private static let limits = [
        ExecutionLimits(cpuTime: .milliseconds(30)), ExecutionLimits(wallClock: .milliseconds(30)), ExecutionLimits(),
    ]

    /// How long it goes on at most until a machine was refused, when descriptors are scarce: a busy computer makes few.
    private static let longest = Duration.seconds(60)

    /// Whether a machine was refused.
    private final class Refusal: Sendable {
        let happened = Atomic(false)
    }

    private struct Counts {
        var machines = 0
        var stopped = 0
        var refused = 0
    }

    /// - Parameters:
    ///   - seconds: how long, or longer until a machine was refused, with `descriptors`.
    ///   - descriptors: the process's limit on open files meanwhile; `nil` leaves it as it is.
    static func run(seconds: Double, descriptors: Int?) async throws {
        // The first machine starts the engine's own threads, which need descriptors as well. A server has loaded its adapters before it
        // listens.
        _ = try await useMachine()
        let hog = try descriptors.map(DescriptorHog.init)
        let refusal = Refusal()
        let end = ContinuousClock.now + .seconds(seconds)
        let last = end + (descriptors == nil ? .zero : longest)
        let counts = try await withThrowingTaskGroup(of: Counts.self) { group in
            for _ in 0..<width {
                group.addTask {
                    var counts = Counts()
                    // Each destroys one at least, however busy the computer is.
                    repeat {
                        do {
                            counts.stopped += try await useMachine()
                            counts.machines += 1
                        } catch EngineStartError.noDescriptors {
                            counts.refused += 1
                            refusal.happened.store(true, ordering: .relaxed)
                            try await Task.sleep(for: .milliseconds(1))
                        }
                    } while counts.machines == 0
                        || ContinuousClock.now < (refusal.happened.load(ordering: .relaxed) ? end : last)
                    return counts
                }
            }
            return try await group.reduce(into: Counts()) { sum, part in
                sum.machines += part.machines
                sum.stopped += part.stopped
                sum.refused += part.refused
            }
        }
        hog?.stop()
        print(
            "\(counts.machines) machines destroyed, \(counts.stopped) scripts stopped, \(counts.refused) machines refused"
        )
    }

    /// - Returns: how many scripts were stopped.
    private static func useMachine() async throws -> Int {
        let machine = try VirtualMachine.start(name: "stress")
        let scope = try await machine.run { try $0.contexts.make(name: "stress").id }
        var stopped = 0
        for limits in limits {
            if limits == ExecutionLimits() {
                Task {
                    try? await Task.sleep(for: .milliseconds(15))
                    machine.interrupt(reason: "the stress program has had enough")
                }
            }
            do {
                try await machine.run { machine in
                    guard let context = try machine.contexts[scope] else { return }
                    try context.call(CallLabel(adapter: "Stress", procedure: "run"), limits: limits) {
                        _ = try context.evaluate("for (;;) {}", file: "Stress-impl.js")
                    }
                }
            } catch is LimitExceededError {
                stopped += 1
            }
        }
        return stopped
    }
}

/// Opens files up to the process's limit, but for a few that change all the time.
private final class DescriptorHog: Sendable {
    /// The most that are free at a time: twice what a machine asks for.
    private static let mostFree = 32
    /// So many are always free. libdispatch looks at its threads in /proc once a second and aborts the process when it cannot open a file
    /// there; a machine needs two.
    private static let leastFree = 1

    private let isStopping = Atomic(false)

    init(limit: Int) throws {
        var files = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &files) == 0 else { throw BenchmarkError(description: "the limit cannot be read") }
        files.rlim_cur = rlim_t(limit)
        guard setrlimit(kind, &files) == 0 else { throw BenchmarkError(description: "the limit cannot be set") }
        Thread.detachNewThread { [self] in
            var held: [Int32] = []
            while !isStopping.load(ordering: .relaxed) {
                let free = (0..<Int32(limit)).count { fcntl($0, F_GETFD) == -1 }
                for _ in 0..<max(0, free - Self.leastFree) {
                    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
                    guard file >= 0 else { break }
                    held.append(file)
                }
                for _ in 0..<min(Int.random(in: 0...Self.mostFree - Self.leastFree), held.count) {
                    close(held.removeLast())
                }
                usleep(5_000)
            }
            for file in held { close(file) }
        }
    }

    func stop() { isStopping.store(true, ordering: .relaxed) }
}
