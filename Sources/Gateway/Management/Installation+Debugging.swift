import AdapterRuntime
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
        await traced(caller: Caller()) { caller in
            do {
                try await runtime.poll(source, caller: caller)
                return ManagementReply(body: #"{"isSuccessful":true}"#, isSuccessful: true)
            } catch {
                return ManagementReply(body: ProcedureResult.failure(["\(error)"]).json, isSuccessful: false)
            }
        }
    }

    /// Gives an event to an adapter's handlers, in a scope made for it, and tells what they did.
    ///
    /// - Throws: `UnknownNameError`.
    func traceEvent(_ event: AdapterEvent, adapter: String) async throws -> ManagementReply {
        try await traced { caller in
            let answers = try await runtime.handle(event, adapter: adapter, caller: caller)
            let body: JSONValue = [
                "isSuccessful": true, "handlers": .number(Double(answers.count)), "answers": .array(answers),
            ]
            return ManagementReply(body: body.text, isSuccessful: true)
        }
    }

    /// Does what runs callbacks and, if wanted, tells what they did.
    func withCallbacks(
        traced isTraced: Bool?, _ body: (Caller) async throws -> ManagementReply
    ) async throws -> ManagementReply {
        // Callbacks have no request.
        guard isTraced == true else { return try await body(Caller()) }
        return try await traced(caller: Caller(), body)
    }

    private func traced(
        caller: Caller = Installation.caller, _ body: (Caller) async throws -> ManagementReply
    ) async rethrows -> ManagementReply {
        let tracer = InvocationTracer()
        var caller = caller
        caller.tracer = tracer
        let result = try await caller.untilCancelled(body)
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
}

extension AdapterEvent {
    /// Reads an event as somebody writes it: of a client any value; of a text message an object of its parts, all of them texts; of a
    /// USSD gateway an object with `path`, `params`, `headers` and `body`, as its handlers get it.
    ///
    /// - Throws: ``ManagementError``.
    init(kind: String, json: String) throws(ManagementError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: json)
        } catch {
            throw ManagementError(field: "event", reason: "expected JSON: \(error)")
        }
        switch kind {
        case "client": self = .client(value)
        case "sms": self = .sms(try Self.texts(value, "event"))
        case "ussd":
            guard let members = value.object?.members else {
                throw ManagementError(field: "event", reason: "expected an object, got \(json.prefix(100))")
            }
            let known = ["path", "params", "headers", "body"]
            if let unknown = members.first(where: { !known.contains($0.key) }) {
                throw ManagementError(
                    field: "event.\(unknown.key)", reason: "there are only \(known.joined(separator: ", "))")
            }
            let path = value["path"]?.string ?? ""
            self = .ussd(
                USSDRequest(
                    path: path, parameters: try Self.texts(value["params"] ?? [:], "event.params"),
                    headers: try Self.texts(value["headers"] ?? [:], "event.headers"), body: value["body"]?.string ?? ""
                ))
        default:
            throw ManagementError(field: "event", reason: "'\(kind.prefix(100))' is none of client, sms, ussd")
        }
    }

    private static func texts(_ value: JSONValue, _ field: String) throws(ManagementError) -> JSONObject {
        guard let object = value.object, object.members.allSatisfy({ $0.value.string != nil }) else {
            throw ManagementError(field: field, reason: "expected an object of texts, got \(value.text.prefix(100))")
        }
        return object
    }
}
