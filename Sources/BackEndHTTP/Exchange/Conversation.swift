import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import PushModel
import WorklightProject

/// All the exchanges that one call takes: redirects and authentication.
struct Conversation {
    private let backEnd: HTTPBackEnd
    private let jar: CookieJar?
    private let request: BackEndRequest
    private let home: Origin
    private let limits: ExchangeLimits

    private var origin: Origin
    private var target: String
    private var method: BackEndRequest.Method
    private var body: (type: String, content: [UInt8])?
    private var redirects = 0
    private var visited: Set<[String]> = []
    private var answeredChallenges = 0

    init(
        _ request: BackEndRequest, of backEnd: HTTPBackEnd, cookies: CookieJar, deadline: ContinuousClock.Instant,
        isGivenUp: (@Sendable () -> Bool)? = nil
    ) throws(ExchangeError) {
        let policy = backEnd.policy
        guard let domain = policy.domain, !domain.isEmpty else {
            throw ExchangeError("the connectionPolicy names no 'domain'")
        }
        if policy.authentication?.scheme == .ntlm || policy.proxy?.authentication?.scheme == .ntlm {
            throw ExchangeError("NTLM authentication is not supported; use basic or digest in the connectionPolicy")
        }
        if policy.proxy?.authentication?.scheme == .digest {
            throw ExchangeError("digest authentication at a proxy is not supported; use basic in 'proxy'")
        }
        if policy.proxy?.scheme.lowercased() == "https" {
            throw ExchangeError(
                "a proxy that is itself reached by https is not supported; use protocol http in 'proxy'")
        }
        self.backEnd = backEnd
        self.request = request
        jar = policy.cookiePolicy == .ignore ? nil : cookies
        home = Origin(scheme: policy.scheme, host: domain, port: policy.port)
        limits = ExchangeLimits(
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

    /// The answer that is neither a redirect to follow nor a challenge to meet.
    mutating func run() throws(ExchangeError) -> Exchange.Answer {
        while true {
            let headers = makeHeaders()
            guard visited.insert([method.rawValue, origin.url, target, headers["Cookie"].joined()]).inserted else {
                throw ExchangeError("the back end redirects in a circle, to \(origin.url)\(target)")
            }
            let answer = try exchange(headers)
            jar?.store(answer.head.headers["Set-Cookie"], from: origin, target: target)
            if meetsChallenge(answer.head) {
                visited.removeAll()
                continue
            }
            guard try follows(answer.head) else { return answer }
        }
    }

    private func exchange(_ headers: HTTPHeaders) throws(ExchangeError) -> Exchange.Answer {
        var repetitions = 0
        while true {
            do {
                return try send(headers)
            } catch let error where repetitions < Self.maximumRepetitions && mayRepeat(headers, after: error) {
                // Each repetition follows a connection that is closed; others that were kept may be closed as well.
                repetitions += 1
            }
        }
    }

    /// How often one request is sent again because the back end closed the connection.
    private static let maximumRepetitions = 5

    /// Whether the request may be sent again (RFC 9110, 9.2.2): it never left, or doing it twice is like doing it once, which
    /// its method tells, or an `Idempotency-Key` by which the back end recognises it.
    private func mayRepeat(_ headers: HTTPHeaders, after error: ExchangeError) -> Bool {
        switch error.repeatability {
        case .never: false
        case .ifIdempotent: method.isIdempotent || headers.contains(name: "Idempotency-Key")
        case .always: true
        }
    }

    private func send(_ headers: HTTPHeaders) throws(ExchangeError) -> Exchange.Answer {
        guard let standIn = backEnd.standIn else { return try send(headers, to: origin) }
        let request = BackEndStandInRequest(
            method: method.rawValue, origin: origin.url, target: target,
            headers: headers.map { (name: $0.name, value: $0.value) }, body: body?.content ?? [],
            socketTimeout: limits.socketTimeout)
        switch Result(catching: { () throws(BackEndRequestRefused) in try standIn.answer(request) }) {
        case .success(.response(let status, _, _)) where !(100...599).contains(status):
            throw ExchangeError("the answer's status is \(status); expected 100 to 599")
        case .success(.response(let status, let fields, let body)):
            let head = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: status),
                headers: HTTPHeaders(fields.map { ($0.name, $0.value) }))
            return Exchange.Answer(head: head, body: ByteBuffer(bytes: body))
        case .success(.silence): throw .silence(of: limits.socketTimeout)
        case .success(.refusedConnection):
            throw ExchangeError("no connection to \(origin.authority): Connection refused")
        case .success(.forward(let url)):
            let isSecure = url.scheme?.lowercased() == "https"
            return try send(
                headers,
                to: Origin(
                    scheme: isSecure ? "https" : "http", host: url.host() ?? "", port: url.port ?? (isSecure ? 443 : 80)
                ))
        case .failure(let refusal): throw ExchangeError(refusal.description)
        }
    }

    private func send(_ headers: HTTPHeaders, to origin: Origin) throws(ExchangeError) -> Exchange.Answer {
        var headers = headers
        var server = origin
        headers.add(name: ConnectionHandler.targetHeader, value: target)
        if origin.scheme == "http", let proxy = backEnd.policy.proxy {
            server = Origin(scheme: "http", host: proxy.host, port: proxy.port)
            headers.replaceOrAdd(name: ConnectionHandler.targetHeader, value: origin.url + target)
            if let identity = proxy.authentication {
                headers.add(name: "Proxy-Authorization", value: Self.basic(identity))
            }
        }
        let call: HTTPClient.Request
        do {
            call = try HTTPClient.Request(
                url: server.url + "/", method: HTTPMethod(rawValue: method.rawValue), headers: headers,
                body: body.map { .bytes($0.content) })
        } catch {
            throw ExchangeError("\(server.url) cannot be called: \(error)")
        }
        let peer = backEnd.policy.proxy.map { "the proxy \($0.host):\($0.port)" } ?? origin.authority
        return try Exchange(with: peer, limits: limits).run(call, on: backEnd.client(for: origin))
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
        if let body {
            headers.replaceOrAdd(name: "Content-Type", value: body.type)
        } else if !method.sendsForm {
            headers.remove(name: "Content-Type")
        }

        let own = isHome ? request.cookies : []
        let kept = (jar?.cookies(for: origin, target: target) ?? []).filter { cookie in
            !own.contains { $0.0 == cookie.0 }
        }
        let cookies = (headers["Cookie"] + (kept + own).map { "\($0.0)=\($0.1)" }).joined(separator: "; ")
        headers.remove(name: "Cookie")
        if !cookies.isEmpty { headers.add(name: "Cookie", value: cookies) }

        if isHome, let identity = backEnd.policy.authentication, !headers.contains(name: "Authorization") {
            if identity.scheme == .basic {
                headers.add(name: "Authorization", value: Self.basic(identity))
            } else if let value = backEnd.digest?.authorization(method: method.rawValue, target: target) {
                headers.add(name: "Authorization", value: value)
            }
        }
        return headers
    }

    /// Whether the server asks for a digest that can be given. A second time it can only for a nonce that was too old.
    private mutating func meetsChallenge(_ head: HTTPResponseHead) -> Bool {
        guard head.status == .unauthorized, origin == home, let digest = backEnd.digest, answeredChallenges < 3 else {
            return false
        }
        let (isAnswerable, isStale) = digest.accept(Challenge.parse(head.headers["WWW-Authenticate"]))
        guard isAnswerable, answeredChallenges == 0 || isStale else { return false }
        answeredChallenges += 1
        return true
    }

    /// Whether `head` is a redirect, which is then the next thing to ask for.
    private mutating func follows(_ head: HTTPResponseHead) throws(ExchangeError) -> Bool {
        let code = head.status.code
        guard [301, 302, 303, 307, 308].contains(code), let location = head.headers.first(name: "Location"),
            backEnd.policy.maxRedirects > 0
        else { return false }
        redirects += 1
        guard redirects <= backEnd.policy.maxRedirects else {
            throw ExchangeError("more than \(backEnd.policy.maxRedirects) redirects; see maxRedirects")
        }
        guard let next = origin.resolve(location, from: target) else {
            throw ExchangeError(
                "the back end redirects to '\(HeaderRules.printable(location))', which is no HTTP address")
        }
        if code == 303 ? method != .head : code <= 302 && method == .post {
            method = .get
            body = nil
        }
        (origin, target) = next
        answeredChallenges = 0
        return true
    }

    private static func basic(_ identity: HTTPAuthentication) -> String {
        "Basic " + Data("\(identity.username):\(identity.password)".utf8).base64EncodedString()
    }
}
