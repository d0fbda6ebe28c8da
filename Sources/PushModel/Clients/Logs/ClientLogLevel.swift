import Core

/// The severity of an entry of a client's log, in capitals (wire-protocol 7). Unknown words are kept.
public struct ClientLogLevel: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The longest word that is kept whole, in bytes of UTF-8.
    public static let bytes = 32

    public static let fatal = ClientLogLevel("FATAL")
    public static let error = ClientLogLevel("ERROR")
    public static let warn = ClientLogLevel("WARN")
    public static let info = ClientLogLevel("INFO")
    public static let log = ClientLogLevel("LOG")
    public static let debug = ClientLogLevel("DEBUG")

    public let rawValue: String

    public init(rawValue: String) { self.init(rawValue) }

    /// - Parameter word: in any case; cut after ``bytes``.
    public init(_ word: String) {
        rawValue = word.uppercased().bounded(toBytes: Self.bytes)
    }

    public var description: String { rawValue }
}
