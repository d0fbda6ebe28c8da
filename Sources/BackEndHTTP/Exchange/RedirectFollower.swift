import Core
import Foundation
import NIOHTTP1
import WorklightProject

/// All the transfers of one call: redirects and authentication.
struct RedirectFollower {
    private let backEnd: HTTPBackEnd
    private let jar: CookieJar?
    private let request: BackEndRequest
    private let home: Origin
    /// The end user; `nil` for the server's own identity.
    private let user: HTTPIdentity?
    private let digest: DigestAuthentication?
    private let limits: BackEndTransferLimits
    private let way: WaitingWay

    private var origin: Origin
    private var target: String
    private var method: BackEndRequest.Method
    private var body: (type: String, content: [UInt8])?
    private var redirects = 0
    private var visited: Set<[String]> = []
    private var answeredChallenges = 0

    init(
        _ request: BackEndRequest, of backEnd: HTTPBackEnd, cookies: CookieJar, as user: HTTPIdentity?,
        deadline: ContinuousClock.Instant, isGivenUp: (@Sendable () -> Bool)? = nil, _ way: WaitingWay
    ) throws(BackEndTransferError) {
        let policy = backEnd.policy
        guard let domain = policy.domain, !domain.isEmpty else {
            throw BackEndTransferError("the connectionPolicy names no 'domain'")
        }
        guard policy.authentication?.scheme != .spnego else {
            throw BackEndTransferError(HTTPAuthentication.spnegoAdvice)
        }
        self.backEnd = backEnd
        self.way = way
        self.user = user
        digest =
            if let user, policy.authentication?.scheme == .digest { DigestAuthentication(user) } else {
                user == nil ? backEnd.digest : nil
            }
        self.request = request
        jar = policy.cookiePolicy == .ignore ? nil : cookies
        home = backEnd.home
        limits = BackEndTransferLimits(
            connectionTimeout: request.connectionTimeout ?? .milliseconds(policy.connectionTimeout),
            socketTimeout: request.socketTimeout ?? .milliseconds(policy.socketTimeout), deadline: deadline,
            isGivenUp: isGivenUp, maximumSize: backEnd.maximumResponseSize)

        origin = home
        method = request.method
        let form = FormFields.encode(request.parameters)
        let sendsForm = method.sendsForm && request.body == nil
        target = RequestTarget.make(path: request.path, form: sendsForm ? "" : form)
        if let body = request.body {
            let charset = HeaderRules.parameter("charset", of: body.contentType)
            self.body = (body.contentType, Charset.encode(body.content, as: charset ?? "utf-8"))
        } else if sendsForm {
            body = ("application/x-www-form-urlencoded; charset=utf-8", Array(form.utf8))
        }
    }

    /// Returns the response that is neither a redirect to follow nor a challenge to meet.
    mutating func run(in slot: ConnectionSlot) async throws(BackEndTransferError) -> BackEndTransfer.Answer {
        while true {
            let headers = makeHeaders()
            // Only a redirect leads where the conversation has been.
            if redirects > 0,
                !visited.insert([method.rawValue, origin.url, target, headers["Cookie"].joined()]).inserted
            {
                throw BackEndTransferError("the back end redirects in a circle, to \(origin.url)\(target)")
            }
            let answer = try await send(headers, in: slot)
            jar?.store(answer.headers["Set-Cookie"], from: origin, target: target)
            if meetsChallenge(answer) {
                visited.removeAll()
                continue
            }
            guard try follows(answer) else { return answer }
        }
    }

    /// Returns true if the request may arrive twice (RFC 9110, 9.2.2), by its method or by an `Idempotency-Key` with which the back end recognizes
    /// it.
    private func isRepeatable(_ headers: HTTPHeaders) -> Bool {
        method.isIdempotent || headers.contains(name: "Idempotency-Key")
    }

    private func send(
        _ headers: HTTPHeaders, in slot: ConnectionSlot
    ) async throws(BackEndTransferError) -> BackEndTransfer.Answer {
        guard let standIn = backEnd.standIn else { return try await send(headers, to: origin, in: slot) }
        let request = BackEndStandInRequest(
            method: method.rawValue, origin: origin.url, target: target,
            headers: headers.map { (name: $0.name, value: $0.value) }, body: body?.content ?? [],
            socketTimeout: limits.socketTimeout)
        switch Result(catching: { () throws(BackEndStandInError) in try standIn.answer(request) }) {
        case .success(.response(let status, _, _)) where !(100...599).contains(status):
            throw BackEndTransferError("the response's status is \(status); expected 100 to 599")
        case .success(.response(let status, let fields, let body)):
            return BackEndTransfer.Answer(
                status: status, reason: HTTPResponseStatus(statusCode: status).reasonPhrase,
                headers: HTTPHeaders(fields.map { ($0.name, $0.value) }), body: body)
        case .success(.silence): throw .silence(of: limits.socketTimeout)
        case .success(.refusedConnection):
            throw BackEndTransferError("no connection to \(origin.authority): Connection refused")
        case .success(.forward(let url)):
            let isSecure = url.scheme?.lowercased() == "https"
            return try await send(
                headers,
                to: Origin(
                    scheme: isSecure ? "https" : "http", host: url.host() ?? "", port: url.port ?? (isSecure ? 443 : 80)
                ), in: slot)
        case .failure(let refusal): throw BackEndTransferError(refusal.description)
        }
    }

    private func send(
        _ headers: HTTPHeaders, to origin: Origin, in slot: ConnectionSlot
    ) async throws(BackEndTransferError) -> BackEndTransfer.Answer {
        let request = BackEndTransfer.Request(
            method: method, origin: origin, target: target, headers: headers, body: body?.content,
            isRepeatable: isRepeatable(headers), user: user)
        return try await BackEndTransfer(request, of: backEnd, limits: limits, way).run(in: slot)
    }

    private func makeHeaders() -> HTTPHeaders {
        var headers = HTTPHeaders()
        let isHome = origin == home
        for (name, value) in request.headers where !HeaderRules.transport.contains(name.lowercased()) {
            let isPrivate = ["authorization", "cookie", "host"].contains(name.lowercased())
            if isHome || !isPrivate { headers.add(name: name, value: value) }
        }
        if !headers.contains(name: "Host") { headers.add(name: "Host", value: origin.hostHeader) }
        if !headers.contains(name: "Accept-Encoding") {
            headers.add(name: "Accept-Encoding", value: ContentCoding.offered)
        }
        if let trace = request.trace, !headers.contains(name: "traceparent"), !headers.contains(name: "tracestate") {
            headers.add(contentsOf: trace.headers.map { ($0.name, $0.value) })
        }
        if let body {
            headers.replaceOrAdd(name: "Content-Type", value: body.type)
        } else if !method.sendsForm {
            headers.remove(name: "Content-Type")
        }

        let own = isHome ? request.cookies : []
        let kept = (jar?.cookies(for: origin, target: target) ?? []).filter { cookie in
            !own.contains { $0.0 == cookie.0 }
        }
        let cookies = (headers["Cookie"].map(HeaderRules.cookiePairs) + (kept + own).map { "\($0.0)=\($0.1)" }).joined(
            separator: "; ")
        headers.remove(name: "Cookie")
        if !cookies.isEmpty { headers.add(name: "Cookie", value: cookies) }

        if isHome, let authentication = backEnd.policy.authentication, !headers.contains(name: "Authorization"),
            let identity = user ?? authentication.serverIdentity
        {
            if authentication.scheme == .basic {
                headers.add(name: "Authorization", value: Self.basic(identity))
            } else if let value = digest?.authorization(method: method.rawValue, target: target) {
                headers.add(name: "Authorization", value: value)
            }
        }
        return headers
    }

    /// Returns true if the server asks for a digest that can be computed. A second challenge is met only for a nonce that was too old.
    private mutating func meetsChallenge(_ answer: BackEndTransfer.Answer) -> Bool {
        guard answer.status == 401, origin == home, let digest, answeredChallenges < 3 else {
            return false
        }
        let (isAnswerable, isStale) = digest.accept(Challenge.parse(answer.headers["WWW-Authenticate"]))
        guard isAnswerable, answeredChallenges == 0 || isStale else { return false }
        answeredChallenges += 1
        return true
    }

    /// Returns true if `answer` is a redirect, which is then the next request.
    private mutating func follows(_ answer: BackEndTransfer.Answer) throws(BackEndTransferError) -> Bool {
        let code = answer.status
        guard [301, 302, 303, 307, 308].contains(code), let location = answer.headers.first(name: "Location"),
            backEnd.policy.maxRedirects > 0
        else { return false }
        redirects += 1
        guard redirects <= backEnd.policy.maxRedirects else {
            throw BackEndTransferError("more than \(backEnd.policy.maxRedirects) redirects; see maxRedirects")
        }
        guard let next = origin.resolve(location, from: target) else {
            throw BackEndTransferError(
                "the back end redirects to '\(HeaderRules.printable(location))', which is not an HTTP address")
        }
        guard isAllowed(next.origin) else {
            throw BackEndTransferError(
                "the back end redirects to \(HeaderRules.printable(next.origin.url)), which is not the host and port of the connectionPolicy; "
                    + "to follow it, name '\(HeaderRules.printable(next.origin.authority))' in the setting backEnds.redirectHosts"
            )
        }
        if code == 303 ? method != .head : code <= 302 && method == .post {
            method = .get
            body = nil
        }
        (origin, target) = next
        answeredChallenges = 0
        return true
    }

    /// A back end that chose where the server asks next could reach what only the server reaches.
    private func isAllowed(_ next: Origin) -> Bool {
        (next.host, next.port) == (home.host, home.port) || backEnd.redirectHosts.contains(next.host)
            || backEnd.redirectHosts.contains(next.authority)
    }

    private static func basic(_ identity: HTTPIdentity) -> String {
        "Basic " + Data("\(identity.username):\(identity.password)".utf8).base64EncodedString()
    }
}
