public import Core
import JavaScriptEngine
import Logging

extension AdapterRuntime {
    /// Passes events that a client has transmitted to the handlers of all adapters, in the session's scopes
    /// (server-api 2.9). Calls every handler whose filter matches; logs an exception of one handler and goes on with the others.
    ///
    /// - Returns: how many handlers were called.
    @discardableResult
    public func handle(clientEvents events: [JSONValue], caller: Caller) async -> Int {
        await run(.client, events, caller: caller).count
    }

    /// Passes a message from an SMS gateway to the handlers for it.
    ///
    /// - Parameter parameters: the parameters from the gateway, with the names from SMSConfig.xml.
    /// - Returns: how many handlers were called.
    @discardableResult
    public func handle(smsParameters parameters: JSONObject, caller: Caller = Caller()) async -> Int {
        await run(.sms, [.object(parameters)], caller: caller).count
    }

    /// Passes a USSD gateway's request to the handler for it. The filter of a handler is compared with parameters,
    /// headers and, as `__wlpath`, the path; the handler gets `params`, `headers` and `body`.
    ///
    /// - Returns: the first handler's result of `createUSSDResponse`; `nil` when there is no handler, or none that returns one.
    public func handle(ussd request: USSDRequest, caller: Caller = Caller()) async -> USSDResponse? {
        let answers = await run(.ussd, [request.filtered], caller: caller) { _ in request.event }
        return answers.lazy.compactMap { USSDResponse($0) }.first
    }

    /// Passes an event to the handlers of one adapter alone, for debugging.
    ///
    /// - Returns: the results of the handlers, `null` for nothing: one for each that was called and did not fail.
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
                // All of them are one call, with the time of one: a client that sends a thousand events gets no more than one that sends a single
                // event.
                answers += try await adapter.run(for: caller) { scope, then in
                    scope.handle(events, as: event, kind, then: then)
                }
            } catch {
                let reason = (error as? LimitExceededError)?.advised(settings.limitOrigin) ?? "\(error)"
                adapter.common.logger.error("the event handlers could not be run: \(reason)")
            }
        }
        return answers
    }
}

/// An event that adapters have handlers for.
public enum AdapterEvent: Sendable, Hashable {
    /// An event that a client transmits.
    case client(JSONValue)
    /// A text message, with the names from SMSConfig.xml for its parts.
    case sms(JSONObject)
    case ussd(USSDRequest)
}

/// A request of a USSD gateway.
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

    /// The object that filters are compared with.
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

/// The response of a USSD handler.
public struct USSDResponse: Sendable, Hashable {
    public let content: String
    public let contentType: String
    /// True if the dialogue is over.
    public let isLast: Bool

    fileprivate init?(_ answer: JSONValue) {
        guard let content = answer["content"]?.string else { return nil }
        self.content = content
        contentType = answer["contentType"]?.string ?? "text/plain; charset=UTF-8"
        isLast = answer["isLastMsg"] == .bool(true)
    }
}

extension AdapterScope {
    /// Calls every handler of that kind whose filter matches, one after the other, for each event. Exceptions of handlers are logged.
    ///
    /// - Parameter then: gets their results, `null` for nothing.
    fileprivate func handle(
        _ events: [JSONValue], as event: @escaping (JSONValue) -> JSONValue, _ kind: EventHandler.Kind,
        then: @escaping (Result<[JSONValue], any Error>) -> Void
    ) {
        var answers: [JSONValue] = []
        var calls = events.lazy.flatMap { [eventHandlers] filtered in
            eventHandlers.lazy.filter { $0.kind == kind && EventFilter.matches($0.filter, filtered) }
                .map { (handler: $0.handler, event: filtered) }
        }.makeIterator()
        start(
            CallLabel(adapter: name, procedure: "(\(kind.rawValue) events)"), limits: adapter.settings.calls,
            begin: { [self] in
                guard let call = calls.next() else { return .returned(answers) }
                run(call.handler, with: event(call.event), kind) { answers.append($0) }
                return .called
            },
            end: { _ in [] }, then: then)
    }

    /// - Parameter then: gets the result, unless the handler fails.
    private func run(
        _ handler: ScriptValue, with event: JSONValue, _ kind: EventHandler.Kind, then: @escaping (JSONValue) -> Void
    ) {
        let title = "\(kind.rawValue) event"
        start(
            CallLabel(adapter: name, procedure: "(\(title))"), limits: adapter.settings.calls,
            begin: { [self] in
                if let name = try self.name(of: handler, nil), let twin = try twin(of: name) {
                    return .twin(try twin.call([value(event)]))
                }
                return .returned(
                    try tracedCallback(title, result: { $0 == .null ? nil : TraceText.cut($0.text, 80) }) {
                        try json(of: handler.call([value(event)]), for: "event handler") ?? .null
                    })
            },
            end: { [self] in try json(of: $0, for: "event handler") ?? .null },
            then: { [self] result in
                switch result {
                case .success(let answer): then(answer)
                // It ends all handlers.
                case .failure(is LimitExceededError): break
                case .failure(let error): logger.error("an event handler failed: \(error)")
                }
            })
    }
}
