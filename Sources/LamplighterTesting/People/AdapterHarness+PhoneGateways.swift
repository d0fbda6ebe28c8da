public import AdapterRuntime
public import Core

/// The requests of SMS and USSD gateways (docs/clients.md).
extension AdapterHarness {
    /// Passes a text message to the adapters' handlers, as an SMS gateway does.
    ///
    /// - Parameter parameters: the parameters of the gateway's request, by the gateway's names; the values must be strings.
    /// - Returns: the number of handlers called.
    /// - Throws: ``CallbackError`` when a handler throws; ``UnansweredRequestsError``; ``HarnessMisuseError`` for a value that is not a string.
    @discardableResult
    public func receiveSMS(
        _ parameters: JSONObject, fileID: String = #fileID, line: Int = #line
    ) async throws -> Int {
        try await TestPlace(fileID: fileID, line: line).during {
            let request = try gatewayRequest("receiveSMS", "/receiveSMS", parameters: parameters)
            return try await watchingCallbacks(tolerating: false) {
                await runtime.handle(smsParameters: parameters, caller: Caller(request: request))
            }
        }
    }

    /// Passes one step of a USSD dialogue to the adapters' handlers, as a USSD gateway does.
    ///
    /// - Parameters:
    ///   - parameters: the parameters of the gateway's request, by the gateway's names; the values must be strings.
    ///   - path: the path after `/ussd`, with its slash and without a query; handlers receive it as `__wlpath`.
    ///   - headers: the headers of the gateway's request; the values must be strings.
    ///   - body: the body of the gateway's request.
    /// - Returns: the first response of a handler; `nil` when no handler responds.
    /// - Throws: ``CallbackError`` when a handler throws; ``UnansweredRequestsError``; ``HarnessMisuseError`` for an invalid path, and for a
    ///   value that is not a string.
    public func ussd(
        _ parameters: JSONObject = [:], path: String = "", headers: JSONObject = [:], body: String = "",
        fileID: String = #fileID, line: Int = #line
    ) async throws -> USSDResponse? {
        try await TestPlace(fileID: fileID, line: line).during {
            guard path.isEmpty || path.hasPrefix("/"), !path.contains("?") else {
                throw HarnessMisuseError(
                    "ussd: expected what follows /ussd, such as /menu, without a query, got \(path)")
            }
            let request = try gatewayRequest("ussd", "/ussd\(path)", parameters: parameters, headers: headers)
            return try await watchingCallbacks(tolerating: false) {
                await runtime.handle(
                    ussd: USSDRequest(path: path, parameters: parameters, headers: headers, body: body),
                    caller: Caller(request: request))
            }
        }
    }

    /// Returns the request that a gateway would send.
    ///
    /// - Throws: ``HarnessMisuseError`` for a value that is not a string: a gateway cannot send it, so no handler would receive it.
    private func gatewayRequest(
        _ what: String, _ path: String, parameters: JSONObject, headers: JSONObject = [:]
    ) throws(HarnessMisuseError) -> ClientRequest {
        ClientRequest(
            method: "POST", url: "http://localhost\(path)", headers: try texts(headers, "\(what): the header"),
            parameters: try texts(parameters, "\(what): the parameter"))
    }

    private func texts(
        _ object: JSONObject, _ what: String
    ) throws(HarnessMisuseError) -> [(name: String, value: String)] {
        var texts: [(name: String, value: String)] = []
        for member in object.members {
            guard let text = member.value.string else {
                throw HarnessMisuseError(
                    "\(what) '\(member.key)': expected a string, as in requests, got \(member.value.text)")
            }
            texts.append((name: member.key, value: text))
        }
        return texts
    }
}
