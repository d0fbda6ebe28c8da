public import AdapterRuntime
public import Core

/// What gateways of telephone networks ask (docs/clients.md).
extension AdapterHarness {
    /// Passes a text message to the adapters' handlers, as an SMS gateway does.
    ///
    /// - Parameter parameters: what the gateway sends, by the names that it uses; all of them texts.
    /// - Returns: how many handlers were called.
    /// - Throws: ``CallbackError`` when one throws, ``UnansweredRequestsError``, ``HarnessMisuseError``.
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

    /// One step of a USSD dialogue: asks the adapters' handlers, as a USSD gateway does.
    ///
    /// - Parameters:
    ///   - path: what follows `/ussd`, with a slash: handlers see it as `__wlpath`.
    ///   - parameters: what the gateway sends, by the names that it uses; all of them texts.
    ///   - headers: those of its request.
    /// - Returns: what the first handler answers that does; `nil` when none does.
    /// - Throws: ``CallbackError`` when one throws, ``UnansweredRequestsError``, ``HarnessMisuseError``.
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

    /// - Throws: ``HarnessMisuseError`` for what no request holds: handlers would be tested with what they never get.
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
                    "\(what) '\(member.key)': expected a text, as requests have, got \(member.value.text)")
            }
            texts.append((name: member.key, value: text))
        }
        return texts
    }
}
