import AdapterRuntime
import AdapterTestRunner
import ArgumentParser
import Foundation
import Installation
import WorklightProject

struct TestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Run the tests of the adapters: adapters/<Name>/<Name>.test.js.",
        discussion:
            "See docs/testing-adapters.md. Status 0: all passed; 1: one failed, or there are none; 2: wrong usage.")

    @Argument(
        help: ArgumentHelp(
            "The Worklight project's folder, or test files and adapters' folders in it; default: the current folder, or the nearest parent with adapters or settings.",
            valueName: "path"),
        completion: .file())
    var paths: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only tests whose names contain this string, or match this regular expression: /…/.", valueName: "text"))
    var filter: String?

    @Option(
        help: ArgumentHelp("Only the tests of this adapter.", valueName: "name"), completion: ProjectCompletion.adapters
    )
    var adapter: String?

    @Option(
        help: "text, junit, tap or json.",  // prose: allowed, the names of formats
        completion: .list(TestReportFormat.allCases.map(\.rawValue)),
        transform: { text in
            guard let format = TestReportFormat(rawValue: text) else {
                throw ValidationError("expected text, junit, tap or json")  // prose: allowed, the names of formats
            }
            return format
        })
    var format = TestReportFormat.text

    @Option(
        help: ArgumentHelp(
            "Write the report to this file, and the readable report to standard output.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("The time limit of one test, in seconds.", valueName: "seconds"))
    var timeout = 5.0

    @Flag(help: "Run the tests again whenever a file of an adapter changes.")
    var watch = false

    @Flag(help: "Say which lines of the adapters were run.")
    var coverage = false

    @Option(help: ArgumentHelp("Write lcov's tracefile there.", valueName: "file"))
    var coverageFile: String?

    @Option(help: ArgumentHelp("Fail when fewer of the lines were run.", valueName: "percent"))
    var coverageMinimum: Double?

    func validate() throws {
        if let filter {
            do { _ = try TestFilter(filter) } catch {
                throw ValidationError("--filter \(filter): this is not a regular expression")
            }
        }
        guard timeout > 0, timeout <= 3600 else {
            throw ValidationError("--timeout \(timeout): expected a number of seconds, more than 0 and at most 3600")
        }
        if let coverageMinimum, !(0...100).contains(coverageMinimum) {
            throw ValidationError("--coverage-minimum \(coverageMinimum): expected a percentage from 0 to 100")
        }
        if watch, output != nil || format != .text {
            throw ValidationError("--watch writes plain text only; leave out --format and --output")
        }
    }

    func run() async throws {
        let paths = try paths.isEmpty ? [ProjectFolder.find(nil).path] : paths
        let selection = try TestSelection(paths, adapter: adapter)
        guard watch else {
            var failed = FailedTests()
            let files = selection.files()
            if try await !run(files, of: selection, remembering: &failed) { throw ExitCode.failure }
            return
        }
        try await watchAndRun(selection)
    }

    /// - Parameters:
    ///   - only: of the files only what this holds.
    ///   - failed: learns what fails.
    /// - Returns: whether all is well.
    func run(
        _ files: [TestFile], only: FailedTests? = nil, of selection: TestSelection,
        remembering failed: inout FailedTests
    ) async throws -> Bool {
        let folder = selection.project
        let written = try ReportFiles(self)
        guard !files.isEmpty else {
            CommandOutput.note(
                "there are no tests\(adapter.map { " of \($0)" } ?? "") in \(folder.path); write them in "
                    + "adapters/<Name>/<Name>.test.js (docs/testing-adapters.md)")
            return false
        }
        var runner = AdapterTestRunner(project: Project(reading: folder))
        runner.filter = try filter.map { try TestFilter($0) }
        runner.only = only
        runner.timeLimit = .seconds(timeout)
        runner.runtime = limits(of: folder)
        let collector = CoverageCollector()
        if coverage || coverageFile != nil || coverageMinimum != nil { runner.coverage = collector }
        let text = TextReport(usesColor: Terminal.hasColours(STDOUT_FILENO))
        let isForPeople = format == .text || output != nil
        let outcome = await runner.run(files) { file in
            if isForPeople { CommandOutput.writePart(text.report(file)) }
        }
        failed.remember(outcome)
        if isForPeople { CommandOutput.writePart(text.summary(outcome)) }
        if let report = written.report {
            try report.write(format.report(outcome))
        } else if format != .text {
            CommandOutput.writePart(format.report(outcome))
        }
        if filter != nil, outcome.count(.passed) + outcome.count(.failed) == 0 {
            CommandOutput.note("no test's name fits --filter \(filter ?? "")")
            return false
        }
        let isCovered = try reportCoverage(CoverageSummary(collector.result, of: selection.adapters), written)
        return outcome.isSuccessful && isCovered
    }

    /// Returns the limits of calls that the server would have. If the settings cannot be read, because a secret is elsewhere, say, the tests run
    /// nevertheless.
    private func limits(of folder: URL) -> RuntimeSettings {
        do {
            let environment = ProcessInfo.processInfo.environment
            return try Settings.read(project: folder, environment: environment).installation.runtime
        } catch {
            CommandOutput.note("the limits of lamplighter.yaml do not hold in tests: \(error)")
            return RuntimeSettings()
        }
    }

    private func reportCoverage(_ summary: CoverageSummary, _ written: ReportFiles) throws -> Bool {
        try written.coverage?.write(summary.lcov)
        if coverage {
            // A report for machines has standard output for itself.
            let table = "\n" + summary.table
            if format == .text || output != nil { CommandOutput.writePart(table) } else { CommandOutput.note(table) }
        }
        guard let coverageMinimum, summary.total.lines.percent < coverageMinimum else { return true }
        CommandOutput.note(
            "\(summary.total.lines.covered) of \(summary.total.lines.total) lines were run, fewer than --coverage-minimum "
                + "\(coverageMinimum)")
        return false
    }
}

/// The files that were asked for.
private struct ReportFiles {
    let report: OutputFile?
    let coverage: OutputFile?

    /// - Throws: `ValidationError` when one of them cannot be written.
    init(_ command: TestCommand) throws {
        report = try command.output.map { try OutputFile("--output", $0) }
        coverage = try command.coverageFile.map { try OutputFile("--coverage-file", $0) }
    }
}
