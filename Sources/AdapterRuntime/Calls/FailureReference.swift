import JavaScriptEngine
public import Logging

/// Names a failure whose details callers are not told, in what they are told and in the log.
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

    /// What callers are told of a call that failed for another reason than what the script itself has thrown: no adapter, file
    /// or place.
    func message(for error: any Error) -> String {
        let text =
            switch error {
            case let unknown as UnknownNameError: "there is no such \(unknown.kind)"
            case is LimitExceeded: "the call was stopped at a limit"
            case let parameters as ParameterError: "\(parameters)"
            case let outdated as PermitOutdated: "\(outdated)"
            default: "the call failed"
            }
        return "\(text) (\(self))"
    }
}

extension RuntimeSettings {
    /// For a failure whose details callers are not told; `nil` when they are.
    var failureReference: FailureReference? { showsFailureDetails ? nil : FailureReference() }
}

extension ProcedureResult {
    /// A call that did not come to the script, or could not be ended by it.
    static func failure(of error: any Error, _ settings: RuntimeSettings, _ logger: Logger) -> ProcedureResult {
        let reference = settings.failureReference
        var result = failure(["Runtime: \(reference?.message(for: error) ?? "\(error)")"])
        if let reference { logger.info("a call failed: \(error)", metadata: reference.metadata) }
        result.trouble = "\(error)"
        return result
    }
}
