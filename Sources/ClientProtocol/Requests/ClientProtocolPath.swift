import Core
package import Installation
import Synchronization

/// The meaning of a path for clients and back ends (wire-protocol 1).
package enum ClientProtocolPath: Sendable, Hashable {
    /// `/apps/services/api/APPLICATION/ENVIRONMENT/ACTION`.
    case application(id: String, environment: String, action: String)
    /// `/apps/services/NAME`.
    case service(String)
    /// `/invoke`.
    case invoke
    /// `/dev/invoke`.
    case developmentInvoke
    /// `/adapters/ADAPTER/PROCEDURE`, as of 7.0.
    case adapter(String, procedure: String)
    /// `/authorization/v1/…`, as of 7.0.
    case authorization(String)
    /// `/oauth/token`, of 6.2; 7.x has it still.
    case tokenEndpoint
    /// `/lamplighter/webpush…`: an extension of ours.
    case webPush(WebPushResource)
    /// `/apps/services/www/…` and `/apps/services/preview/…`: a file of a web app.
    case webApp(WebAppPath)
    /// `/receiveSMS`, `/subscribeSMS`, and `/ussd` with any path below it.
    case phoneGateway(PhoneGatewayService, path: String)

    /// Reads a percent-encoded path, as in the request; `nil` when it does not belong to the protocol.
    ///
    /// - Parameter contextRoot: without a slash at its end; empty for the top.
    init?(reading text: String, under contextRoot: String) {
        guard let segments = Self.segments(of: text, under: contextRoot) else { return nil }
        if segments.count > 3, segments[0] == "apps", segments[1] == "services", let path = WebAppPath(segments[2...]) {
            self = .webApp(path)
            return
        }
        guard segments.count <= 6, segments.last != "" else { return nil }
        switch segments.count {
        case 1 where segments[0] == "invoke": self = .invoke
        case 2 where segments[0] == "dev" && segments[1] == "invoke": self = .developmentInvoke
        case 2 where segments[0] == "oauth" && segments[1] == "token": self = .tokenEndpoint
        case 3 where segments[0] == "apps" && segments[1] == "services": self = .service(segments[2])
        case 3 where segments[0] == "adapters": self = .adapter(segments[1], procedure: segments[2])
        case 3...4 where segments[0] == "authorization" && segments[1] == "v1":
            self = .authorization(segments[2...].joined(separator: "/"))
        case 2...3 where segments[0] == "lamplighter":
            guard let resource = WebPushResource(rawValue: segments[1...].joined(separator: "/")) else { return nil }
            self = .webPush(resource)
        case 6 where segments[0] == "apps" && segments[1] == "services" && segments[2] == "api":
            self = .application(id: segments[3], environment: segments[4], action: segments[5])
        default:
            guard let service = PhoneGatewayService(rawValue: segments[0]), segments.count == 1 || service == .ussd
            else { return nil }
            self = .phoneGateway(service, path: segments.dropFirst().map { "/\($0)" }.joined())
        }
    }

    /// Returns the context root under which a path belongs to the protocol: `/Shop` of `/Shop/apps/services/api/…`. A root of more than
    /// two segments is not found; `nil` then, and if there is none.
    static func contextRoot(of text: String) -> String? {
        let segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        return (0...2).lazy.map { segments.prefix($0).map { "/\($0)" }.joined() }
            .first { ClientProtocolPath(reading: text, under: $0) != nil }
    }

    /// The largest number of segments.
    private static let mostSegments = 64

    /// The decoded segments, with an empty one for a slash at the end; `nil` when one of them is nothing that a path of ours holds: `..` and the like, an encoded slash,
    /// a control character, damaged encoding.
    private static func segments(of path: String, under contextRoot: String) -> [String]? {
        guard path.hasPrefix(contextRoot) else { return nil }
        let rest = path.dropFirst(contextRoot.count)
        guard rest.first == "/" else { return nil }
        var segments: [String] = []
        for raw in rest.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            // Only the last may be empty.
            guard segments.last != "" else { return nil }
            // Java's servers took what follows for parameters, and old clients may send `;jsessionid=…`.
            let bare = raw.utf8.firstIndex(of: UInt8(ascii: ";")).map { raw[..<$0] } ?? raw
            guard let segment = PercentEncoding.decode(bare, plusIsBlank: false), isPlain(segment),
                segments.count < mostSegments
            else { return nil }
            segments.append(segment)
        }
        return segments
    }

    private static func isPlain(_ segment: String) -> Bool {
        segment != "." && segment != ".."
            && segment.utf8.allSatisfy {
                $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\")
            }
    }
}

/// Reads paths, and remembers them: clients ask for few, again and again.
final class ClientPathCache: Sendable {
    /// The largest number of cached paths; further ones are parsed each time.
    private static let capacity = 1000
    /// Longer ones are not remembered.
    private static let longest = 200

    private let contextRoot: String
    private let paths = Mutex<[String: ClientProtocolPath]>([:])

    /// - Parameter contextRoot: without a slash at its end; empty for the top.
    init(contextRoot: String) {
        self.contextRoot = contextRoot
    }

    /// Returns the meaning of a percent-encoded path, as in the request; `nil` when it does not belong to the protocol.
    func path(_ text: String) -> ClientProtocolPath? {
        if let known = paths.withLock({ $0[text] }) { return known }
        guard let path = ClientProtocolPath(reading: text, under: contextRoot) else { return nil }
        guard text.utf8.count <= Self.longest else { return path }
        paths.withLock { paths in
            if paths.count < Self.capacity { paths[text] = path }
        }
        return path
    }
}

extension ClientProtocolPath {
    package var route: ClientRequestMetrics.Route {
        switch self {
        case .application(_, _, let action): action == ApplicationAction.query.rawValue ? .query : .application
        case .service: .service
        case .invoke: .invoke
        case .developmentInvoke: .developmentInvoke
        case .adapter: .adapter
        case .authorization: .authorization
        case .tokenEndpoint: .token
        case .webPush: .webPush
        case .phoneGateway: .phoneGateway
        case .webApp: .webApp
        }
    }
}
