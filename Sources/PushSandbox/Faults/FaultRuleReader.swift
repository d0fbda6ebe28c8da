import Foundation

/// Parses a rule.
struct FaultRuleReader {
    private static let kinds =
        "a status such as 503, slow, never, reset, reset-after-accepting, goaway, close or expired-token"

    private let text: String
    private var parts: [Substring]
    let token: String?
    private(set) var percentage = 100.0

    init(_ text: String) throws(FaultRuleError) {
        self.text = text
        // Tokens of Android hold colons, so the token goes first.
        let rule: Substring
        if let at = text.firstIndex(of: "@") {
            rule = text[..<at]
            token = String(text[text.index(after: at)...])
        } else {
            rule = text[...]
            token = nil
        }
        parts = rule.split(separator: ":", omittingEmptySubsequences: false)
        if token == "" { throw FaultRuleError(text, "after @ a token was expected") }
        if let index = parts.firstIndex(where: { $0.hasSuffix("%") }) {
            guard let number = Double(parts[index].dropLast()), (0...100).contains(number) else {
                throw FaultRuleError(text, "'\(parts[index])' should be a percentage between 0% and 100%")
            }
            percentage = number
            parts.remove(at: index)
        }
    }

    /// - Returns: nil for all.
    mutating func service() throws(FaultRuleError) -> SandboxService? {
        let name = parts.isEmpty ? "" : parts.removeFirst()
        if name == "all" { return nil }
        guard let service = SandboxService.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() })
        else {
            let names = SandboxService.allCases.map(\.rawValue).joined(separator: ", ")
            throw FaultRuleError(text, "it should begin with one of \(names) or all, as in apns:503:10%")
        }
        return service
    }

    mutating func fault(service: SandboxService?) throws(FaultRuleError) -> SandboxFault {
        guard !parts.isEmpty else { throw FaultRuleError(text, "after the service \(Self.kinds) was expected") }
        let kind = parts.removeFirst()
        switch kind {
        case "slow":
            guard let duration = parts.isEmpty ? nil : Self.duration(parts.removeFirst()) else {
                throw FaultRuleError(text, "slow needs a time such as 500ms, 2s or 1m, as in fcm:slow:2s")
            }
            return .slow(duration)
        case "never": return .never
        case "reset": return .reset
        case "reset-after-accepting": return .resetAfterAccepting
        case "goaway": return .goAway(reason: parts.isEmpty ? "Shutdown" : String(parts.removeFirst()))
        case "close": return .closeConnection
        case "expired-token": return .expiredToken
        default: return try status(kind, service: service)
        }
    }

    private mutating func status(_ text: Substring, service: SandboxService?) throws(FaultRuleError) -> SandboxFault {
        guard let status = Int(text), (400...599).contains(status) else {
            throw FaultRuleError(self.text, "'\(text)' should be \(Self.kinds)")
        }
        var retryAfter: Int?
        if let index = parts.firstIndex(where: { $0.hasPrefix("retry-after=") }) {
            guard let seconds = Int(parts[index].dropFirst("retry-after=".count)), seconds >= 0 else {
                throw FaultRuleError(self.text, "retry-after takes seconds, as in fcm:429:retry-after=30")
            }
            retryAfter = seconds
            parts.remove(at: index)
        }
        let reason = parts.isEmpty ? Self.reason(status, service: service) : String(parts.removeFirst())
        return .status(
            status, reason: reason, timestamp: status == 410 && service != .fcm ? Date() : nil, retryAfter: retryAfter)
    }

    /// Everything must have been understood.
    func end() throws(FaultRuleError) {
        guard parts.isEmpty else {
            throw FaultRuleError(text, "'\(parts.joined(separator: ":"))' is too much")
        }
    }

    private static func duration(_ text: Substring) -> Duration? {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60)]
        for (unit, seconds) in units where text.hasSuffix(unit) {
            guard let number = Double(text.dropLast(unit.count)), (0...86_400).contains(number) else { return nil }
            return .seconds(number * seconds)
        }
        return nil
    }

    /// Returns the services' usual reason for a status.
    private static func reason(_ status: Int, service: SandboxService?) -> String {
        let apns = [
            400: "BadDeviceToken", 403: "InvalidProviderToken", 404: "BadPath", 405: "MethodNotAllowed",
            410: "Unregistered", 413: "PayloadTooLarge", 429: "TooManyRequests", 500: "InternalServerError",
            503: "ServiceUnavailable",
        ]
        let fcm = [
            400: "INVALID_ARGUMENT", 401: "THIRD_PARTY_AUTH_ERROR", 403: "SENDER_ID_MISMATCH", 404: "UNREGISTERED",
            429: "QUOTA_EXCEEDED", 500: "INTERNAL", 503: "UNAVAILABLE",
        ]
        let reason = service == .fcm ? fcm[status] : apns[status]
        return reason ?? "Status\(status)"
    }
}
