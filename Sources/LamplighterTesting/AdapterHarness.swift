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

/// A project's adapters under test: the real runtime over a store in memory. The test moves the clock and sets the responses of
/// back ends. The harness sends nothing over the network and leaves no files.
///
/// ```swift
/// let harness = try await AdapterHarness(adapter: "Greeter", script: "function greet(name) { return 'Hello ' + name; }")
/// let greeting = try await harness.call("greet", "Ann")
/// #expect(greeting == "Hello Ann")
/// ```
///
/// Harnesses share no state, so tests may run in parallel. Creating one takes milliseconds. Keep the harness in a variable or a
/// property for as long as the test uses its back ends or databases: they close with it.
public final class AdapterHarness: Sendable {
    /// The options of a harness: its clock, its limits and its back ends.
    public struct Options: Sendable {
        /// The time of day at which the harness's clock begins; 14 November 2023, 22:13:20 UTC by default.
        public var start = ManualTime.start
        /// The settings of the adapter runtime, such as the limits of calls.
        public var runtime = RuntimeSettings()
        /// The source of the limits, which the error of a call that exceeds one names.
        package var limitOrigin = LimitOrigin.harness
        /// True if adapters use their real back ends over the network; false, the default, for stubs and databases in memory.
        public var usesRealBackEnds = false
        /// True if the harness is created even when some adapters cannot be loaded; ``AdapterHarness/problems`` lists them.
        /// False by default.
        public var toleratesProblems = false
        /// The adapter to which names without an adapter refer; by default the project's adapter if it has only one.
        public var adapter: String?
        /// The collector that counts the lines that run; none by default.
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
    /// The errors and warnings that loading the project reported.
    public let problems: [ProjectError]
    public let project: Project
    let store: SQLStore
    let scheduler: PollScheduler
    let backEnds: HarnessBackEnds
    let pushSettings: PushServiceSettings
    let people = Mutex(HarnessUsers())
    let outcomes: PollOutcomes
    /// The adapters whose polls are scheduled.
    let polled = Mutex(PolledAdapters.own)
    let sink: HarnessSink
    /// The number of deliveries that ``clearSent()`` hides, from the first one.
    let cleared = Mutex(0)
    let options: Options
    private let lines: HarnessLog.Lines
    /// The temporary folder of a project whose files were passed as strings; `nil` for other projects.
    private let folder: HarnessFolder?

    /// Loads a project from its folder.
    ///
    /// - Throws: ``HarnessLoadingError``, `StoreError`; ``HarnessMisuseError`` for options that do not fit the project.
    public convenience init(
        project folder: URL, options: Options = Options(), fileID: String = #fileID, line: Int = #line
    ) async throws {
        try await self.init(
            project: Project(reading: folder), folder: nil, scripts: nil, options: options,
            place: TestPlace(fileID: fileID, line: line))
    }

    /// Loads a project from the contents of its files, keyed by their paths in the project, such as `adapters/Greeter/Greeter.xml`.
    ///
    /// The files are written to a temporary folder, which is removed with the harness.
    ///
    /// - Throws: ``HarnessLoadingError``, `StoreError`, the errors of writing the files; ``HarnessMisuseError`` for options that do not
    ///   fit the project.
    public convenience init(
        files: [String: String], options: Options = Options(), fileID: String = #fileID, line: Int = #line
    ) async throws {
        let folder = try HarnessFolder(files)
        try await self.init(
            project: Project(reading: folder.url), folder: folder, scripts: nil, options: options,
            place: TestPlace(fileID: fileID, line: line))
    }

    /// Loads one adapter from its script. The harness makes the descriptor; see ``AdapterText``.
    ///
    /// - Parameters:
    ///   - procedures: the functions that are procedures, which clients may call; all functions at the top level when `nil`.
    ///   - connection: the kind of back end that the adapter has.
    /// - Throws: ``HarnessLoadingError``, `StoreError`, the errors of writing the temporary files; ``HarnessMisuseError`` for options that
    ///   do not fit the adapter.
    public convenience init(
        adapter name: String, script: String, procedures: [String]? = nil, connection: AdapterText.Connection = .http,
        options: Options = Options(), fileID: String = #fileID, line: Int = #line
    ) async throws {
        try await self.init(
            files: AdapterText(name: name, script: script, procedures: procedures, connection: connection).files,
            options: options, fileID: fileID, line: line)
    }

    /// Loads a project that was read before, so that tests of the same project need not read it again.
    ///
    /// - Throws: ``HarnessLoadingError``, `StoreError`; ``HarnessMisuseError`` for options that do not fit the project.
    public convenience init(
        _ project: HarnessProject, options: Options = Options(), fileID: String = #fileID, line: Int = #line
    ) async throws {
        try await self.init(
            project: project.project, folder: nil, scripts: project.scripts, options: options,
            place: TestPlace(fileID: fileID, line: line))
    }

    /// Loads the adapters and starts the harness. Errors name `place`, the line of the test that creates it.
    ///
    /// - Throws: ``HarnessLoadingError``, ``HarnessMisuseError``, `StoreError`.
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
        // A test runs thousands of polls, and the scheduler logs the duration of each at debug level.
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

    // The checks of the initializer must not be inlined into it: typed errors there crash the optimizer of Swift 6.3.1 ("While
    // splitting coroutine").

    /// Checks that the project has the adapter of the options.
    ///
    /// - Throws: ``HarnessMisuseError``.
    @inline(never)
    private func refuseUnknownAdapter(_ place: TestPlace) throws {
        try place.during { if options.adapter != nil { _ = try adapterName(nil) } }
    }

    /// Checks that the start of the clock is a time that `Date` of JavaScript can represent.
    ///
    /// - Throws: ``HarnessMisuseError``.
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

    /// Runs the top level of the default adapter, as a server does when it starts. Calls report the error that it throws.
    private func begin() async {
        guard let defaultAdapter else { return }
        _ = try? await runtime.evaluate("undefined", adapter: defaultAdapter)
    }

    deinit {
        runtime.interrupt(reason: "the test is over")
        backEnds.close()
        manualTime.stop()
    }

    /// The log lines of the adapters and of the runtime, in order. Lines of the runtime that concern no adapter are included.
    public var log: [HarnessLogLine] { lines.all }

    /// Returns the stub that replaces an adapter's HTTP back end.
    ///
    /// The function itself throws nothing. The next call of the harness throws ``HarnessMisuseError`` when the project has no such adapter,
    /// or when ``Options/usesRealBackEnds`` is set.
    ///
    /// - Parameter adapter: the adapter's name; ``Options/adapter``, or the project's only adapter, when `nil`.
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

    /// Returns the database in memory that replaces an adapter's database.
    ///
    /// - Parameter adapter: the adapter's name; ``Options/adapter``, or the project's only adapter, when `nil`.
    /// - Throws: ``HarnessMisuseError`` when the adapter has no database; `SQLConfigurationError` when SQLite cannot be opened.
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

    /// The adapter to which names without an adapter refer: ``Options/adapter``, or the project's only adapter.
    package var defaultAdapter: String? {
        options.adapter ?? (project.adapters.count == 1 ? project.adapters[0].descriptor.name : nil)
    }
}

/// An error for a project that cannot be loaded.
public struct HarnessLoadingError: HarnessError {
    /// The errors, without the warnings.
    public let problems: [ProjectError]
    public var place: TestPlace?

    public init(problems: [ProjectError], place: TestPlace? = nil) {
        (self.problems, self.place) = (problems, place)
    }

    public var message: String {
        "the project cannot be loaded:\n" + problems.map { "  \($0)" }.joined(separator: "\n")
    }
}
