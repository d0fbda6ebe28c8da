import Core

/// What a request is for: the clients send other headers with each.
enum RequestKind: Sendable, Hashable {
    /// `apps/services/api/APPLICATION/ENVIRONMENT/ACTION`.
    case action(String)
    /// The login form.
    case form
    /// `invoke`.
    case invoke
    /// `apps/services/NAME`.
    case service(String)
    /// `authorization/v1/PATH`.
    case authorization(String)
    /// Any other path under the context root.
    case path(String)
}

/// The phone or the browser that a client runs on.
struct TestDevice: Sendable {
    var id = "stub-device-uuid-0001"
    var os = "4.4.2"
    var model = "StubPhone"
    /// What the application adds to the answer to the device's challenge, in hybrid clients.
    var custom: JSONObject = [:]
}

/// What goes into headers and changes from request to request.
struct HeaderState: Sendable {
    var host: String
    var instanceID: String?
    var authorization: String?
    var cookies: [String]
    /// Of the OAuth layer of 7.x.
    var clientID: String?
    var signedClientID: String?
}

/// How the clients of one version and one environment speak.
protocol Dialect: Sendable {
    var application: String { get }
    var environment: String { get }
    var version: String { get }
    var device: TestDevice { get }
    /// Whether large answers to challenges go to `authenticate` (wire-protocol 3.3).
    var putsLargeAnswersInBody: Bool { get }
    var keepsFirstCookies: Bool { get }
    /// The checksum of the web resources that the client must be told; `nil` when it does not look.
    var checksum: Int? { get }
    /// Whether the client connects only when it is told of updates.
    var wantsUpdates: Bool { get }
    var form: FormText { get }

    /// The path under the context root.
    func path(of kind: RequestKind) -> String
    /// In the order of the client, without `Content-Length`.
    func headers(_ kind: RequestKind, _ state: HeaderState) -> [(name: String, value: String)]
    /// What stands in every form, before and after the request's own fields.
    func complete(_ fields: [Field], _ kind: RequestKind) -> [Field]

    var initFields: [Field] { get }
    func queryFields(adapter: String, procedure: String, parameters: String) -> [Field]
    /// - Parameter options: JSON.
    func subscribeFields(adapter: String, eventSource: String, alias: String, options: String) -> [Field]
    func unsubscribeFields(adapter: String, eventSource: String, alias: String) -> [Field]
    /// What `tag` and the rest of a request about a tag are.
    func tagFields(_ tag: String, isWanted: Bool) -> [Field]

    func deviceAnswer(token: String) -> JSONValue
    func messageAnswer(id: String) throws -> JSONValue
    /// Takes an answer's JSON out of its wrapping.
    ///
    /// - Returns: `nil` when it is something else, a page for example.
    /// - Throws: ``ClientDoubleError`` where the client throws an exception.
    func unwrap(_ answer: RawAnswer) throws -> JSONValue?
    /// Looks at what the client needs in the answer to `init`.
    func checkConnection(_ object: JSONValue) throws
}

extension Dialect {
    var wantsUpdates: Bool { false }
    var applicationPath: String { "/apps/services/api/\(application)/\(environment)" }

    /// The random number that keeps answers out of caches.
    static func random() -> String { String(Double.random(in: 0.1..<1)) }

    /// Checks what breaks every native SDK, and hybrid clients in their own way (wire-protocol 4.1).
    func checkState(_ object: JSONValue) throws {
        if object["notificationSubscriptionState"]?["token"]?.isNull == true {
            throw ClientDoubleError("the token is null")
        }
    }
}
