import Core
import NIOHTTP1

/// The outcome of a call of the back end.
public enum BackEndOutcome: Sendable {
    /// The back end responded, with any status, and its body could be converted.
    case response(BackEndResponse)
    case failure(BackEndCallError)
}

/// The back end's response without its body.
public struct BackEndHead: Sendable {
    public let statusCode: Int
    /// The reason phrase as sent, for example `OK`.
    public let statusReason: String
    /// In the order of their first appearance. The values of a header that came several times are joined by `, `.
    public let headers: [(name: String, value: String)]
    /// Milliseconds from the call until the last byte, redirects included.
    public let responseTime: Int
}

/// A response of the back end with its converted body (server-api 2.2).
public struct BackEndResponse: Sendable {
    /// A body, ready to be made part of the result.
    public enum Content: Sendable, Hashable {
        /// A body that begins as a JSON object. Its members belong at the top of the result.
        case object(json: UncheckedJSON)
        /// A body that begins as a JSON array; the result's `array`.
        case array(json: UncheckedJSON)
        /// The result's `text`.
        case text(String)
        /// No body.
        case empty
    }

    public let head: BackEndHead
    public let content: Content
    /// Milliseconds from the call until the body was converted.
    public let totalTime: Int
    /// True if a text or markup body had bytes that are invalid in its encoding and became U+FFFD. The bytes of ``UncheckedJSON`` are not
    /// checked.
    public let hasWrongBytes: Bool

    /// Returns the first JSON error in the content, with its line and column; `nil` when there is none. Slow: for content that the
    /// engine could not read.
    public func check() -> BackEndCallError? {
        switch content {
        case .object(let json), .array(let json):
            let text = json.text
            do throws(JSONSyntaxError) {
                try JSONValue.check(text)
                return nil
            } catch {
                return BackEndCallError(conversion: .json(error, in: text), head: head, body: json.bytes)
            }
        case .text, .empty: return nil
        }
    }
}

/// JSON as the back end sent it, not validated. The engine parses it once; ``BackEndResponse/check()`` finds an error's position when
/// that fails.
public struct UncheckedJSON: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// UTF-8, if the back end made no mistake.
    public let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(stringLiteral text: String) {
        bytes = Array(text.utf8)
    }

    /// The JSON as a string; bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// The reason why a call of the back end returned nothing that a script could use.
public struct BackEndCallError: Error, Sendable, CustomStringConvertible {
    /// `Http request failed: …`, or with its code (FWLSE0310E, FWLSE0311E) what is wrong with the body.
    public let message: String
    /// The message without names of files and positions in them, for callers that must not see those; `nil` when it has none.
    public let summary: String?
    /// The back end's response, if its body could not be converted.
    public let head: BackEndHead?
    /// True if there was no connection to the back end.
    public let isConnecting: Bool
    /// The beginning of a body that could not be converted, as one line.
    private let beginning: String

    public var description: String { message }

    /// The number of characters of a body that ``received`` quotes.
    private static let longestQuoted = 60

    /// Makes the error for a call without a response.
    ///
    /// - Parameter isConnecting: whether there was no connection.
    package init(transport reason: String, isConnecting: Bool = false) {
        message = "Http request failed: \(reason)"
        self.isConnecting = isConnecting
        summary = nil
        head = nil
        beginning = ""
    }

    init(conversion error: ConversionError, head: BackEndHead, body: [UInt8]) {
        message = "Http request failed: \(error)"
        summary = error.summary.map { "Http request failed: \($0)" }
        isConnecting = false
        self.head = head
        let text = String(decoding: body.prefix(4 * Self.longestQuoted), as: UTF8.self)
        let words = text.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 } }.joined(
            separator: " ")
        beginning = words.count > Self.longestQuoted ? "\(words.prefix(Self.longestQuoted))…" : words
    }

    /// Returns what the back end sent instead, to follow ``message`` in a log: status and Content-Type, and the beginning of the body
    /// where it may be quoted.
    public func received(from head: BackEndHead, isQuoted: Bool) -> String {
        let type = head.headers.first { $0.name.lowercased() == "content-type" }?.value
        return "; the back end returned status \(head.statusCode) "
            + (type.map { "with Content-Type '\($0)'" } ?? "without a Content-Type")
            + (isQuoted && !beginning.isEmpty ? ": '\(beginning)'" : "")
    }
}

extension BackEndHead {
    init(_ answer: BackEndTransfer.Answer, responseTime: Int) {
        var headers: [(name: String, value: String)] = []
        var places: [String: Int] = [:]
        for (name, value) in answer.headers {
            let key = name.lowercased()
            if let place = places[key] {
                headers[place].value += ", \(value)"
            } else {
                places[key] = headers.count
                headers.append((name, value))
            }
        }
        self.init(
            statusCode: answer.status, statusReason: answer.reason,
            headers: headers, responseTime: responseTime)
    }
}
