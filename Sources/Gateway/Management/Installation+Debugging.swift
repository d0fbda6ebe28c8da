public import AdapterRuntime
import Foundation

extension Installation {
    /// More than anybody types, and little enough to count on from.
    private static let lastLine = 1_000_000

    /// Calls a procedure in scopes made for the call, and tells what it did.
    func trace(adapter: String, procedure: String, parameters: String) async -> ManagementReply {
        let tracer = InvocationTracer()
        let request = ClientRequest(method: "POST", url: "http://localhost/invoke")
        let result = await runtime.invoke(
            adapter: adapter, procedure: procedure, parameters: parameters,
            caller: Caller(request: request, tracer: tracer))
        return ManagementReply(
            body: #"{"result":\#(result.json),"trace":\#(tracer.trace.json)}"#, isSuccessful: result.isSuccessful)
    }

    /// Evaluates code in an adapter's scope, or completes it.
    func evaluate(_ form: EvaluationForm) async throws -> ManagementReply {
        guard settings.mode == .development else {
            throw ManagementError(
                field: "mode", reason: "code is not evaluated in production; start the server with mode: development")
        }
        let line = form.line ?? 1
        guard (1...Self.lastLine).contains(line) else {
            throw ManagementError(field: "line", reason: "\(line) is not between 1 and \(Self.lastLine)")
        }
        let caller = Caller(request: ClientRequest(method: "POST", url: "http://localhost/invoke"))
        let reply =
            if form.isCompletion == true {
                try await runtime.completions(of: form.code, adapter: form.adapter, caller: caller)
            } else {
                try await runtime.converse(form.code, adapter: form.adapter, line: line, caller: caller)
            }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ManagementReply(
            body: String(decoding: try encoder.encode(reply), as: UTF8.self), isSuccessful: reply.isSuccessful)
    }

    /// Calls a procedure under the engine's profiler.
    ///
    /// - Throws: what `AdapterRuntime.profile` throws.
    public func profile(
        adapter: String, procedure: String, parameters: String, repeating count: Int
    ) async throws -> (result: ProcedureResult, profile: CallProfile) {
        try await runtime.profile(
            adapter: adapter, procedure: procedure, parameters: parameters, repeating: count,
            caller: Caller(request: ClientRequest(method: "POST", url: "http://localhost/invoke")))
    }
}
