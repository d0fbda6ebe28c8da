/// A level of ``OCLogger`` (seed 004, 2.12), with a number and a constant for each, as Swift imports an enum of C.
public struct OCLogType: RawRepresentable, Sendable, Hashable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The spelling of the level in requests and log files.
    var name: String {
        switch self {
        case OCLogger_ERROR: "ERROR"
        case OCLogger_WARN: "WARN"
        case OCLogger_INFO: "INFO"
        case OCLogger_LOG: "LOG"
        default: "DEBUG"
        }
    }

    /// Returns whether a logger with the level `level` logs messages of this level. The order is ERROR, WARN, INFO, LOG, DEBUG; errors
    /// are always logged.
    func passes(_ level: OCLogType) -> Bool { rawValue <= level.rawValue }

    static let warn = OCLogger_WARN
    static let error = OCLogger_ERROR
}

/// Errors only.
public let OCLogger_ERROR = OCLogType(rawValue: 100)
/// Warnings and errors.
public let OCLogger_WARN = OCLogType(rawValue: 200)
/// Information, warnings and errors.
public let OCLogger_INFO = OCLogType(rawValue: 300)
/// All messages except those of the level DEBUG.
public let OCLogger_LOG = OCLogType(rawValue: 400)
/// All messages.
public let OCLogger_DEBUG = OCLogType(rawValue: 500)
