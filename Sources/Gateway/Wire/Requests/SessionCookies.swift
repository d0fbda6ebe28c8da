import Foundation
import HTTPTypes
import Security

/// The two cookies by which clients are known again (wire-protocol 2).
struct SessionCookies {
    static let sessionName = "JSESSIONID"
    static let persistentName = "WL_PERSISTENT_COOKIE"

    /// All session ids that the request brings: the native SDK of 5.0.6 may send an old one besides the right one.
    private(set) var sessionIDs: [Substring] = []
    /// The client's own id, when it is one.
    private(set) var persistentID: String?

    /// More of them nobody has.
    private static let mostIDs = 8

    init(_ fields: HTTPFields) {
        for header in fields[values: .cookie] {
            for pair in header.split(separator: ";") {
                let trimmed = pair.drop { $0 == " " }
                guard let equals = trimmed.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let (name, value) = (trimmed[..<equals], trimmed[trimmed.utf8.index(after: equals)...])
                if name == Self.sessionName, sessionIDs.count < Self.mostIDs {
                    sessionIDs.append(value)
                } else if name == Self.persistentName, let id = UUID(uuidString: String(value)) {
                    persistentID = id.uuidString.lowercased()
                }
            }
        }
    }

    /// `Set-Cookie` for a session's id.
    static func session(_ id: String, path: String, isSecure: Bool, isBrowser: Bool) -> String {
        "\(sessionName)=\(id); Path=\(path)\(isSecure ? "; Secure" : ""); HttpOnly\(isBrowser ? "; SameSite=Lax" : "")"
    }

    /// `Set-Cookie` for the client's own id, for a year.
    static func persistent(_ id: String, path: String, isSecure: Bool, now: Date) -> String {
        let expiry = now.addingTimeInterval(365 * 24 * 3600).formatted(cookieDate)
        return "\(persistentName)=\(id); Expires=\(expiry); Path=\(path)\(isSecure ? "; Secure" : ""); HttpOnly"
    }

    /// As old clients read it: `Sat, 20-Nov-2027 00:00:00 GMT`.
    private static let cookieDate = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits)-\(month: .abbreviated)-\(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
}
