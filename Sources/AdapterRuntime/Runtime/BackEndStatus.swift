import BackEndHTTP
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
    /// The reason why the last of these requests failed; `nil` without failures.
    public internal(set) var reason: String?
    /// The time of the last response; `nil` before the first.
    public internal(set) var lastAnswer: Date?

    /// Counts a request.
    ///
    /// - Parameter failure: why the back end did not respond; `nil` when it did, also with a business error.
    mutating func note(failure: String?, at date: Date) {
        guard let failure else {
            (failuresInARow, failingSince, reason, lastAnswer) = (0, nil, nil, date)
            return
        }
        failuresInARow += 1
        failingSince = failingSince ?? date
        reason = failure
    }
}

extension AdapterRuntime {
    /// The back ends that the loaded adapters have sent requests to, by adapter.
    public var backEnds: [BackEndStatus] {
        adapterNames.flatMap { directory[$0]?.common.backEnds.statuses ?? [] }
    }
}

extension BackEndOutcome {
    /// The reason why the back end did not respond; `nil` when it did. The statuses 502, 503 and 504 of a gateway mean that the service
    /// behind it does not respond.
    var outage: String? {
        switch self {
        case .failure(let failure): failure.head == nil ? failure.message : failure.head?.outage
        case .response(let response): response.head.outage
        }
    }
}

extension BackEndHead {
    fileprivate var outage: String? {
        (502...504).contains(statusCode) ? "the back end returned status \(statusCode)" : nil
    }
}

extension SQLStatementError {
    /// The reason why the database did not respond; `nil` when it refused the statement, or returned too much.
    var outage: String? {
        switch kind {
        case .driverMissing, .connection, .timeout, .poolExhausted: description
        case .statement, .resultTooLarge, .closed: nil
        }
    }
}
