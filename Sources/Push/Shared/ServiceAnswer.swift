import Foundation
import NIOCore
import NIOHTTP1

/// A service's complete response to one request.
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

    /// The body as a string; invalid UTF-8 is replaced.
    var text: String { String(decoding: body.readableBytesView, as: UTF8.self) }
}

/// The reason why there is no response.
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
    /// The description for messages, without addresses that hold secrets.
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

/// The `Retry-After` of a response (RFC 9110, 10.2.3).
enum RetryAfter {
    /// More than this is taken for a mistake of the service's.
    static let longest = Duration.seconds(24 * 3600)

    /// Reads the value of the header: seconds, or an HTTP date.
    ///
    /// - Parameter now: the time of day, which a date is counted from.
    /// - Returns: the wait, from zero to ``longest``; nil when `text` is neither.
    static func wait(_ text: String?, now: Date) -> Duration? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int(text).map { min(.seconds($0), longest) } ?? longest
        }
        guard let date = date(text) else { return nil }
        return min(.seconds(max(0, date.timeIntervalSince(now))), longest)
    }

    /// Reads a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}

/// A string from a service, made safe for reasons and logs: short, in one line, without secrets.
struct ServiceReasonText: CustomStringConvertible {
    private static let longest = 200

    let description: String

    /// Makes a string from a service safe.
    ///
    /// - Parameter secrets: strings to hide, each with its substitute. The empty string is not a secret.
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
