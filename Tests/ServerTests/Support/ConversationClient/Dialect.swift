import Core

/// The purpose of a request: the clients send other headers with each.
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
    /// The members that the application adds to the response to the device's challenge, in hybrid clients.
    var custom: JSONObject = [:]
}

/// The values in headers that change from request to request.
struct HeaderState: Sendable {
    var host: String
    var instanceID: String?
    var authorization: String?
    var cookies: [String]
    /// The client's id in the OAuth layer of 7.x.
    var clientID: String?
    var signedClientID: String?
}

/// The protocol of the clients of one version and one environment.
protocol Dialect: Sendable {
    var application: String { get }
    var environment: String { get }
    var version: String { get }
    var device: TestDevice { get }
    /// True if large responses to challenges go to `authenticate` (wire-protocol 3.3).
    var putsLargeAnswersInBody: Bool { get }
    var keepsFirstCookies: Bool { get }
    /// The checksum of the web resources that the client expects; `nil` when it does not check.
    var checksum: Int? { get }
    /// True if the client connects only when the response mentions updates.
    var wantsUpdates: Bool { get }
    var form: FormText { get }

    /// The path under the context root.
    func path(of kind: RequestKind) -> String
    /// In the order of the client, without `Content-Length`.
    func headers(_ kind: RequestKind, _ state: HeaderState) -> [(name: String, value: String)]
    /// Returns the fields of every form, before and after the request's own fields.
    func complete(_ fields: [Field], _ kind: RequestKind) -> [Field]

    var initFields: [Field] { get }
    func queryFields(adapter: String, procedure: String, parameters: String) -> [Field]
    /// - Parameter options: JSON.
    func subscribeFields(adapter: String, eventSource: String, alias: String, options: String) -> [Field]
    func unsubscribeFields(adapter: String, eventSource: String, alias: String) -> [Field]
    /// Returns `tag` and the other fields of a request about a tag.
    func tagFields(_ tag: String, isWanted: Bool) -> [Field]

    func deviceAnswer(token: String) -> JSONValue
    func messageAnswer(id: String) throws -> JSONValue
    /// Takes a response's JSON out of its wrapping.
    ///
    /// - Returns: `nil` when it is something else, a page for example.
    /// - Throws: ``ClientDoubleError`` where the client throws an exception.
    func unwrap(_ answer: RawAnswer) throws -> JSONValue?
    /// Checks the members that the client needs in the response to `init`.
    func checkConnection(_ object: JSONValue) throws
}

extension Dialect {
    var wantsUpdates: Bool { false }
    var applicationPath: String { "/apps/services/api/\(application)/\(environment)" }

    /// Returns the random number that keeps responses out of caches.
    static func random() -> String { String(Double.random(in: 0.1..<1)) }

    /// Checks what breaks every native SDK, and hybrid clients in their own way (wire-protocol 4.1).
    func checkState(_ object: JSONValue) throws {
        if object["notificationSubscriptionState"]?["token"]?.isNull == true {
            throw ClientDoubleError("the token is null")
        }
    }
}
