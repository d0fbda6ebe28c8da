import AdapterRuntime
import Authentication
import Core
import Foundation
package import HTTPServer
package import HTTPTypes
package import NIOCore

/// Responses in the form that clients expect (wire-protocol 2.1).
package enum ClientProtocolResponse {
    private static let before = "/*-secure-\n"
    private static let after = "*/"

    private static let uncached: HTTPFields = [
        .cacheControl: "no-cache, no-store, must-revalidate", .pragma: "no-cache",
        .expires: "Sat, 26 Jul 1997 05:00:00 GMT", .contentTypeOptions: "nosniff",
    ]

    private static let jsonHeaders: HTTPFields = {
        var headers: HTTPFields = [.contentType: "application/json; charset=UTF-8"]
        headers.append(contentsOf: uncached)
        return headers
    }()

    /// The header fields of wrapped responses. Internet Explorer keeps cookies of pages in frames only with a P3P header. A real policy would commit
    /// the operator; browsers accept any value.
    private static let wrappedHeaders: HTTPFields = {
        var headers = jsonHeaders
        headers[.privacyPolicy] = #"CP="This is not a P3P policy.""#
        return headers
    }()

    /// The JSON object inside a comment, so that other sites cannot read it as a script.
    static func wrapped(_ json: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: wrappedHeaders, body: wrapping(json))
    }

    /// The wrapped JSON with gzip; uncompressed if gzip fails.
    static func compressed(_ json: String) -> Response {
        guard let packed = Zlib.gzip(Array(wrapping(json).readableBytesView)) else { return wrapped(json) }
        let body = ByteBuffer(bytes: packed)
        var response = Response(status: .ok, headers: wrappedHeaders, body: body)
        response.headers[.contentEncoding] = "gzip"
        return response
    }

    private static func wrapping(_ json: String) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(json.utf8.count + 13)
        buffer.writeString(before)
        write(json, to: &buffer)
        buffer.writeString(after)
        return buffer
    }

    /// Writes JSON in which nothing ends the comment early. `*/` can occur only in strings, where `/` may be escaped. It compares bytes, because a
    /// combining character would hide the slash.
    private static func write(_ json: String, to buffer: inout ByteBuffer) {
        var json = json
        json.withUTF8 { text in
            let bytes = UnsafeRawBufferPointer(text)
            guard let base = bytes.baseAddress else { return }
            var (written, next) = (0, 0)
            while let star = memchr(base + next, Int32(UInt8(ascii: "*")), bytes.count - next) {
                next = UnsafeRawPointer(star) - base + 1
                guard next < bytes.count, bytes[next] == UInt8(ascii: "/") else { continue }
                buffer.writeBytes(bytes[written..<next])
                buffer.writeInteger(UInt8(ascii: "\\"))
                written = next
            }
            buffer.writeBytes(bytes[written...])
        }
    }

    static func wrapped(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        wrapped(JSONValue.object(object).text, status: status)
    }

    /// The response for clients that check more than the status.
    static var success: Response { wrapped(#"{"isSuccessful":true}"#) }

    static var empty: Response { wrapped("{}") }

    /// JSON without wrapping: to back ends, and in the parts that came with 7.0.
    static func plain(_ json: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: jsonHeaders, body: ByteBuffer(string: json))
    }

    /// A procedure's result without wrapping, with the headers that the procedure added.
    static func plain(_ result: ProcedureResult) -> Response {
        var response = plain(result.json)
        if !result.headers.isEmpty { response.add(result.headers) }
        return response
    }

    static func page(_ html: String, status: HTTPResponse.Status = .ok) -> Response {
        text(html, type: "text/html; charset=UTF-8", status: status)
    }

    /// Returns the response that an authenticator of the project has written.
    static func written(_ answer: AuthenticatorAnswer) -> Response {
        var response = text(answer.body, type: "application/json; charset=UTF-8", status: .init(code: answer.status))
        let own = [
            "content-length", "transfer-encoding", "connection", "upgrade", "trailer", "keep-alive", "set-cookie",
        ]
        for header in answer.headers where !own.contains(header.name.lowercased()) {
            guard let name = HTTPField.Name(header.name), HTTPField.isValidValue(header.value) else { continue }
            response.headers[name] = header.value
        }
        return response
    }

    /// `302` to a login page.
    static func redirect(to target: LoginForm.Redirect, under contextRoot: String) -> Response {
        let location =
            switch target {
            case .page(let name): "\(contextRoot)/apps/services/\(PercentEncoding.encode(name))"
            case .url(let url): url
            }
        var response = text("")
        response.status = .found
        response.headers[.location] = location
        return response
    }

    static func text(
        _ text: String, type: String = "text/plain; charset=UTF-8", status: HTTPResponse.Status = .ok
    ) -> Response {
        var headers: HTTPFields = [.contentType: type]
        headers.append(contentsOf: uncached)
        return Response(status: status, headers: headers, body: ByteBuffer(string: text))
    }

    /// An error in the wrapping. Its status is never 200, which old clients take for success.
    package static func failure(_ code: ErrorCode, _ message: String, status: HTTPResponse.Status) -> Response {
        let (headers, body) = failureContent(code, message)
        return Response(status: status, headers: headers, body: body)
    }

    /// The seconds after which a client may try again while the store fails. A store that is back is found within a second.
    package static let retryAfterOutage = "5"

    /// 429 with the time after which to try again.
    static func failure(_ error: TooManyLoginsError) -> Response {
        var response = failure(.unexpected, "\(error)", status: .tooManyRequests)
        response.headers[.retryAfter] = "\(error.retryAfter.components.seconds)"
        return response
    }

    /// The headers and the body of ``failure(_:_:status:)``, for a refusal that does not go through Hummingbird.
    package static func failureContent(_ code: ErrorCode, _ message: String) -> (HTTPFields, ByteBuffer) {
        (wrappedHeaders, wrapping(JSONValue.object(failureBody(code, message)).text))
    }

    /// An error without the wrapping, for back ends and for the parts that came with 7.0.
    static func plainFailure(_ code: ErrorCode, _ message: String, status: HTTPResponse.Status) -> Response {
        plain(JSONValue.object(failureBody(code, message)).text, status: status)
    }

    /// The members of every error of ours.
    ///
    /// The native SDK of 5.0.6 crashes when an error has no body; from 6.2 on `WLFailResponse.getErrorMsg()` throws in the
    /// app's callback when it has no `errorMsg` (wire-protocol 5.3, 13).
    static func failureBody(_ code: ErrorCode, _ message: String) -> JSONObject {
        [
            "isSuccessful": false, "errorCode": .string(code.rawValue), "errorMsg": .string(message),
            "errors": [.string(message)], "warnings": [], "info": [],
        ]
    }

    /// The codes of errors, which clients look up in their own lists.
    package enum ErrorCode: String {
        /// Known to all clients.
        case unexpected = "UNEXPECTED_ERROR"
        /// Known to all clients.
        case notFound = "REQUEST_SERVICE_NOT_FOUND"
        /// Known to hybrid clients, which then call the app's `onDisabledCookies`.
        case disabledCookies = "DISABLED_COOKIES"
    }
}

extension HTTPField.Name {
    fileprivate static let privacyPolicy = HTTPField.Name("P3P") ?? .pragma
}

extension LoginChallenge {
    /// Returns the challenge in the form for clients (wire-protocol 6): never as a 401 like the handshake's, for there clients abandon a realm that
    /// they do not know.
    func response(under contextRoot: String) -> Response {
        switch self {
        case .page(let html):
            return ClientProtocolResponse.page(html)
        case .written(let answer):
            return ClientProtocolResponse.written(answer)
        case .script(let realm, let json):
            return Handshake.challenge([realm: json])
        case .failure(let realm, let json):
            return Handshake.failure(realm: realm, json)
        case .redirect(let target):
            return ClientProtocolResponse.redirect(to: target, under: contextRoot)
        case .object(let result):
            var response = ClientProtocolResponse.wrapped(result.json)
            if !result.headers.isEmpty { response.add(result.headers) }
            return response
        case .basic(let realm):
            var response = ClientProtocolResponse.failure(.unexpected, "log in first", status: .unauthorized)
            let quoted = realm.filter { $0 != "\"" && $0 != "\\" }
            response.headers[.wwwAuthenticate] = "Basic realm=\"\(quoted)\", charset=\"UTF-8\""
            return response
        case .bearer(let error):
            var response = ClientProtocolResponse.failure(.unexpected, "log in first", status: .unauthorized)
            response.headers[.wwwAuthenticate] = "Bearer" + (error.map { " error=\"\($0)\"" } ?? "")
            return response
        case .refused(let realm, let reason):
            return Handshake.failure(realm: realm, ["reason": .string(reason)])
        case .tooMany(let error):
            return ClientProtocolResponse.failure(error)
        }
    }
}

extension Response {
    /// Adds the headers that a procedure added by `WL.Server.addResponseHeader`. A header that a response can have only once replaces the server's.
    /// Headers that only the server may set were refused when they were added.
    mutating func add(_ added: [ProcedureResult.Header]) {
        let once: Set<HTTPField.Name> = [.contentType, .cacheControl, .pragma, .expires]
        for header in added {
            // Values that could end a header early were refused when the script added them; this is a second check.
            guard let field = try? ResponseHeader.field(name: header.name, value: header.value) else { continue }
            if once.contains(field.name) {
                headers[field.name] = field.value
            } else {
                headers.append(field)
            }
        }
    }
}
