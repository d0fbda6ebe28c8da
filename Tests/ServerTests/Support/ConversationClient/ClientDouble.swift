import Core
import Foundation

/// A client that sends the same requests as the originals, and handles responses as they do (wire-protocol 2, 3, 6).
///
/// It throws ``ClientDoubleError`` where an original would throw an exception, show an unexpected dialog, or wait without a limit.
actor ClientDouble {
    /// A request and its response.
    struct Exchange: Sendable {
        let kind: RequestKind
        let headers: [(name: String, value: String)]
        let body: String
        let answer: RawAnswer
    }

    /// The user's input, or the application's use of it.
    struct Login: Sendable {
        let user: String
        let password: String

        static let wrong = Login(user: "bjones", password: "wrong")
        static let right = Login(user: "bjones", password: "password")
    }

    /// A request before it is dressed up.
    struct Outgoing {
        let kind: RequestKind
        var method = "POST"
        var fields: [Field] = []
        /// Instead of a form.
        var raw: [UInt8]?
        var headers: [(name: String, value: String)] = []
    }

    /// The number of challenges for one request after which the test fails.
    private static let mostChallenges = 15

    nonisolated let dialect: any Dialect
    private let port: Int
    /// True if the client keeps no cookies, as when the user has turned them off.
    private var dropsCookies = false
    private let root: String
    private(set) var cookies: CookieStore
    private(set) var instanceID: String?
    private(set) var exchanges: [Exchange] = []
    /// The user's input on the next login pages.
    private var logins: [Login] = []
    /// The operator's message, if one was shown.
    private(set) var shownMessage: String?
    private(set) var clientID: String?
    private(set) var signedClientID: String?
    /// `Authorization` with the tokens that the client has; `nil` when it has none.
    private(set) var bearer: String?
    /// Lets a test see a challenge before the client responds to it.
    private var onChallenge: (@Sendable () async -> Void)?

    /// - Parameters:
    ///   - instanceID: what the client kept from an earlier run.
    init(_ dialect: any Dialect, at server: RunningServer, root: String = "/wl", instanceID: String? = nil) {
        self.dialect = dialect
        self.root = root
        self.instanceID = instanceID
        port = server.port
        cookies = CookieStore(keepsFirsts: dialect.keepsFirstCookies)
    }

    func dropCookies() { dropsCookies = true }
    func keepCookies() { dropsCookies = false }
    func setCookie(_ name: String, _ value: String) { cookies.set(name, value) }
    func rememberFirst(_ name: String, _ value: String) { cookies.rememberFirst(name, value) }
    func setBearer(_ value: String?) { bearer = value }
    func setClient(id: String, signed: String) { (clientID, signedClientID) = (id, signed) }
    func whenChallenged(_ body: (@Sendable () async -> Void)?) { onChallenge = body }

    // MARK: Challenges

    /// Sends a request until it succeeds, as far as the client can remove the obstacles.
    ///
    /// - Parameter handlesLogin: whether the application's challenge handlers check the responses; not while one of them is
    ///   sending the user's input.
    func ask(_ request: Outgoing, _ logins: [Login], handlesLogin: Bool = true) async throws -> Reply {
        self.logins = logins.isEmpty ? self.logins : logins
        var authorization: String?
        for _ in 0..<Self.mostChallenges {
            let answer = try await transmit(request, authorization: authorization)
            authorization = nil
            let object = try dialect.unwrap(answer)
            if answer.status == 401, answer["WWW-Authenticate"].first?.lowercased() == "wl-composite-challenge" {
                guard let challenges = object?["challenges"]?.object else { throw ClientDoubleError("no challenges") }
                await onChallenge?()
                let answers = try respond(to: challenges)
                guard !answers.isEmpty else { continue }
                let text = JSONValue.object(answers).text
                if dialect.putsLargeAnswersInBody, text.utf8.count > 900 {
                    try await authenticate(text)
                } else {
                    authorization = text
                }
                continue
            }
            if let failure = object?["WL-Authentication-Failure"] { try Self.checkFailure(failure) }
            let reply = Reply(answer: answer, object: object)
            guard handlesLogin, try await logIn(at: reply) else { return reply }
        }
        throw ClientDoubleError("challenged again and again, for ever: \(request.kind)")
    }

    /// Sends a request and responds to no challenge, as a client that is killed, or that never repeats the request.
    func once(_ method: String, _ kind: RequestKind, _ fields: [Field] = []) async throws -> RawAnswer {
        try await transmit(Outgoing(kind: kind, method: method, fields: fields), authorization: nil)
    }

    private func respond(to challenges: JSONObject) throws -> JSONObject {
        var answers = JSONObject()
        for challenge in challenges.members {
            switch challenge.key {
            case "wl_antiXSRFRealm":
                guard let id = challenge.value["WL-Instance-Id"]?.string else {
                    throw ClientDoubleError("no instance id")
                }
                instanceID = id
            case "wl_deviceNoProvisioningRealm":
                guard let token = challenge.value["token"]?.string else { throw ClientDoubleError("no device token") }
                answers[challenge.key] = dialect.deviceAnswer(token: token)
            case "wl_remoteDisableRealm":
                guard let id = challenge.value["messageId"]?.string, challenge.value["messageType"] == "NOTIFY" else {
                    throw ClientDoubleError("a message that cannot be shown: \(challenge.value)")
                }
                shownMessage = challenge.value["message"]?.string
                answers[challenge.key] = try dialect.messageAnswer(id: id)
            default: throw ClientDoubleError("no handler for the realm \(challenge.key): the request hangs")
            }
        }
        return answers
    }

    /// Sends the challenge responses by themselves, when they are too long for a header (wire-protocol 3.3).
    private func authenticate(_ text: String) async throws {
        let answer = try await transmit(
            Outgoing(kind: .action("authenticate"), raw: Array(text.utf8)), authorization: "wl-authorization-in-body")
        guard answer.status == 200, try dialect.unwrap(answer)?["WL-Authentication-Success"] != nil else {
            throw ClientDoubleError("authenticate brought no success: \(answer.status) \(answer.text)")
        }
    }

    /// The native SDK of 5.0.6 reads both members, and fails when one is absent (wire-protocol 3.5).
    private static func checkFailure(_ failure: JSONValue) throws {
        for realm in failure.object?.members ?? [] {
            if realm.key == "wl_remoteDisableRealm" {
                guard realm.value["message"] != nil, realm.value["downloadLink"] != nil else {
                    throw ClientDoubleError("JSONException: \(realm.value)")
                }
            } else if realm.value["reason"]?.string == nil {
                throw ClientDoubleError("JSONException: no reason for \(realm.key)")
            }
        }
    }

    /// Does the work of the application's own challenge handlers.
    ///
    /// - Returns: whether the request is to be sent again.
    private func logIn(at reply: Reply) async throws -> Bool {
        if reply.isLoginPage {
            while !logins.isEmpty {
                let login = logins.removeFirst()
                let form = Outgoing(
                    kind: .form,
                    fields: [Field("j_username", login.user), Field("j_password", login.password)])
                let answer = try await transmit(form, authorization: nil)
                let next = Reply(answer: answer, object: try dialect.unwrap(answer))
                if !next.isLoginPage { return true }
            }
        } else if reply.wantsAdapterLogin {
            while !logins.isEmpty {
                let login = logins.removeFirst()
                let parameters = JSONValue.array([.string(login.user), .string(login.password)]).text
                let answer = try await invoke("AuthAdapter", "submitAuthentication", parameters)
                if answer.object?["authRequired"] == .bool(false) { return true }
            }
        }
        return false
    }

    // MARK: The wire

    private func transmit(_ request: Outgoing, authorization: String?) async throws -> RawAnswer {
        let state = HeaderState(
            host: "127.0.0.1:\(port)", instanceID: instanceID, authorization: authorization, cookies: cookies.headers,
            clientID: clientID, signedClientID: signedClientID)
        let text = dialect.form.encode(dialect.complete(request.fields, request.kind))
        var target = root + dialect.path(of: request.kind)
        var body = request.raw ?? Array(text.utf8)
        if request.method == "GET" {
            target += "?" + text
            body = []
        }
        var headers = dialect.headers(request.kind, state) + request.headers
        if request.method == "GET" { headers.removeAll { $0.name.lowercased() == "content-type" } }
        if request.method == "POST" { headers.append(("Content-Length", "\(body.count)")) }
        let head = (["\(request.method) \(target) HTTP/1.1"] + headers.map { "\($0.name): \($0.value)" })
            .joined(separator: "\r\n")
        let answer = try await RawAnswer(to: Array("\(head)\r\n\r\n".utf8) + body, port: port).unpacked()
        if !dropsCookies { try cookies.take(answer) }
        exchanges.append(
            Exchange(
                kind: request.kind, headers: headers, body: String(decoding: body, as: UTF8.self), answer: answer))
        return answer
    }
}
