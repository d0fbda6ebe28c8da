public import Core
import WorklightProject

/// A script's checked request to its back end with `WL.Server.invokeHttp` (server-api 2.2).
public struct BackEndRequest: Sendable {
    /// The methods that may be used; scripts write them in any case.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
        case patch = "PATCH"
        case options = "OPTIONS"

        /// True if a request that arrives twice does the same as one that arrives once (RFC 9110, 9.2.2).
        var isIdempotent: Bool { self != .post && self != .patch }

        /// True if parameters without a body are sent as a form; else they go into the query.
        var sendsForm: Bool { self == .post || self == .put || self == .patch }
    }

    /// The option `body`.
    public struct Body: Sendable, Hashable {
        /// A media type; its `charset` is how `content` is sent, UTF-8 when it names none.
        public let contentType: String
        public let content: String

        public init(contentType: String, content: String) {
            self.contentType = contentType
            self.content = content
        }
    }

    /// The option `transformation`.
    public enum Transformation: Sendable, Hashable {
        /// `default`: the conversion that the content type asks for.
        case standard
        /// `void`: the body is returned as a string, for every type.
        case void
        /// `xslFile`: a stylesheet, relative to the adapter's folder, turns XML or HTML into JSON.
        case stylesheet(String)
    }

    public let method: Method
    /// The path, as written by the script.
    public let path: String
    public let parameters: [(String, String)]
    public let headers: [(String, String)]
    public let cookies: [(String, String)]
    public let body: Body?
    public let returnedContentType: String?
    public let returnedContentEncoding: String?
    public let transformation: Transformation
    /// Instead of the policy's.
    public let connectionTimeout: Duration?
    /// Instead of the policy's.
    public let socketTimeout: Duration?
    /// The trace that the back end shall continue; fields that the script sets itself count instead.
    public var trace: TraceContext?

    /// - Throws: ``BackEndRequestError`` that names the option at fault.
    public init(
        method: String, path: String, parameters: [(String, String)] = [], headers: [(String, String)] = [],
        cookies: [(String, String)] = [], body: Body? = nil, returnedContentType: String? = nil,
        returnedContentEncoding: String? = nil, transformation: Transformation = .standard,
        connectionTimeout: Duration? = nil, socketTimeout: Duration? = nil
    ) throws(BackEndRequestError) {
        guard let known = Method(rawValue: method.uppercased()) else {
            throw BackEndRequestError(
                "method", "must be get, post, put, delete, head, patch or options, got '\(method)'")
        }
        if body != nil, known == .get || known == .head {
            throw BackEndRequestError("body", "is not allowed with \(method.lowercased()); use post or put")
        }
        if let body { try Self.checkValue(body.contentType, of: "body.contentType") }
        for (name, value) in headers {
            guard HeaderRules.isToken(name) else {
                throw BackEndRequestError(
                    "headers", "has the name '\(HeaderRules.printable(name))', which no header may have")
            }
            try Self.checkValue(value, of: "headers['\(name)']")
        }
        for (name, value) in cookies {
            guard HeaderRules.isToken(name) else {
                throw BackEndRequestError(
                    "cookies", "has the name '\(HeaderRules.printable(name))', which no cookie may have")
            }
            try Self.checkValue(value, of: "cookies['\(name)']")
            if value.utf8.contains(UInt8(ascii: ";")) {
                throw BackEndRequestError("cookies['\(name)']", "has a ';', which would begin another cookie")
            }
        }
        for (name, timeout) in [
            ("connectionTimeoutInMilliseconds", connectionTimeout), ("socketTimeoutInMilliseconds", socketTimeout),
        ] {
            if let timeout, timeout <= .zero { throw BackEndRequestError(name, "must be more than 0, got \(timeout)") }
        }
        if case .stylesheet("") = transformation {
            throw BackEndRequestError("transformation.xslFile", "must name a file in the adapter's folder")
        }
        if let encoding = returnedContentEncoding, !Charset.isKnown(encoding) {
            throw BackEndRequestError(
                "returnedContentEncoding", "is '\(encoding)', which is not a known character encoding")
        }
        self.method = known
        self.path = path
        self.parameters = parameters
        self.headers = headers
        self.cookies = cookies
        self.body = body
        self.returnedContentType = returnedContentType
        self.returnedContentEncoding = returnedContentEncoding
        self.transformation = transformation
        self.connectionTimeout = connectionTimeout
        self.socketTimeout = socketTimeout
    }

    /// The names that `returnedContentType` may have besides media types.
    public static let contentTypes = ["json", "xml", "html", "plain", "css", "csv", "javascript"]

    /// The `returnedContentType` if it is unknown and therefore ignored.
    public var unknownContentType: String? {
        returnedContentType.flatMap { ContentKind($0) == nil ? $0 : nil }
    }

    private static func checkValue(_ value: String, of option: String) throws(BackEndRequestError) {
        guard HeaderRules.isValue(value) else {
            throw BackEndRequestError(option, "has a line break or another control character, which no header may have")
        }
    }
}

/// An invalid option of `invokeHttp`.
public struct BackEndRequestError: Error, Hashable, CustomStringConvertible {
    /// The option's name as scripts write it, for example `body`.
    public let option: String
    /// The problem with it; continues the sentence after the option's name.
    public let reason: String

    public var description: String { "invokeHttp: '\(option)' \(reason)" }

    init(_ option: String, _ reason: String) {
        self.option = option
        self.reason = reason
    }
}

/// The encoding of paths and parameters in a request.
enum RequestTarget {
    /// The path as the script wrote it (since 5.0.6 nothing is encoded again), with a leading `/`. Only what would break
    /// the request line – blanks, control characters and what is not ASCII – becomes `%XX` of its UTF-8.
    static func make(path: String, form: String) -> String {
        var target = PercentEncoding.encode(path, keeping: PercentEncoding.isVisible)
        if !target.hasPrefix("/") { target = "/" + target }
        if !form.isEmpty { target += (target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + form }
        return target
    }
}
