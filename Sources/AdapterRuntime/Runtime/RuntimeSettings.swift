public import Foundation
public import JavaScriptEngine

/// The limits of adapters. They are generous: they protect from mistakes and do not restrict normal work.
public struct RuntimeSettings: Sendable, Hashable {
    /// For procedures and event-source callbacks. A procedure's `requestTimeoutInSeconds` replaces the wall-clock limit.
    public var calls = ExecutionLimits(wallClock: .seconds(30), cpuTime: .seconds(10), heap: 256 << 20)
    /// For polls, for which no client waits.
    public var polls = ExecutionLimits(wallClock: .seconds(300), cpuTime: .seconds(60), heap: 256 << 20)
    /// For the top level of a script.
    public var loading = ExecutionLimits(wallClock: .seconds(30), cpuTime: .seconds(10), heap: 256 << 20)
    /// The file or code that sets the limits, for the error of a call that is stopped at one.
    public var limitOrigin = LimitOrigin.project
    /// The number of calls of one adapter that may wait or run at once; further ones are refused.
    public var waitingCalls = 1000
    /// The longest response of a back end, in bytes.
    public var backEndResponse = 64 << 20
    /// `host` or `host:port` where redirects of HTTP back ends may lead beside the policy's own host and port, in small letters.
    public var redirectHosts: Set<String> = []
    /// True if HTTP back ends may speak TLS 1.0 and 1.1 and use keys and signatures that are weak today.
    public var allowsLegacyTLS = false

    /// The adapters that read BIGINT, NUMERIC and DECIMAL of their databases as strings with all digits. As numbers they lose
    /// digits beyond what JavaScript's numbers hold.
    public var exactNumbers = AdapterSelection.none

    /// The server's data folder, in which adapters may not open SQLite files.
    public var dataFolder: URL?

    /// Some of a project's adapters, by their names.
    public enum AdapterSelection: Sendable, Hashable {
        case none, all
        case named(Set<String>)

        /// The adapters that are named one by one.
        public var names: Set<String> {
            if case .named(let names) = self { names } else { [] }
        }

        func includes(_ adapter: String) -> Bool {
            switch self {
            case .none: false
            case .all: true
            case .named(let names): names.contains(adapter)
            }
        }
    }

    /// True if the scripts' own `Date` follows ``RuntimeServices/time``, for tests that move the clock. It follows the
    /// machine's clock otherwise.
    public var movesScriptClock = false

    /// True if callers get adapters' names and positions in scripts when a call fails. They get a ``FailureReference`` otherwise,
    /// and the log has the rest.
    public var showsFailureDetails = true

    public var scopes = Scopes()

    /// The scopes in which adapters keep their variables, and the virtual machines they live in.
    public struct Scopes: Sendable, Hashable {
        /// The adapters whose calls share scopes, even if the scopes have state.
        public var shared = AdapterSelection.none
        /// The adapters of which each scope has its own JavaScript realm, even if the scripts do not need it. The scopes of the others are closures
        /// in a locked realm.
        public var ownRealm = AdapterSelection.none
        /// True if scripts that need their own realm run in the locked one all the same. For tests that no value crosses there.
        package var sharesAllRealms = false
        /// True if calls run the twins of functions that wait for a back end, and hold no machine meanwhile; see `TwinnedScript`.
        package var runsTwins = true
        /// The number of scopes allowed; above it, those of the least valuable sessions are dropped, of equals those idle longest.
        public var number = 20_000
        /// The number of bytes all scripts together may hold on to; above it, those idle longest are dropped.
        public var memory = 1 << 30
        /// The number of virtual machines allowed. Each has a thread while a call runs or waits in it.
        public var machines = 256
        /// The time an idle machine is kept.
        public var idleTime = Duration.seconds(2)

        public init() {}
    }

    public init() {}

    /// Changes what calls, polls and loading have in common.
    public mutating func setForAll(_ change: (inout ExecutionLimits) -> Void) {
        change(&calls)
        change(&polls)
        change(&loading)
    }
}
