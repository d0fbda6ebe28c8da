import AdapterRuntime
import Core
import Foundation
import Installation
import PushModel

extension Installation {
    /// The operator as the caller. Scripts may read the request without checking for its presence.
    static var caller: Caller { Caller(request: ClientRequest(method: "POST", url: "http://localhost/invoke")) }

    /// The operator in the name of a user, with a session that only the call has.
    ///
    /// - Parameter user: `nil` for the operator without a user.
    func caller(ofProcedure procedure: String, adapter: String, as user: String?) -> Caller {
        guard let user else { return Self.caller }
        let session = ClientSession(id: UUID().uuidString)
        let realm = runtime.userRealm(ofProcedure: procedure, adapter: adapter) ?? "console"
        session.replaceIdentity(["userId": .string(user), "displayName": .string(user), "attributes": [:]], in: realm)
        var caller = Self.caller
        caller.session = session
        return caller
    }

    /// Calls a procedure in scopes made for the call, and returns what it did.
    func trace(
        adapter: String, procedure: String, parameters: String, caller: Caller = Installation.caller
    ) async -> TracedResult {
        await traced(caller: caller) { caller in
            let result = await runtime.invoke(
                adapter: adapter, procedure: procedure, parameters: parameters, caller: caller)
            return TracedResult(result: result.json, isSuccessful: result.isSuccessful)
        }
    }

    /// Runs a poll once, in a scope made for it.
    ///
    /// - Returns: what it did; the result has the value that the poll's function returned as the member `result`, unless that is `undefined`.
    ///   The function's own `isSuccessful` does not count, as it does not for the scheduler.
    func tracePoll(_ source: EventSourceID) async -> TracedResult {
        await traced(caller: Caller()) { caller in
            do {
                let returned = try await runtime.tracedPoll(source, caller: caller)
                return TracedResult(
                    result: returned.map { #"{"isSuccessful":true,"result":\#($0)}"# } ?? #"{"isSuccessful":true}"#)
            } catch {
                return TracedResult(result: ProcedureResult.failure(["\(error)"]).json, isSuccessful: false)
            }
        }
    }

    /// Passes an event to an adapter's handlers, in a scope made for it, and returns what they did.
    ///
    /// - Throws: `UnknownNameError`.
    func traceEvent(_ event: AdapterEvent, adapter: String) async throws -> TracedResult {
        try await traced { caller in
            let answers = try await runtime.handle(event, adapter: adapter, caller: caller)
            let body: JSONValue = [
                "isSuccessful": true, "handlers": .number(Double(answers.count)), "answers": .array(answers),
            ]
            return TracedResult(result: body.text)
        }
    }

    /// Makes a change that runs callbacks.
    ///
    /// - Parameter isTraced: whether to return what the callbacks did.
    func withCallbacks(
        traced isTraced: Bool, _ body: (Caller) async throws -> TracedResult
    ) async throws -> TracedResult {
        // Callbacks have no request.
        guard isTraced else { return try await body(Caller()) }
        return try await traced(caller: Caller(), body)
    }

    private func traced(
        caller: Caller = Installation.caller, _ body: (Caller) async throws -> TracedResult
    ) async rethrows -> TracedResult {
        let tracer = InvocationTracer()
        var caller = caller
        caller.tracer = tracer
        var result = try await caller.withTaskCancellation(body)
        result.trace = tracer.trace.json
        return result
    }

    /// Evaluates code in an adapter's scope, or completes it.
    ///
    /// - Parameters:
    ///   - line: the number of the first line, for errors.
    ///   - note: notes code that threw as a failure.
    /// - Throws: ``ManagementError`` with status 403 in production.
    func evaluate(
        _ code: String, adapter: String, line: Int, isCompletion: Bool, note: AuditNote
    ) async throws -> ManagementAnswer {
        guard settings.mode == .development else {
            throw ManagementError(
                .forbidden, "code is not evaluated in production; start the server with mode: development")
        }
        let caller = Self.caller
        let reply =
            if isCompletion {
                try await runtime.completions(of: code, adapter: adapter, caller: caller)
            } else {
                try await runtime.converse(code, adapter: adapter, line: line, caller: caller)
            }
        if !reply.isSuccessful { note.setFailed() }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ManagementAnswer(body: String(decoding: try encoder.encode(reply), as: UTF8.self))
    }
}

extension AdapterEvent {
    /// Reads an event in the form that operators write: for a client any value; for a text message an object of its parts, all of them strings; for a
    /// USSD gateway an object with `path`, `params`, `headers` and `body`, as its handlers get it.
    ///
    /// - Throws: ``ManagementError`` with status 400.
    init(kind: String, _ value: JSONValue) throws(ManagementError) {
        switch kind {
        case "client": self = .client(value)
        case "sms": self = .sms(try Self.texts(value, "event"))
        case "ussd":
            guard let members = value.object?.members else {
                throw ManagementError(
                    .badRequest, "expected an object, got \(value.text.prefix(100))", field: "event")
            }
            let known = ["path", "params", "headers", "body"]
            if let unknown = members.first(where: { !known.contains($0.key) }) {
                throw ManagementError(
                    .badRequest, "there are only \(known.joined(separator: ", "))", field: "event.\(unknown.key)")
            }
            let path = value["path"]?.string ?? ""
            self = .ussd(
                USSDRequest(
                    path: path, parameters: try Self.texts(value["params"] ?? [:], "event.params"),
                    headers: try Self.texts(value["headers"] ?? [:], "event.headers"), body: value["body"]?.string ?? ""
                ))
        default:
            throw ManagementError(.badRequest, "'\(kind.prefix(100))' is none of client, sms, ussd", field: "event")
        }
    }

    private static func texts(_ value: JSONValue, _ field: String) throws(ManagementError) -> JSONObject {
        guard let object = value.object, object.members.allSatisfy({ $0.value.string != nil }) else {
            throw ManagementError(
                .badRequest, "expected an object of strings, got \(value.text.prefix(100))", field: field)
        }
        return object
    }
}

/// The result of a call, and what it did.
struct TracedResult: Sendable {
    /// JSON.
    let result: String
    /// True if the call succeeded.
    var isSuccessful = true
    /// JSON; `nil` when the caller did not ask for it.
    var trace: String?
}
