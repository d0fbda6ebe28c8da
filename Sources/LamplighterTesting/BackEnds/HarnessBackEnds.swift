import AdapterRuntime
import BackEndHTTP
import Databases
import Logging
import Synchronization

/// The stubs and databases of all adapters of a harness. Each is created at its first use.
final class HarnessBackEnds: BackEndStandIns {
    private struct State {
        var http: [String: StubbedBackEnd] = [:]
        var databases: [String: HarnessDatabase] = [:]
        var misuses: [HarnessMisuseError] = []
    }

    /// True if adapters use their real back ends.
    private let isOpen: Bool
    /// The adapters whose databases return exact numbers as strings.
    private let exactNumbers: RuntimeSettings.AdapterSelection
    private let logger: Logger
    /// Records the requests outside every call, poll and callback.
    private let unwatched = HarnessRecorder()
    private let state = Mutex(State())

    init(isOpen: Bool, exactNumbers: RuntimeSettings.AdapterSelection, logger: Logger) {
        self.isOpen = isOpen
        self.exactNumbers = exactNumbers
        self.logger = logger
    }

    func stub(of adapter: String) -> StubbedBackEnd {
        state.withLock { state in
            if let known = state.http[adapter] { return known }
            let new = StubbedBackEnd(adapter: adapter, unwatched: unwatched) { [weak self] in self?.note($0) }
            state.http[adapter] = new
            return new
        }
    }

    /// - Throws: `SQLConfigurationError`.
    func database(of adapter: String) throws(SQLConfigurationError) -> HarnessDatabase {
        try state.withLock { (state) throws(SQLConfigurationError) in
            if let known = state.databases[adapter] { return known }
            let new = try HarnessDatabase(
                adapter: adapter, exactNumbers: hasExactNumbers(adapter), logger: logger)
            state.databases[adapter] = new
            return new
        }
    }

    private func hasExactNumbers(_ adapter: String) -> Bool {
        switch exactNumbers {
        case .none: false
        case .all: true
        case .named(let names): names.contains(adapter)
        }
    }

    /// The requests outside every call, poll and callback that had no stub or whose stub threw.
    var unattributedRequests: [UnstubbedRequest] { unwatched.troubles }

    /// Stores a misuse in a function that cannot throw, for the next call of ``checkUse()``.
    func note(_ misuse: HarnessMisuseError) { state.withLock { $0.misuses.append(misuse) } }

    /// Throws the first stored misuse, if there is one.
    ///
    /// - Throws: ``HarnessMisuseError``.
    func checkUse() throws(HarnessMisuseError) {
        if let misuse = state.withLock({ $0.misuses.first }) { throw misuse }
    }

    func close() {
        for database in state.withLock({ Array($0.databases.values) }) { database.close() }
    }

    func http(for adapter: String) -> (any BackEndStandIn)? {
        isOpen ? nil : stub(of: adapter)
    }

    func database(for adapter: String) throws(SQLConfigurationError) -> SQLDataSource? {
        isOpen ? nil : try database(of: adapter).source
    }
}
