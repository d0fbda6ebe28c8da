import Foundation
import NIOCore
import NIOHTTP1

/// A service's answer to one request, whole.
struct ServiceAnswer {
    let status: Int
    /// Empty over HTTP/2.
    let reasonPhrase: String
    let headers: HTTPHeaders
    /// Empty when it was longer than the limit.
    let body: ByteBuffer

    init(status: Int, reasonPhrase: String = "", headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.reasonPhrase = reasonPhrase
        self.headers = headers
        self.body = body
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// The body as text; invalid UTF-8 is replaced.
    var text: String { String(decoding: body.readableBytesView, as: UTF8.self) }
}

/// Why there is no answer.
struct ServiceRequestError: Error, Hashable {
    enum Kind: Hashable {
        /// The service could not be reached, or it broke off.
        case unreachable
        /// It took too long; the service may have taken the request all the same.
        case timedOut
        /// The proxy does not let the request pass.
        case proxyLogin
        /// The host has no address that may be connected to.
        case addressRefused
        /// The sender lost interest.
        case cancelled
    }

    let kind: Kind
    /// For people, without addresses that hold secrets.
    let reason: String

    /// - Parameter patience: how long to leave the service alone after a request that timed out.
    func verdict(patience: Duration? = nil) -> ServiceVerdict {
        switch kind {
        case .unreachable: .retry(reason)
        case .timedOut: .retry(after: patience, reason)
        case .proxyLogin: .credentialRefused(reason)
        case .addressRefused: .refused(reason, finding: .nothing)
        case .cancelled: .retry(reason, finding: .nothing)
        }
    }
}

/// The `Retry-After` of an answer (RFC 9110, 10.2.3).
enum RetryAfter {
    /// More than this is taken for a mistake of the service's.
    static let longest = Duration.seconds(24 * 3600)

    /// - Parameters:
    ///   - text: seconds, or an HTTP date.
    ///   - now: the time of day, which a date is counted from.
    /// - Returns: how long to wait, at most ``longest`` and never less than nothing; nil when `text` is neither.
    static func wait(_ text: String?, now: Date) -> Duration? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int(text).map { min(.seconds($0), longest) } ?? longest
        }
        guard let date = date(text) else { return nil }
        return min(.seconds(max(0, date.timeIntervalSince(now))), longest)
    }

    /// - Parameter text: like `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}

/// A service's own words, as they may stand in a reason and in a log: short, in one line, without what is secret.
struct ServiceReasonText: CustomStringConvertible {
    private static let longest = 200

    let description: String

    /// - Parameters:
    ///   - text: what the service said.
    ///   - secrets: what must not be repeated, each with its substitute. The empty text is not a secret.
    init(_ text: some StringProtocol, hiding secrets: [(text: String, substitute: String)] = []) {
        // A secret that is cut off at the end would not be found any more, so what is cut off is cut off afterwards.
        var line = text.prefix(64 << 10).map { $0.isNewline || $0.isWhitespace ? " " : String($0) }.joined()
        for secret in secrets where !secret.text.isEmpty {
            line = line.replacing(secret.text, with: secret.substitute)
        }
        let words = line.unicodeScalars.split { $0 == " " || $0.properties.generalCategory == .control }
        let joined = words.map { String($0) }.joined(separator: " ")
        description = joined.count > Self.longest ? joined.prefix(Self.longest) + "…" : joined
    }
}
