import Core
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The reason for a response by the transport itself.
enum RejectionReason: Equatable {
    case malformed
    /// The header.
    case tooSlow
    case bodyTooSlow
    case lineTooLong
    case headerTooLarge
    case bodyTooLong
    case tooManyBodies
    case tooManyBodiesFromAddress

    init(_ error: HTTPParserError) {
        self = error == .headerOverflow ? .headerTooLarge : .malformed
    }

    var status: HTTPResponse.Status {
        switch self {
        case .malformed: .badRequest
        case .tooSlow, .bodyTooSlow: .requestTimeout
        case .lineTooLong: .uriTooLong
        case .headerTooLarge: .requestHeaderFieldsTooLarge
        case .bodyTooLong: .contentTooLarge
        case .tooManyBodies: .serviceUnavailable
        case .tooManyBodiesFromAddress: .tooManyRequests
        }
    }

    /// The limit that is reached: the setting's name, or else what is limited; `nil` for a request that no limit refuses.
    var limit: String? {
        switch self {
        case .malformed: nil
        case .tooSlow: "limits.headerTime"
        case .bodyTooSlow: "time for a request's body"
        case .lineTooLong: "length of a request's first line"
        case .headerTooLarge: "size of a request's headers"
        case .bodyTooLong: "limits.request"
        case .tooManyBodies: "limits.bodies"
        case .tooManyBodiesFromAddress: "limits.bodiesPerAddress"
        }
    }

    /// Returns the headers and the body of the response.
    ///
    /// - Parameters:
    ///   - path: the request's target; empty when it is not known.
    ///   - rules: make the form of refusals; without them they are of type `text/plain`.
    func answer(path: String, rules: RequestBodyRules?) -> (headers: HTTPFields, body: ByteBuffer) {
        var headers: HTTPFields
        let body: ByteBuffer
        if let rules {
            (headers, body) = rules.refusal(path, status, message(rules))
        } else {
            headers = [.contentType: "text/plain"]
            body = ByteBuffer(string: "\(status.code) \(status.reasonPhrase)\n")
        }
        switch self {
        case .tooManyBodies, .tooManyBodiesFromAddress: headers[.retryAfter] = "5"
        default: break
        }
        headers[.contentLength] = String(body.readableBytes)
        return (headers, body)
    }

    private func message(_ rules: RequestBodyRules) -> String {
        switch self {
        case .malformed: "the request is malformed"
        case .tooSlow, .bodyTooSlow: "the request came too slowly"
        case .lineTooLong: "the request's path and query are too long"
        case .headerTooLarge: "the request's headers are too large"
        case .bodyTooLong: "the request is longer than \(rules.longestBody) bytes (limits.request)"
        case .tooManyBodies:
            "the server holds too many bodies of requests without a login (limits.bodies); try again later"
        case .tooManyBodiesFromAddress:
            "the server holds too many bodies of requests without a login from this address (limits.bodiesPerAddress); "
                + "try again later"
        }
    }
}

extension LogLimiter {
    /// Logs that the transport has refused a request because of a limit.
    func refused(_ reason: RejectionReason, _ peer: SocketAddress?) {
        guard let limit = reason.limit else { return }
        reached(limit, by: peer?.ipAddress, "refused a request with \(reason.status.code)")
    }
}
