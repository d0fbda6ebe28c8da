import Authentication
import Foundation
package import HTTPTypes

/// The two cookies by which clients are known again (wire-protocol 2).
package struct SessionCookies: Sendable {
    static let sessionName = "JSESSIONID"
    static let persistentName = "WL_PERSISTENT_COOKIE"

    /// All session ids that the request brings: the native SDK of 5.0.6 may send an old one besides the right one.
    package private(set) var sessionIDs: [Substring] = []
    private var persistentValues: [Substring] = []

    /// The largest number of ids that are read; real clients have fewer.
    private static let mostIDs = 8

    package init(_ fields: HTTPFields) {
        for header in fields[values: .cookie] {
            var rest = header.utf8[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
                let pair = rest[..<end].drop { $0 == UInt8(ascii: " ") }
                rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let (name, value) = (pair[..<equals], Substring(pair[pair.index(after: equals)...]))
                if name.elementsEqual(Self.sessionName.utf8), sessionIDs.count < Self.mostIDs {
                    sessionIDs.append(value)
                } else if name.elementsEqual(Self.persistentName.utf8) {
                    if persistentValues.count < Self.mostIDs { persistentValues.append(value) }
                }
            }
        }
    }

    /// The client id and the key in `WL_PERSISTENT_COOKIE`; `nil` without a valid cookie. Of several cookies the last with a key
    /// counts.
    var installation: (id: UUID, key: String?)? {
        let read = persistentValues.compactMap(Self.installation)
        return read.last { $0.key != nil } ?? read.last
    }

    private static func installation(_ text: Substring) -> (id: UUID, key: String?)? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let id = UUID(uuidString: String(parts[0])) else { return nil }
        guard parts.count == 2 else { return (id, nil) }
        let isKey = parts[1].utf8.count == 32 && parts[1].allSatisfy(\.isHexDigit)
        return (id, isKey ? parts[1].lowercased() : nil)
    }

    /// `Set-Cookie` for a session's id.
    static func session(_ id: String, path: String, isSecure: Bool, isBrowser: Bool) -> String {
        "\(sessionName)=\(id); Path=\(path)\(isSecure ? "; Secure" : ""); HttpOnly\(isBrowser ? "; SameSite=Lax" : "")"
    }

    /// `Set-Cookie` for a year.
    static func persistent(_ name: String, _ id: String, path: String, isSecure: Bool, now: Date) -> String {
        let expiry = now.addingTimeInterval(365 * 24 * 3600).formatted(cookieDate)
        return "\(name)=\(id); Expires=\(expiry); Path=\(path)\(isSecure ? "; Secure" : ""); HttpOnly"
    }

    /// The date format of old clients: `Sat, 20-Nov-2027 00:00:00 GMT`.
    private static let cookieDate = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits)-\(month: .abbreviated)-\(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
}
