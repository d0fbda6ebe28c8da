import AdapterRuntime
import Authentication
import Core
import HTTPServer
import HTTPTypes
import Installation

/// The kind of caller of a procedure at the context root.
enum ProcedureCaller: Sendable {
    /// A back end or a developer with a key: may call every procedure.
    case backEnd
    /// A program on this machine while `development.open` is set: may call what no security test guards.
    case program
    /// A program with a user's name and password for a realm of the procedure's security test.
    case basicLogin
    /// None of these, and no client either.
    case refused(Refusal)
    /// Everybody else: must do what clients do.
    case client

    struct Refusal: Sendable {
        let response: Response
        /// True if it holds for `/adapters` too, where clients of 7.x show tokens in the same header.
        let isFinal: Bool
    }
}

extension ClientProtocolHandler {
    func caller(of call: IncomingRequest) -> ProcedureCaller {
        let grant = security.development?.grant(to: call) ?? .none
        switch grant {
        case .everything: return .backEnd
        case .keyFromElsewhere: return .refused(.init(response: refusalOfRemoteKey(call), isFinal: true))
        case .unguarded, .keyMissing, .none: break
        }
        let isLogin = isBasicLogin(call)
        switch security.backEnds.caller(of: call, in: security.sessions) {
        case .known:
            // A browser adds credentials of Basic by itself, whatever page asks.
            guard !page(of: call).isForeign else {
                return .refused(.init(response: Self.crossSiteRefusal, isFinal: true))
            }
            return .backEnd
        // A user of the realm may have the name of the back ends.
        case .unknown where isLogin, .guessing where isLogin: break
        case .unknown:
            let refusal = Self.refusal(.unauthorized, "the credentials are not those of a back end") {
                $0[.wwwAuthenticate] = "Bearer, Basic realm=\"back ends\""
            }
            return .refused(.init(response: refusal, isFinal: false))
        case .guessing(let wait):
            security.log.reached(
                "wrong keys of back ends from one address", by: call.address, "refused a call with 429")
            let refusal = Self.refusal(.tooManyRequests, "too many wrong credentials came from this address") {
                $0[.retryAfter] = "\(max(1, wait.components.seconds))"
            }
            return .refused(.init(response: refusal, isFinal: false))
        case .none: break
        }
        if isLogin { return .basicLogin }
        guard !isClients(call) else { return .client }
        return switch grant {
        case .unguarded: .program
        case .keyMissing: .refused(.init(response: Self.refusalWithoutKey, isFinal: true))
        case .everything, .keyFromElsewhere, .none: .client
        }
    }

    /// Returns the refusal of a request for a development feature; `nil` when the request may use it.
    func developmentRefusal(of call: IncomingRequest, _ name: String) -> Response? {
        switch security.development?.grant(to: call) ?? .none {
        case .everything, .unguarded: nil
        case .keyMissing: Self.refusalWithoutKey
        case .keyFromElsewhere: refusalOfRemoteKey(call)
        case .none:
            ClientProtocolResponse.plainFailure(
                .notFound, "\(name) is for development on this machine", status: .notFound)
        }
    }

    func page(of call: IncomingRequest) -> PageOrigin { PageOrigin(of: call.request.head, for: call.host) }

    /// Returns true if a request has a header or cookie that the SDKs send.
    private func isClients(_ call: IncomingRequest) -> Bool {
        let headers = call.request.headers
        return headers[.instanceID] != nil || headers[.requestedWith] != nil || headers[.authorization] != nil
            || !SessionCookies(headers).sessionIDs.isEmpty
    }

    // MARK: Refusals

    private static func refusal(
        _ status: HTTPResponse.Status, _ reason: String, _ addHeaders: (inout HTTPFields) -> Void = { _ in }
    ) -> Response {
        var response = ClientProtocolResponse.plainFailure(.unexpected, reason, status: status)
        addHeaders(&response.headers)
        return response
    }

    private static var refusalWithoutKey: Response {
        refusal(
            .unauthorized,
            "the development key is missing: send the header 'Authorization: Bearer KEY' with the key in the file "
                + "'\(DevelopmentAccess.fileName)' of the data folder, or set development.open"
        ) { $0[.wwwAuthenticate] = "Bearer" }
    }

    private func refusalOfRemoteKey(_ call: IncomingRequest) -> Response {
        guard !page(of: call).isForeign else { return Self.crossSiteRefusal }
        return Self.refusal(
            .unauthorized,
            "the development key counts only on this machine, at localhost and without a proxy; set backEnds.token and "
                + "send that"
        ) { $0[.wwwAuthenticate] = "Bearer" }
    }

    static var crossSiteRefusal: Response {
        ClientProtocolResponse.failure(.unexpected, "a page of another site sent this request", status: .forbidden)
    }
}

/// An adapter may be redeployed between the check of a caller and the run of its script. A caller that has passed one
/// security test has not passed another: then the check is repeated.
extension ClientProtocolHandler {
    /// More often than this within one request nobody deploys.
    private static let attempts = 10

    /// Finds the permit that a caller needs, checks the caller and calls; repeats this while the adapter changes in between.
    func retryWithCurrentPermit(
        _ permit: @autoclosure () -> CallPermit, _ body: (CallPermit) async throws(StalePermitError) -> Response
    ) async -> Response {
        for _ in 0..<Self.attempts {
            do throws(StalePermitError) {
                return try await body(permit())
            } catch {
                continue
            }
        }
        return ClientProtocolResponse.failure(.unexpected, "\(StalePermitError())", status: .serviceUnavailable)
    }

    /// The test that guards a procedure at the moment, as what a caller has to bring along who passes it.
    func permit(of call: IncomingRequest) -> CallPermit {
        .passed(securityTest: installation.runtime.securityTest(ofProcedure: call.procedure, adapter: call.adapter))
    }

    /// Returns the proofs that a permit requires of a caller.
    func requirements(for permit: CallPermit) -> SecurityRequirements {
        switch permit {
        case .unconditional: SecurityRequirements()
        case .passed(let test): security.policy.requirements(ofTest: test)
        }
    }
}

extension DevelopmentAccess {
    fileprivate func grant(to call: IncomingRequest) -> Grant {
        grant(authorization: call.request.headers[.authorization], isLocal: call.isLocal)
    }
}

extension BackEndAuthenticator {
    fileprivate func caller(of call: IncomingRequest, in sessions: SessionTable) -> Caller {
        // Responses to challenges are in the same header.
        guard let header = call.request.headers.value(of: .authorization), header.utf8.first != UInt8(ascii: "{"),
            header != Handshake.inBody, mayAccept(authorization: header)
        else { return .none }
        // A client of ours may log in by such a header to a realm of the project's. It guesses there, if it does.
        let ids = SessionCookies(call.request.headers).sessionIDs
        if case .session = sessions.find(ids) { return .none }
        switch check(authorization: header, from: call.rateLimitKey) {
        case .known: return .known
        case let refusal: return ids.isEmpty ? refusal : .none
        }
    }
}
