import Core
import Foundation
import Logging
import PushModel

/// The capabilities of the output: control sequences, colours and width.
enum Terminal {
    /// Returns true if it is a terminal that knows the usual control sequences.
    static func isCapable(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && (ProcessInfo.processInfo.environment["TERM"] ?? "dumb") != "dumb"
    }

    /// Returns true if output may be in colour: a terminal, and `NO_COLOR` is not set (no-color.org).
    static func hasColours(_ descriptor: Int32) -> Bool {
        isCapable(descriptor) && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }

    /// The width of output in characters: that of the terminal, and elsewhere `COLUMNS`; `nil` for no limit.
    static var width: Int? {
        var size = winsize()
        if isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
    }

    /// The colours of ECMA-48.
    enum Colour: Int {
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case grey = 90

        /// Errors are red, warnings yellow.
        init?(_ level: Logger.Level) {
            switch level {
            case .critical, .error: self = .red
            case .warning: self = .yellow
            case .debug, .trace: self = .grey
            case .info, .notice: return nil
            }
        }

        init?(_ state: DeliveryState) {
            switch state {
            case .queued: self = .grey
            case .sending: self = .blue
            case .delivered, .previewed: self = .green
            case .refused: self = .red
            case .expired: self = .yellow
            }
        }

        func paint(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
    }
}
