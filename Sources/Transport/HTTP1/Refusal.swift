import NIOHTTP1

/// Why the transport itself answers a request.
enum Refusal: Equatable {
    case malformed
    case tooSlow
    case lineTooLong
    case headerTooLarge

    init(_ error: HTTPParserError) {
        self = error == .headerOverflow ? .headerTooLarge : .malformed
    }

    var status: HTTPResponseStatus {
        switch self {
        case .malformed: .badRequest
        case .tooSlow: .requestTimeout
        case .lineTooLong: .uriTooLong
        case .headerTooLarge: .requestHeaderFieldsTooLarge
        }
    }
}
