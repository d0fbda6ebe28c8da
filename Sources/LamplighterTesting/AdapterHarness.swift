public import AdapterRuntime
import Core
import Databases
public import Foundation
import Logging
import PollScheduler
import Push
import PushModel
import Storage
import Synchronization
public import WorklightProject

/// A project's adapters under test: the real runtime over a store in memory. The test moves the clock and answers for the back
/// ends. The harness sends nothing over the network and leaves no files.
///
///     let harness = try await AdapterHarness(adapter: "Greeter", script: "function greet(name) { return 'Hello ' + name; }")
///     #expect(try await harness.call("greet", "Ann") == "Hello Ann")
///
/// Harnesses share no state, so tests may run at the same time. Creating one takes milliseconds.
public final class AdapterHarness: Sendable {
    /// How a harness differs from others.
    public struct Options: Sendable {
        /// The time of day at which its clock begins.
        public var start = ManualTime.start
        /// The limits of calls.
        public var runtime = RuntimeSettings()
        /// The place where these are set, for messages to authors.
        package var limitOrigin = LimitOrigin.harness
        /// Whether back ends are the real ones, which adapters reach over the network, instead of stubs.
        public var usesRealBackEnds = false
        /// Whether the harness is created although some adapters cannot be loaded; ``AdapterHarness/problems`` lists them.
        public var toleratesProblems = false
        /// The adapter for names without one; in a project with one adapter, that adapter.
        public var adapter: String?
        /// Learns which lines are run.
        public var coverage: CoverageCollector?

        public init() {}

        /// The default options, with an adapter for names without one.
        public static func adapter(_ name: String) -> Options {
            var options = Options()
            options.adapter = name
            return options
        }
    }

    public let runtime: AdapterRuntime
    let manualTime: ManualTime
    /// What is wrong with the project.
    public let problems: [ProjectError]
    public let project: Project
    let store: SQLStore
    let scheduler: PollScheduler
    let backEnds: HarnessBackEnds
    let pushSettings: PushServiceSettings
    let people = Mutex(HarnessUsers())
    let outcomes: PollOutcomes
    /// Whose polls are planned.
    let polled = Mutex(PolledAdapters.own)
    let sink: HarnessSink
    /// How many deliveries have been cleared.
    let cleared = Mutex(0)
    let options: Options
    private let lines: HarnessLog.Lines
    /// Of files that were given as texts.
    private let folder: HarnessFolder?

    /// Loads a project from its folder.
    ///
    /// - Throws: ``HarnessLoadingError``, `StoreError`.
    public convenience init(
        project folder: URL, options: Options = Options(), fileID: String = #fileID, line: Int = #line
    ) async throws {
        try await self.init(
            project: Project(reading: folder), folder: nil, scripts: nil, options: options,
            place: TestPlace(fileID: fileID, line: line))
    }

    /// Loads a project whose files are given as texts, by their paths: `adapters/Greeter/Greeter.xml`.
    ///
    /// - Throws: ``HarnessLoadingError``, `StoreError`, and what writing the files for a moment throws.
    public convenience init(
        files: [String: String], options: Options = Options(), fileID: String = #fileID, line: Int = #line
    ) async throws {
        let folder = try HarnessFolder(files)
        try await self.init(
            project: Project(reading: folder.url), folder: folder, scripts: nil, options: options,
            place: TestPlace(fileID: fileID, line: line))
    }

    /// Loads one adapter from a text.
    ///
    /// - Parameters:
    ///   - procedures: which functions may be called from outside; all at the top level when `nil`.
    ///   - connection: the kind of back end it has.
    /// - Throws: ``HarnessLoadingError``, `StoreError`.
    public convenience init(
        adapter name: String, script: String, procedures: [String]? = nil, connection: AdapterText.Connection = .http,
        options: Options = Options(), fileID: String = #fileID, line: Int = #line
    ) async throws {
        try await self.init(
            files: AdapterText(name: name, script: script, procedures: procedures, connection: connection).files,
            options: options, fileID: fileID, line: line)
    }

    /// Loads a project that was read before, as when many tests are about the same one.
    ///
    /// - Throws: ``HarnessLoadingError``, `StoreError`.
    public convenience init(
        _ project: HarnessProject, options: Options = Options(), fileID: String = #fileID, line: Int = #line
    ) async throws {
        try await self.init(
            project: project.project, folder: nil, scripts: project.scripts, options: options,
            place: TestPlace(fileID: fileID, line: line))
    }

    /// - Parameter place: the line of the test that makes it.
    init(
        project: Project, folder: HarnessFolder?, scripts: ScriptReadings?, options: Options, place: TestPlace
    ) async throws {
        try Self.check(options, place)
        self.project = project
        self.folder = folder
        self.options = options
        let lines = HarnessLog.Lines()
        let logger = Logger(label: "harness") { _ in HarnessLog(lines: lines) }
        self.lines = lines
        let clock = ManualTime(at: options.start)
        manualTime = clock
        let store = try SQLStore(inMemoryAt: clock)
        self.store = store
        backEnds = HarnessBackEnds(
            isOpen: options.usesRealBackEnds, exactNumbers: options.runtime.exactNumbers, logger: logger)
        var pushSettings = PushServiceSettings()
        pushSettings.complete(from: project)
        self.pushSettings = pushSettings
        let pressure = OutboxBackpressure()
        sink = HarnessSink(outbox: store.outbox, broadcasts: store.outbox, pressure: pressure)
        var services = RuntimeServices(
            subscriptions: store, smsSubscriptions: store, notifications: sink, broadcasts: sink, time: clock,
            logger: logger)
        services.standIns = backEnds
        services.coverage = options.coverage
        var settings = options.runtime
        settings.limitOrigin = options.limitOrigin
        settings.movesScriptClock = true
        let runtime = AdapterRuntime(project: project, services: services, settings: settings)
        self.runtime = runtime
        let outcomes = PollOutcomes()
        self.outcomes = outcomes
        // A test runs thousands of polls; the time that each took says nothing about the adapter.
        var pollLogger = logger
        pollLogger.logLevel = .info
        scheduler = PollScheduler(store: store, time: clock, logger: pollLogger) { source in
            try await outcomes.record(source, at: clock) { try await runtime.poll(source) }
        }
        if let scripts {
            problems = runtime.load(asReadBefore: scripts)
        } else {
            problems = await runtime.load()
        }
        let errors = problems.filter { $0.severity == .error }
        guard errors.isEmpty || options.toleratesProblems else {
            throw HarnessLoadingError(problems: errors, place: place)
        }
        try refuseUnknownAdapter(place)
        await schedulePolls(of: .own)
        if scripts != nil { await begin() }
    }

    // What the initializer asks is never a part of it: there typed errors make the optimizer of Swift 6.3.1 crash ("While splitting
    // coroutine").

    /// - Throws: ``HarnessMisuseError`` when the project does not have the adapter of the options.
    @inline(never)
    private func refuseUnknownAdapter(_ place: TestPlace) throws {
        try place.during { if options.adapter != nil { _ = try adapterName(nil) } }
    }

    /// - Throws: ``HarnessMisuseError`` when the clock cannot begin where the options want it to.
    @inline(never)
    private static func check(_ options: Options, _ place: TestPlace) throws {
        try place.during {
            let start = options.start.timeIntervalSince1970
            guard HarnessClock.tellableSeconds.contains(start) else {
                throw HarnessMisuseError(
                    "options.start: expected a time that calendars know, got \(start) s since 1970")
            }
        }
    }

    /// Runs the top level of the adapter that the test is about, as a server does when it starts. What it throws, calls tell.
    private func begin() async {
        guard let defaultAdapter else { return }
        _ = try? await runtime.evaluate("undefined", adapter: defaultAdapter)
    }

    deinit {
        runtime.interrupt(reason: "the test is over")
        backEnds.close()
        manualTime.stop()
    }

    /// What the runtime and the adapters have logged, in order. What the runtime says for itself, of no adapter, is among it.
    public var log: [HarnessLogLine] { lines.all }

    /// The stub that answers in place of an adapter's HTTP back end.
    ///
    /// What comes next fails with ``HarnessMisuseError`` when the project has no such adapter, or reaches its real back ends.
    ///
    /// - Parameter adapter: ``Options/adapter`` when `nil`.
    public func backEnd(_ adapter: String? = nil, fileID: String = #fileID, line: Int = #line) -> StubbedBackEnd {
        do throws(HarnessMisuseError) {
            let name = try adapterName(adapter)
            if options.usesRealBackEnds {
                throw HarnessMisuseError("this harness has 'usesRealBackEnds', so nothing asks the stub of \(name)")
            }
            return backEnds.stub(of: name)
        } catch {
            var misuse = error
            misuse.place = TestPlace(fileID: fileID, line: line)
            backEnds.note(misuse)
            return backEnds.stub(of: adapter ?? "")
        }
    }

    /// The database in memory that replaces an adapter's database.
    ///
    /// - Throws: ``HarnessMisuseError`` when the adapter has none; `SQLConfigurationError` when SQLite cannot be opened.
    public func database(
        _ adapter: String? = nil, fileID: String = #fileID, line: Int = #line
    ) throws -> HarnessDatabase {
        try TestPlace(fileID: fileID, line: line).during {
            let name = try adapterName(adapter)
            if let descriptor = project.adapters.map(\.descriptor).first(where: { $0.name == name }) {
                guard case .sql = descriptor.connectivity else {
                    throw HarnessMisuseError(
                        "harness.database: \(name) has no SQL back end: the connectionPolicy in its XML is of another kind"
                    )
                }
            }
            return try backEnds.database(of: name)
        }
    }

    /// The adapter for names without one.
    package var defaultAdapter: String? {
        options.adapter ?? (project.adapters.count == 1 ? project.adapters[0].descriptor.name : nil)
    }
}

/// A project that cannot be loaded.
public struct HarnessLoadingError: HarnessError {
    public let problems: [ProjectError]
    public var place: TestPlace?

    public init(problems: [ProjectError], place: TestPlace? = nil) {
        (self.problems, self.place) = (problems, place)
    }

    public var message: String {
        "the project cannot be loaded:\n" + problems.map { "  \($0)" }.joined(separator: "\n")
    }
}
