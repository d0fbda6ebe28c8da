import Core
public import Testing

/// Runs tests that block on separate threads, a few at a time, so that they do not occupy the few threads of Swift's pool.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    public init() {}

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(Threads.shared) { try await function() }
    }

    private final class Threads: TaskExecutor {
        static let shared = Threads()

        private let pool = ThreadPool(name: "tests", threads: 8)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            pool.submit { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}

extension Trait where Self == OwnThreads {
    public static var onOwnThreads: Self { Self() }
}
