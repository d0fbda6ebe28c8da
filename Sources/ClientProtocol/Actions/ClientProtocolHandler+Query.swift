import AdapterRuntime
import Authentication
import Core
import HTTPServer
import HTTPTypes
import Installation
import NIOCore

/// Procedure calls of applications (wire-protocol 5).
extension ClientProtocolHandler {
    /// Runs the procedure. The status is always 200: an error is in the body. A call that is rejected because too many logins were refused gets 429.
    func query(_ exchange: ClientRequestContext, _ permit: CallPermit) async throws(StalePermitError) -> Response {
        let call = exchange.call
        guard !call.adapter.isEmpty, !call.procedure.isEmpty else {
            return ClientProtocolResponse.wrapped(
                ProcedureResult.failure(["Runtime: expected the parameters 'adapter' and 'procedure'"]).json)
        }
        takeDeviceContext(exchange)
        let visit = exchange.visit
        if let refusal = security.gate.refusal(ofCallsTo: call.adapter, visit) {
            return ClientProtocolResponse.failure(refusal)
        }
        let result = try await security.gate.calling(adapter: call.adapter, visit) {
            caller throws(StalePermitError) in
            try await installation.runtime.invoke(
                adapter: call.adapter, procedure: call.procedure, parameters: call.parameters, caller: caller,
                permit: permit)
        }
        var json = result.json
        if let success = success(exchange) {
            json = "\(json.dropLast())\(json == "{}" ? "" : ",")\"WL-Authentication-Success\":\(success.text)}"
        }
        var response =
            wantsCompression(of: json, exchange)
            ? ClientProtocolResponse.compressed(json) : ClientProtocolResponse.wrapped(json)
        if !result.headers.isEmpty { response.add(result.headers) }
        return response
    }

    /// Returns true if a client has asked for a compressed response, and it is large enough (wire-protocol 2, server-api 5.4).
    private func wantsCompression(of json: String, _ exchange: ClientRequestContext) -> Bool {
        exchange.fields["compressResponse"] == "true" && json.utf8.count >= security.compressionThreshold
    }

    /// Takes the events that triggers on the device have raised; clients send them until they get a response.
    func takeEvents(_ exchange: ClientRequestContext) async -> Response {
        takeDeviceContext(exchange)
        let text = exchange.fields["events"] ?? ""
        let json = try? await ThreadPool.shared.run(ifLong: text.utf8.count) { try JSONValue(parsing: text) }
        let events = json?.array ?? []
        if !events.isEmpty {
            await installation.runtime.handle(clientEvents: events, caller: exchange.caller)
        }
        return withSuccess(JSONObject(), exchange)
    }
}
