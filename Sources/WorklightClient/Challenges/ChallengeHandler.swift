import Foundation

/// Handles an authentication of the application's own, by a form or an adapter (seed 004, 2.9). Everything here is
/// called on the client's callback queue.
open class ChallengeHandler: BaseChallengeHandler, WLDelegate {
    /// Whether an answer is a challenge for this handler; it is asked about every answer (2.9.1). Subclasses override
    /// it; the syntax in 2.9.1 has an underscore before the name, the heading and the examples do not.
    open func isCustomResponse(_ response: WLResponse!) -> Bool { false }

    /// Handles a challenge, for instance by showing a login form (2.9.2). The request waits until ``submitSuccess(_:)``
    /// or ``submitFailure(_:)``. Subclasses override it.
    open func handleChallenge(_ response: WLResponse!) {
        submitFailure(response)
    }

    /// Says that the challenge is answered; the original request is sent again (2.9.3).
    open func submitSuccess(_ response: WLResponse!) {
        finish(.answered(json: nil), "submitSuccess")
    }

    /// The answer to
    /// ``submitLoginForm(_:requestParameters:requestHeaders:requestTimeoutInMilliseconds:requestMethod:)`` or
    /// ``submitAdapterAuthentication(_:options:)`` (2.9.7). Subclasses override it and call ``submitSuccess(_:)`` in
    /// it.
    open func onSuccess(_ response: WLResponse!) {}

    /// The same when there was none (2.9.8; the syntax there is a copy of `isCustomResponse`, the parameter a
    /// `WLFailResponse`).
    open func onFailure(_ response: WLFailResponse!) {}

    /// Sends credentials; the answer comes to ``onSuccess(_:)`` or ``onFailure(_:)`` of this handler (2.9.5).
    ///
    /// - Parameters:
    ///   - requestUrl: absolute when it begins with `http://` or `https://`; otherwise relative to the application's
    ///     address at the Worklight server, or to its context root when it begins with a slash. Another server gets no
    ///     cookies and headers of this one.
    ///   - timeout: in milliseconds; under 0 for ``WorklightSettings/requestTimeout``, 0 for no limit.
    ///   - method: `GET` or `POST`, in any case; `nil` for `POST`.
    open func submitLoginForm(
        _ requestUrl: String!, requestParameters parameters: [AnyHashable: Any]!,
        requestHeaders headers: [AnyHashable: Any]!, requestTimeoutInMilliseconds timeout: Int32,
        requestMethod method: String!
    ) {
        let name = method.map { $0.uppercased() } ?? "POST"
        let request = WireRequest(
            target: .form(requestUrl ?? ""), method: name.isEmpty ? "POST" : name, fields: Self.fields(parameters),
            headers: Self.fields(headers), timeout: RequestTimeout(milliseconds: Int(timeout)))
        send { core in
            guard ["GET", "POST"].contains(request.method) else {
                throw WLError(
                    WLErrorCodeUnexpectedError,
                    "submitLoginForm: expected the method GET or POST, found '\(request.method)'")
            }
            let answer = try await core.perform(request, isOfHandler: true)
            guard answer.status == 200 else { throw core.failure(of: answer, expected: "an answer to the login form") }
            return answer
        }
    }

    /// Calls a procedure that checks credentials; its result comes to ``onSuccess(_:)`` or ``onFailure(_:)`` of this
    /// handler (2.9.6).
    ///
    /// - Parameter requestOptions: as in ``WLClient/invokeProcedure(_:with:options:)``.
    open func submitAdapterAuthentication(
        _ wlInvocationData: WLProcedureInvocationData!, options requestOptions: [AnyHashable: Any]! = [:]
    ) {
        let options = RequestOptions(requestOptions)
        let call = ProcedureCall(wlInvocationData)
        send(context: options.context, isProcedure: true) { [timeout = options.timeout] core in
            try await core.invoke(
                adapter: call.adapter, procedure: call.procedure, parameters: try call.parameters.get(),
                timeout: timeout,
                asHandler: true)
        }
    }

    private func send(
        context: Any? = nil, isProcedure: Bool = false,
        _ call: @escaping @Sendable (ClientCore) async throws -> WLAnswer
    ) {
        guard let client = exchange.client else {
            let error = WLError(
                WLErrorCodeUnexpectedError,
                "realm \(realm): registerChallengeHandler comes before the handler can send anything")
            return onFailure(WLFailResponse(error, context: context, isProcedure: isProcedure))
        }
        client.run(self, context: context, isProcedure: isProcedure, call)
    }

    private static func fields(_ values: [AnyHashable: Any]?) -> [WireField] {
        (values ?? [:]).map { WireField("\($0.key.base)", "\($0.value)") }.sorted { $0.name < $1.name }
    }
}
