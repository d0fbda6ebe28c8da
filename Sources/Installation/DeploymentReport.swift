package import Core
public import PushModel
public import WorklightProject

/// The result of deploying or removing an adapter.
public struct DeploymentReport: Sendable {
    public enum Outcome: String, Sendable, Hashable {
        /// The version in the folder runs now.
        case deployed
        /// The version in the folder is the one that runs; nothing was done.
        case unchanged
        /// The version in the folder cannot run. The version before, if there is one, stays deployed.
        case refused
        /// The adapter is gone.
        case undeployed
        /// No adapter of this name runs.
        case unknown
    }

    public let adapter: String
    public let outcome: Outcome
    /// The duration of the deployment or the removal.
    public let duration: Duration
    /// True if a version runs now.
    public let isRunning: Bool
    /// Those of the version that runs now, in the order of its descriptor.
    public let procedures: [String]
    /// Those of the version that runs now, sorted.
    public let eventSources: [EventSourceID]
    /// The problems of the version in the folder.
    public let problems: [ProjectError]

    public var isSuccessful: Bool {
        switch outcome {
        case .deployed, .unchanged, .undeployed: true
        case .refused, .unknown: false
        }
    }

    /// A readable line about the result.
    public var summary: String {
        switch outcome {
        case .deployed:
            "\(adapter): deployed in \(Int((duration / .milliseconds(1)).rounded())) ms ("
                + "\(procedures.count.counted("procedure")), \(eventSources.count.counted("event source")))"
        case .unchanged: "\(adapter): unchanged"
        case .refused:
            "\(adapter): not deployed (\(problems.count { $0.severity == .error }.counted("error"))); "
                + (isRunning ? "the version before it goes on" : "no version of it runs")
        case .undeployed: "\(adapter): undeployed; subscriptions to its event sources remain"
        case .unknown: "\(adapter): there is no such adapter"
        }
    }

    package var json: JSONObject {
        [
            "adapter": .string(adapter), "outcome": .string(outcome.rawValue),
            "isRunning": .bool(isRunning),
            "procedures": .array(procedures.map { .string($0) }),
            "eventSources": .array(eventSources.map { .string($0.description) }),
            "problems": .array(problems.map(\.json)),
        ]
    }
}

extension ProjectError {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["file": .string(file)]
        object["line"] = line.map { .number(Double($0)) }
        object["column"] = column.map { .number(Double($0)) }
        object["severity"] = .string(severity.rawValue)
        object["message"] = .string(message)
        return .object(object)
    }
}

extension Int {
    fileprivate func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
