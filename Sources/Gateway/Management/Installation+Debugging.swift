public import AdapterRuntime
import Foundation
import PushModel

extension Installation {
    /// More than anybody types, and little enough to count on from.
    private static let lastLine = 1_000_000

    /// The operator. Scripts may read the request without looking whether there is one.
    static var caller: Caller { Caller(request: ClientRequest(method: "POST", url: "http://localhost/invoke")) }

    /// Calls a procedure in scopes made for the call, and tells what it did.
    func trace(adapter: String, procedure: String, parameters: String) async -> ManagementReply {
        await traced { caller in
            let result = await runtime.invoke(
                adapter: adapter, procedure: procedure, parameters: parameters, caller: caller)
            return ManagementReply(body: result.json, isSuccessful: result.isSuccessful)
        }
    }

    /// Runs a poll once, in a scope made for it, and tells what it did.
    func tracePoll(_ source: EventSourceID) async -> ManagementReply {
        await traced { caller in
            do {
                // Polls have no request.
                var caller = caller
                caller.request = nil
                try await runtime.poll(source, caller: caller)
                return ManagementReply(body: #"{"isSuccessful":true}"#, isSuccessful: true)
            } catch {
                return ManagementReply(body: ProcedureResult.failure(["\(error)"]).json, isSuccessful: false)
            }
        }
    }

    private func traced(_ body: (Caller) async -> ManagementReply) async -> ManagementReply {
        let tracer = InvocationTracer()
        var caller = Self.caller
        caller.tracer = tracer
        let result = await caller.untilCancelled(body)
        return ManagementReply(
            body: #"{"result":\#(result.body),"trace":\#(tracer.trace.json)}"#, isSuccessful: result.isSuccessful)
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
        let caller = Self.caller
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
            caller: Self.caller)
    }
}
