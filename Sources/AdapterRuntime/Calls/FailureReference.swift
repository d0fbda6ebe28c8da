import JavaScriptEngine
public import Logging

/// The id of a failure whose details only the log has; callers get the id.
public struct FailureReference: Sendable, Hashable, CustomStringConvertible {
    /// 8 hexadecimal digits.
    public let id: String

    public init() {
        let digits = String(UInt32.random(in: .min ... .max), radix: 16)
        id = String(repeating: "0", count: 8 - digits.count) + digits
    }

    public var description: String { "error \(id)" }

    /// For the line in the log that has the details.
    public var metadata: Logger.Metadata { ["error": "\(id)"] }

    /// Returns the message for callers when a call failed for another reason than an exception of the script itself. It names no adapter,
    /// file or position.
    func message(for error: any Error) -> String {
        let text =
            switch error {
            case let unknown as UnknownNameError: "there is no such \(unknown.kind)"
            case is LimitExceededError: "the call was stopped at a limit"
            case let parameters as ParameterError: "\(parameters)"
            case let outdated as StalePermitError: "\(outdated)"
            default: "the call failed"
            }
        return "\(text) (\(self))"
    }
}

extension RuntimeSettings {
    /// For a failure whose details callers do not get; `nil` when they do.
    var failureReference: FailureReference? { showsFailureDetails ? nil : FailureReference() }
}

extension ProcedureResult {
    /// Returns the result of a call that did not reach the script or that the script could not end. Logs the error if clients get a reference.
    static func failure(of error: any Error, _ settings: RuntimeSettings, _ logger: Logger) -> ProcedureResult {
        let reference = settings.failureReference
        var result = failure(["Runtime: \(reference?.message(for: error) ?? "\(error)")"])
        if let reference { logger.info("a call failed: \(error)", metadata: reference.metadata) }
        result.trouble = "\(error)"
        if error is LimitExceededError { result.outcome = .limit }
        if error is OwnerQueueError || error is ScopeLimitError { result.outcome = .refused }
        return result
    }
}
