/// The levels of ``OCLogger`` (seed 004, 2.12): a number and a constant for each, as Swift imports an enum of C.
public struct OCLogType: RawRepresentable, Sendable, Hashable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// As servers and log files spell it.
    var name: String {
        switch self {
        case OCLogger_ERROR: "ERROR"
        case OCLogger_WARN: "WARN"
        case OCLogger_INFO: "INFO"
        case OCLogger_LOG: "LOG"
        default: "DEBUG"
        }
    }

    /// Whether messages of this level are kept when the logger is set to the other one: errors always, then warnings,
    /// information, log, debug.
    func passes(_ level: OCLogType) -> Bool { rawValue <= level.rawValue }

    static let warn = OCLogger_WARN
    static let error = OCLogger_ERROR
}

/// Only errors.
public let OCLogger_ERROR = OCLogType(rawValue: 100)
/// Warnings and errors.
public let OCLogger_WARN = OCLogType(rawValue: 200)
/// Information, warnings and errors.
public let OCLogger_INFO = OCLogType(rawValue: 300)
/// Everything but debugging.
public let OCLogger_LOG = OCLogType(rawValue: 400)
/// Everything.
public let OCLogger_DEBUG = OCLogType(rawValue: 500)
