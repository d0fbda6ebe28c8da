public import AdapterRuntime
import Foundation
import JavaScriptEngine
import LamplighterTesting
public import WorklightProject

/// Runs the test files of a project's adapters: each file in a separate virtual machine, each test with a separate harness, several
/// files in parallel.
public struct AdapterTestRunner: Sendable {
    public let project: Project
    /// The filter for the names of tests; all tests run when `nil`.
    public var filter: TestFilter?
    /// The failed tests to run again; all tests run when `nil`.
    public var only: FailedTests?
    /// The time limit of a test with its hooks; 5 s by default.
    public var timeLimit = Duration.seconds(5)
    /// The settings of the adapter runtime, such as the limits of calls. Callers set those of the project's `lamplighter.yaml`.
    public var runtime = RuntimeSettings()
    /// The collector that counts the lines of adapters that run; none by default.
    public var coverage: CoverageCollector?
    /// The number of files that run in parallel; by default the number of processors.
    public var width = max(1, ProcessInfo.processInfo.activeProcessorCount)

    public init(project: Project) {
        self.project = project
    }

    /// Runs the files.
    ///
    /// - Parameter report: called for each file in their order, as soon as it and those before have ended.
    public func run(
        _ files: [TestFile], report: @Sendable (FileOutcome) async -> Void = { _ in }
    ) async -> RunOutcome {
        let clock = ContinuousClock()
        let start = clock.now
        let read = await Result { try await HarnessProject(project, coverage: coverage) }
        var outcomes: [Int: FileOutcome] = [:]
        var reported = 0
        await withTaskGroup(of: (Int, FileOutcome).self) { group in
            var next = 0
            func begin() {
                guard next < files.count else { return }
                let index = next
                next += 1
                group.addTask { (index, await run(files[index], of: read)) }
            }
            for _ in 0..<width { begin() }
            for await (index, outcome) in group {
                begin()
                outcomes[index] = outcome
                while let ready = outcomes[reported] {
                    await report(ready)
                    reported += 1
                }
            }
        }
        return RunOutcome(files: files.indices.compactMap { outcomes[$0] }, duration: clock.now - start)
    }

    private func run(_ file: TestFile, of read: Result<HarnessProject, any Error>) async -> FileOutcome {
        let text: String
        do {
            text = try FileText(plain: Data(contentsOf: project.folder.appending(path: file.path))).text
        } catch {
            let failure = TestFailureError(
                message: "the file cannot be read: \(error.localizedDescription)", place: nil, stack: [])
            return FileOutcome(file: file, source: "", tests: [], output: [], failure: failure)
        }
        do {
            let run = try await FileRun(file: file, source: text, project: read.get(), runner: self)
            return FileOutcome(
                file: file, source: text, tests: await run.tests(), output: run.output, failure: nil)
        } catch {
            return FileOutcome(
                file: file, source: text, tests: [], output: [], failure: TestFailureError(error, in: file.path))
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
