import NIOCore
import NIOHPACK

/// A whole request to APNs' side, its headers picked apart.
struct APNsRequest {
    static let pathPrefix = "/3/device/"

    private(set) var method = ""
    private(set) var path = ""
    private(set) var authorization: String?
    private(set) var topic: String?
    private(set) var pushType: String?
    private(set) var priority: String?
    private(set) var expiration: String?
    private(set) var id: String?
    private(set) var collapseID: String?
    private(set) var hasDuplicates = false
    let headers: HPACKHeaders
    var body = ByteBuffer()

    init(_ headers: HPACKHeaders) {
        self.headers = headers
        for (name, value, _) in headers {
            switch name {
            case ":method": method = value
            case ":path": path = value
            case "authorization": set(\.authorization, value)
            case "apns-topic": set(\.topic, value)
            case "apns-push-type": set(\.pushType, value)
            case "apns-priority": set(\.priority, value)
            case "apns-expiration": set(\.expiration, value)
            case "apns-id": set(\.id, value)
            case "apns-collapse-id": set(\.collapseID, value)
            default: break
            }
        }
    }

    private mutating func set(_ field: WritableKeyPath<APNsRequest, String?>, _ value: String) {
        if self[keyPath: field] != nil { hasDuplicates = true }
        self[keyPath: field] = value
    }

    /// The device token of the path; nil when the path is another.
    var token: String? {
        path.utf8.starts(with: Self.pathPrefix.utf8) ? String(path.utf8.dropFirst(Self.pathPrefix.utf8.count)) : nil
    }

    /// The token of the authorization header, when it is of the bearer kind.
    var providerToken: String? {
        guard let authorization else { return nil }
        let scheme = "bearer "
        guard authorization.utf8.count > scheme.utf8.count, authorization.prefix(scheme.count).lowercased() == scheme
        else { return nil }
        return String(authorization.dropFirst(scheme.count))
    }

    var headerList: [(name: String, value: String)] { headers.map { ($0.name, $0.value) } }
}
