public import Core
import JavaScriptEngine
import Logging

extension AdapterRuntime {
    /// Passes events that a client has transmitted to the handlers of all adapters, in the session's scopes
    /// (server-api 2.9). Every handler whose filter matches is called; what one throws is logged and concerns no other.
    ///
    /// - Returns: how many handlers were called.
    @discardableResult
    public func handle(clientEvents events: [JSONValue], caller: Caller) async -> Int {
        await run(.client, events, caller: caller).count
    }

    /// Passes a message from an SMS gateway to the handlers for it.
    ///
    /// - Parameter parameters: what the gateway sent, in the names that SMSConfig.xml gives them.
    /// - Returns: how many handlers were called.
    @discardableResult
    public func handle(smsParameters parameters: JSONObject, caller: Caller = Caller()) async -> Int {
        await run(.sms, [.object(parameters)], caller: caller).count
    }

    /// Passes a USSD gateway's request to the handler for it. The filter of a handler is compared with parameters,
    /// headers and, as `__wlpath`, the path; the handler gets `params`, `headers` and `body`.
    ///
    /// - Returns: what the first handler answered with `createUSSDResponse`; `nil` when there is no handler, or none that
    ///   answers.
    public func handle(ussd request: USSDRequest, caller: Caller = Caller()) async -> USSDResponse? {
        let answers = await run(.ussd, [request.filtered], caller: caller) { _ in request.event }
        return answers.lazy.compactMap { USSDResponse($0) }.first
    }

    /// Passes an event to the handlers of one adapter alone, for debugging.
    ///
    /// - Returns: what handlers answered, `null` for nothing: as many as were called and did not fail.
    /// - Throws: ``UnknownNameError``.
    public func handle(
        _ event: AdapterEvent, adapter name: String, caller: Caller = Caller()
    ) async throws(UnknownNameError) -> [JSONValue] {
        let adapters = [try adapter(named: name)]
        return switch event {
        case .client(let event): await run(.client, [event], caller: caller, by: adapters)
        case .sms(let parameters): await run(.sms, [.object(parameters)], caller: caller, by: adapters)
        case .ussd(let request):
            await run(.ussd, [request.filtered], caller: caller, by: adapters) { _ in request.event }
        }
    }

    private func run(
        _ kind: EventHandler.Kind, _ events: [JSONValue], caller: Caller, by adapters: [LoadedAdapter]? = nil,
        event: @escaping @Sendable (JSONValue) -> JSONValue = { $0 }
    ) async -> [JSONValue] {
        var answers: [JSONValue] = []
        for adapter in adapters ?? adaptersWithHandlers(for: kind) {
            do {
                // All of them are one call, with the time of one: whoever sends a thousand gets no more than who sends one.
                answers += try await adapter.run(for: caller) { scope in
                    try scope.call("(\(kind.rawValue) events)", limits: scope.adapter.settings.calls) {
                        try events.flatMap { try scope.handle($0, as: event($0), kind) }
                    }
                }
            } catch {
                let reason = (error as? LimitExceededError)?.advised(settings.limitOrigin) ?? "\(error)"
                adapter.common.logger.error("the event handlers could not be run: \(reason)")
            }
        }
        return answers
    }
}

/// What adapters have handlers for.
public enum AdapterEvent: Sendable, Hashable {
    /// What a client transmits.
    case client(JSONValue)
    /// A text message, by the names that SMSConfig.xml gives its parts.
    case sms(JSONObject)
    case ussd(USSDRequest)
}

/// What a USSD gateway asks.
public struct USSDRequest: Sendable, Hashable {
    /// The path after `/ussd`, with its slash.
    public var path: String
    public var parameters: JSONObject
    public var headers: JSONObject
    public var body: String

    public init(path: String, parameters: JSONObject, headers: JSONObject, body: String) {
        self.path = path
        self.parameters = parameters
        self.headers = headers
        self.body = body
    }

    /// What filters are held against.
    fileprivate var filtered: JSONValue {
        var all = headers
        for member in parameters.members { all[member.key] = member.value }
        all["__wlpath"] = .string(path)
        return .object(all)
    }

    fileprivate var event: JSONValue {
        ["params": .object(parameters), "headers": .object(headers), "body": .string(body)]
    }
}

/// What a USSD handler answers.
public struct USSDResponse: Sendable, Hashable {
    public let content: String
    public let contentType: String
    /// Whether the dialogue is over.
    public let isLast: Bool

    fileprivate init?(_ answer: JSONValue) {
        guard let content = answer["content"]?.string else { return nil }
        self.content = content
        contentType = answer["contentType"]?.string ?? "text/plain; charset=UTF-8"
        isLast = answer["isLastMsg"] == .bool(true)
    }
}

extension AdapterScope {
    /// Calls every handler of that kind whose filter matches.
    ///
    /// - Returns: what they returned, `null` for nothing.
    /// - Throws: ``LimitExceededError``; what a handler throws is logged.
    fileprivate func handle(
        _ filtered: JSONValue, as event: JSONValue, _ kind: EventHandler.Kind
    ) throws -> [JSONValue] {
        try eventHandlers.filter { $0.kind == kind && EventFilter.matches($0.filter, filtered) }.compactMap { handler in
            do {
                return try call("(\(kind.rawValue) event)", limits: adapter.settings.calls) {
                    try tracedCallback(
                        "\(kind.rawValue) event", result: { $0 == .null ? nil : TraceText.cut($0.text, 80) }
                    ) {
                        let answer = try handler.handler.call([value(event)])
                        return try json(of: answer, for: "event handler") ?? .null
                    }
                }
            } catch let error as LimitExceededError {
                throw error
            } catch {
                logger.error("an event handler failed: \(error)")
                return nil
            }
        }
    }
}
