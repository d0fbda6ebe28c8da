import Foundation

/// Handles a custom authentication, by a login form or an adapter (seed 004, 2.9). The client calls the methods that subclasses
/// override on its callback queue.
///
/// ```swift
/// final class LoginHandler: ChallengeHandler {
///     override func isCustomResponse(_ response: WLResponse!) -> Bool {
///         response.responseText.contains("j_security_check")
///     }
///
///     override func handleChallenge(_ response: WLResponse!) {
///         submitLoginForm(
///             "j_security_check", requestParameters: ["j_username": "ann", "j_password": "secret"], requestHeaders: [:],
///             requestTimeoutInMilliseconds: -1, requestMethod: "POST")
///     }
///
///     override func onSuccess(_ response: WLResponse!) {
///         if isCustomResponse(response) { submitFailure(response) } else { submitSuccess(response) }
///     }
///
///     override func onFailure(_ response: WLFailResponse!) { submitFailure(response) }
/// }
///
/// client.registerChallengeHandler(LoginHandler(realm: "ShopRealm"))
/// ```
open class ChallengeHandler: BaseChallengeHandler, WLDelegate {
    /// Returns whether a response is a challenge for this handler (2.9.1). The client calls it for every response. Subclasses override
    /// it; by default no response is a challenge.
    ///
    /// The syntax in 2.9.1 has an underscore before the name; the heading and the examples do not.
    open func isCustomResponse(_ response: WLResponse!) -> Bool { false }

    /// Handles a challenge, for example with a login form (2.9.2). The request waits until the handler calls ``submitSuccess(_:)``
    /// or ``BaseChallengeHandler/submitFailure(_:)``. Subclasses override it; by default the challenge fails.
    open func handleChallenge(_ response: WLResponse!) {
        submitFailure(response)
    }

    /// Ends the challenge successfully: the client sends the original request again (2.9.3).
    open func submitSuccess(_ response: WLResponse!) {
        finish(.answered(json: nil), "submitSuccess")
    }

    /// Receives the response to
    /// ``submitLoginForm(_:requestParameters:requestHeaders:requestTimeoutInMilliseconds:requestMethod:)`` or
    /// ``submitAdapterAuthentication(_:options:)`` (2.9.7). Subclasses override it and call ``submitSuccess(_:)`` in it.
    open func onSuccess(_ response: WLResponse!) {}

    /// Receives the failure of such a request (2.9.8). Subclasses override it. The syntax in 2.9.8 is a copy of `isCustomResponse`; the
    /// parameter is a `WLFailResponse`.
    open func onFailure(_ response: WLFailResponse!) {}

    /// Sends credentials as a form. ``onSuccess(_:)`` or ``onFailure(_:)`` of this handler receives the response (2.9.5).
    ///
    /// - Parameters:
    ///   - requestUrl: the form's URL. A URL that begins with `http://` or `https://` is absolute, one that begins with a slash is
    ///     relative to the server's context root, and any other is relative to the application's URL. Requests to another server
    ///     have no cookies and headers of this one.
    ///   - parameters: the fields of the form.
    ///   - headers: further headers of the request.
    ///   - timeout: the timeout in milliseconds; below 0 for ``WorklightSettings/requestTimeout``, 0 for no limit.
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
            guard answer.status == 200 else { throw core.failure(of: answer, expected: "a response to the login form") }
            return answer
        }
    }

    /// Calls a procedure that checks credentials. ``onSuccess(_:)`` or ``onFailure(_:)`` of this handler receives the result (2.9.6).
    ///
    /// - Parameter requestOptions: the options; see ``WLClient/invokeProcedure(_:with:options:)``.
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
