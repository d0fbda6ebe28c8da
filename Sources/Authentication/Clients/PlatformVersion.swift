/// The version of the SDK that a client was built with, `6.2.0.00.20140724` for example (wire-protocol 2).
///
/// Hybrid clients of 5.0.6 and native ones of 5.0.6 and 6.0 do not say.
public struct PlatformVersion: Sendable, Hashable, Comparable {
    public let major: Int
    public let minor: Int

    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Reads `7.1.0.0`, and `710` as some native clients were built to say; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false).map { Int($0) }
        if parts.count >= 2, let major = parts[0], let minor = parts[1] {
            self.init(major: major, minor: minor)
        } else if parts.count == 1, let number = parts[0], (100...999).contains(number) {
            self.init(major: number / 100, minor: number / 10 % 10)
        } else {
            return nil
        }
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }
}
