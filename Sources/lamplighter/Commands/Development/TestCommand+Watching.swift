import AdapterTestRunner
import Foundation
import Server

/// An event that makes a watching `lamplighter test` run again.
private enum TestEvent: Sendable {
    /// Files of these adapters; others when `nil`.
    case change(adapters: Set<String>?)
    case all, failed, quit
}

extension TestCommand {
    /// Runs the tests, and repeats those that a changed file or a typed line affects, until Ctrl-C.
    func watchAndRun(_ selection: TestSelection) async throws {
        let isTyped = isatty(STDIN_FILENO) == 1 && Terminal.isCapable(STDERR_FILENO)
        let (events, add) = AsyncStream.makeStream(of: TestEvent.self)
        let watch = Task {
            try await ProjectMonitor(project: selection.project).forEachChange { change in
                if let change { add.yield(.change(adapters: change.adapters)) }
            }
        }
        defer { watch.cancel() }
        if isTyped { Self.readCommands(into: add) }
        var failed = FailedTests()
        try await run(selection.files(), of: selection, remembering: &failed, isTyped: isTyped)
        for await event in events {
            switch event {
            case .quit: return
            case .all: try await run(selection.files(), of: selection, remembering: &failed, isTyped: isTyped)
            case .change(let adapters):
                let files = selection.files()
                // Files in a folder without tests may be shared by others.
                let concerned =
                    adapters.map { names in
                        names.isSubset(of: files.map(\.adapter)) ? files.filter { names.contains($0.adapter) } : files
                    } ?? files
                try await run(concerned, of: selection, remembering: &failed, isTyped: isTyped)
            case .failed:
                let files = selection.files().filter { failed.concern($0) }
                guard !files.isEmpty else {
                    CommandOutput.note("no test has failed")
                    continue
                }
                try await run(files, only: failed, of: selection, remembering: &failed, isTyped: isTyped)
            }
        }
    }

    private func run(
        _ files: [TestFile], only: FailedTests? = nil, of selection: TestSelection,
        remembering failed: inout FailedTests, isTyped: Bool
    ) async throws {
        if Terminal.isCapable(STDOUT_FILENO) { CommandOutput.writePart("\u{1B}[H\u{1B}[2J\u{1B}[3J") }
        _ = try await run(files, only: only, of: selection, remembering: &failed)
        CommandOutput.note(
            isTyped
                ? "waiting for a change; Enter runs all tests, f and Enter those that failed, q and Enter ends"
                : "waiting for a change; Ctrl-C ends")
    }

    private static func readCommands(into events: AsyncStream<TestEvent>.Continuation) {
        Thread.detachNewThread {
            while let line = readLine() {
                switch line {
                case "": events.yield(.all)
                case "f": events.yield(.failed)
                case "q": events.yield(.quit)
                default: continue
                }
            }
            events.yield(.quit)
        }
    }
}
