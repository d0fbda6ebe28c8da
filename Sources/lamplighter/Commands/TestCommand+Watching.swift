import AdapterTestRunner
import Foundation
import Gateway

/// What has a watching `lamplighter test` run again.
private enum TestEvent: Sendable {
    /// Files of these adapters; others when `nil`.
    case change(adapters: Set<String>?)
    case all, failed, quit
}

extension TestCommand {
    /// Runs the tests, and again what is concerned when files change, and what keys ask for, until it is ended.
    func watchAndRun(_ selection: TestSelection) async throws {
        let hasKeys = isatty(STDIN_FILENO) == 1 && Terminal.isCapable(STDERR_FILENO)
        let mode = hasKeys ? RawMode() : nil
        mode?.take(signals: true)
        defer { mode?.restore() }
        let (events, add) = AsyncStream.makeStream(of: TestEvent.self)
        let watch = Task {
            try await ProjectWatch(project: selection.project).forEachChange { change in
                if let change { add.yield(.change(adapters: change.adapters)) }
            }
        }
        defer { watch.cancel() }
        if hasKeys { Self.readKeys(into: add) }
        var failed = FailedTests()
        try await run(selection.files(), of: selection, remembering: &failed, hasKeys: hasKeys)
        for await event in events {
            switch event {
            case .quit: return
            case .all: try await run(selection.files(), of: selection, remembering: &failed, hasKeys: hasKeys)
            case .change(let adapters):
                let files = selection.files()
                // What lies in a folder without tests may be shared by others.
                let concerned =
                    adapters.map { names in
                        names.isSubset(of: files.map(\.adapter)) ? files.filter { names.contains($0.adapter) } : files
                    } ?? files
                try await run(concerned, of: selection, remembering: &failed, hasKeys: hasKeys)
            case .failed:
                let files = selection.files().filter { failed.concern($0) }
                guard !files.isEmpty else {
                    Console.note("no test has failed")
                    continue
                }
                try await run(files, only: failed, of: selection, remembering: &failed, hasKeys: hasKeys)
            }
        }
    }

    private func run(
        _ files: [TestFile], only: FailedTests? = nil, of selection: TestSelection,
        remembering failed: inout FailedTests, hasKeys: Bool
    ) async throws {
        if Terminal.isCapable(STDOUT_FILENO) { Console.writePart("\u{1B}[H\u{1B}[2J\u{1B}[3J") }
        _ = try await run(files, only: only, of: selection, remembering: &failed)
        Console.note(
            hasKeys
                ? "waiting for a change; Enter runs all, f what failed, q ends" : "waiting for a change; Ctrl-C ends")
    }

    private static func readKeys(into events: AsyncStream<TestEvent>.Continuation) {
        Thread.detachNewThread {
            let reader = KeyReader {
                var byte: UInt8 = 0
                return read(STDIN_FILENO, &byte, 1) == 1 ? byte : nil
            }
            while let key = reader.read() {
                switch key {
                case .enter: events.yield(.all)
                case .text("f"): events.yield(.failed)
                case .text("q"), .control("d"): events.yield(.quit)
                default: continue
                }
            }
        }
    }
}
