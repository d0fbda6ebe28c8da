import BackEndHTTP
import Core
import Databases

public import struct Foundation.Date

/// The outcomes of an adapter's requests to its HTTP service or its database since the adapter was loaded.
public struct BackEndStatus: Sendable, Hashable {
    /// The connections of an adapter to a back end.
    public enum Kind: String, Sendable, CaseIterable {
        case http = "HTTP"
        case sql = "SQL"
    }

    /// The adapter's name.
    public let adapter: String
    /// The connection of the adapter to the back end.
    public let kind: Kind
    /// The number of requests without a response since the last request that had one.
    public internal(set) var failuresInARow = 0
    /// The time of the first of these failures; `nil` without failures.
    public internal(set) var failingSince: Date?
    /// The reason why the last request, or the last trial of a connection, failed; `nil` without failures.
    public internal(set) var reason: String?
    /// True if the last failure was a connection that could not be opened.
    public internal(set) var isConnecting = false
    /// The time of the last response; `nil` before the first.
    public internal(set) var lastAnswer: Date?
    /// The time at which a trial last opened a connection; `nil` before the first.
    public internal(set) var lastConnection: Date?
    /// The time of the last request or trial; `nil` before the first.
    public internal(set) var lastTried: Date?

    /// Counts a request.
    ///
    /// - Parameter failure: why the back end did not respond; `nil` when it did, also with a business error.
    mutating func note(failure: BackEndOutage?, at date: Date) {
        lastTried = date
        guard let failure else {
            lastAnswer = date
            return clear()
        }
        failuresInARow += 1
        failingSince = failingSince ?? date
        (reason, isConnecting) = (failure.reason, failure.isConnecting)
    }

    /// Notes the result of a trial. It ends failures that concern connecting; others end with the next response.
    mutating func note(connection trial: ConnectionTrial, at date: Date) {
        lastTried = date
        if let failure = trial.failure {
            (reason, isConnecting) = (failure, true)
        } else {
            lastConnection = date
            if isConnecting { clear() }
        }
    }

    private mutating func clear() {
        (failuresInARow, failingSince, reason, isConnecting) = (0, nil, nil, false)
    }
}

/// The reason why a back end did not respond.
struct BackEndOutage: Sendable {
    let reason: String
    /// True if there was no connection.
    let isConnecting: Bool
}

/// The result of trying a connection.
struct ConnectionTrial: Sendable {
    /// The reason why there was no connection; `nil` if there was one.
    let failure: String?
}

extension AdapterRuntime {
    /// The back ends that the loaded adapters have sent requests to, by adapter.
    public var backEnds: [BackEndStatus] {
        adapterNames.flatMap { directory[$0]?.common.backEnds.statuses ?? [] }
    }

    /// Tries a connection to a back end of a loaded adapter. Returns at once; ``backEnds`` has the result later.
    ///
    /// - Parameter limit: the longest wait.
    public func tryConnection(of adapter: String, _ kind: BackEndStatus.Kind, within limit: Duration) {
        directory[adapter]?.common.backEnds.tryConnection(kind, within: limit, on: Self.trials, time: services.time)
    }

    /// The threads that wait for connections.
    private static let trials = ThreadPool(name: "connections", threads: 8)
}

extension BackEndOutcome {
    /// The reason why the back end did not respond; `nil` when it did. The statuses 502, 503 and 504 of a gateway mean that the service
    /// behind it does not respond.
    var outage: BackEndOutage? {
        switch self {
        case .failure(let failure):
            failure.head == nil
                ? BackEndOutage(reason: failure.message, isConnecting: failure.isConnecting) : failure.head?.outage
        case .response(let response): response.head.outage
        }
    }
}

extension BackEndHead {
    fileprivate var outage: BackEndOutage? {
        (502...504).contains(statusCode)
            ? BackEndOutage(reason: "the back end returned status \(statusCode)", isConnecting: false) : nil
    }
}

extension SQLStatementError {
    /// The reason why the database did not respond; `nil` when it refused the statement, or returned too much.
    var outage: BackEndOutage? {
        switch kind {
        case .driverMissing, .connection: BackEndOutage(reason: description, isConnecting: true)
        case .timeout, .poolExhausted: BackEndOutage(reason: description, isConnecting: false)
        case .statement, .resultTooLarge, .closed: nil
        }
    }
}
