import Core
import JavaScriptEngine

/// `WL.Server.setEventHandlers`, `createEventHandler`, `createSMSEventHandler`, `createUSSDEventHandler` and
/// `createUSSDResponse` (server-api 2.9).
extension AdapterScope {
    static func declareEventHandlers(in table: inout BindingTable.Declarations) {
        table.add("setEventHandlers") { scope, call in
            try scope.setEventHandlers(call[0])
            return call.context.undefined
        }
        let makers: [(String, EventHandler.Kind)] = [
            ("createEventHandler", .client), ("createSMSEventHandler", .sms), ("createUSSDEventHandler", .ussd),
        ]
        for (name, kind) in makers {
            table.add(name) { scope, call in
                try scope.makeHandler(kind, filter: call[0], handler: call[1], gateway: call[2], function: name)
            }
        }
        table.add("createUSSDResponse") { _, call in
            let response = call.context.makeObject()
            try response.set("content", call[0])
            try response.set(
                "contentType", call[1].isNullOrUndefined ? call.context.make("text/plain; charset=UTF-8") : call[1])
            try response.set("isLastMsg", call.context.make(call[2].bool ?? false))
            return response
        }
    }

    private func makeHandler(
        _ kind: EventHandler.Kind, filter: ScriptValue, handler: ScriptValue, gateway: ScriptValue, function: String
    ) throws -> ScriptValue {
        guard filter.isObject else {
            throw HostError("\(function): the filter must be an object ({} for every event), got \(filter.kind)")
        }
        guard handler.isFunction || handler.isString else {
            throw HostError("\(function): the handler must be a function, got \(handler.kind)")
        }
        let object = context.makeObject(hostData: EventHandlerTag(kind))
        try object.set("filter", filter)
        try object.set("handler", handler)
        if kind == .sms { try object.set("gatewayId", gateway) }
        return object
    }

    /// The handlers replace those set before; an empty array switches all off.
    private func setEventHandlers(_ list: ScriptValue) throws {
        guard list.isArray else {
            throw HostError("setEventHandlers: expected an array of event handlers, got \(list.kind)")
        }
        eventHandlers = try list.elements().enumerated().map { index, element in
            let handler = try element.get("handler")
            guard element.isObject, let filter = try json(of: element.get("filter"), for: "setEventHandlers") else {
                throw HostError(
                    "setEventHandlers: element \(index) must be a result of createEventHandler, {filter, handler}, got "
                        + element.kind)
            }
            guard let function = handler.string.map({ try? function(named: $0) }) ?? handler, function.isFunction else {
                throw HostError("setEventHandlers: the handler of element \(index) is not a function: \(handler.kind)")
            }
            let kind = (element.hostData as? EventHandlerTag)?.kind ?? .client
            return EventHandler(kind: kind, filter: filter, handler: function)
        }
    }
}

/// Distinguishes handlers of one kind from those of another; the script cannot.
private final class EventHandlerTag {
    let kind: EventHandler.Kind

    init(_ kind: EventHandler.Kind) {
        self.kind = kind
    }
}
