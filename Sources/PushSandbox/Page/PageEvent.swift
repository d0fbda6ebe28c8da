import Foundation
import PushModel

/// An arrival as the page of phones takes it.
enum PageEvent {
    static func json(_ numbered: Journal.Numbered) -> JSONValue {
        let arrival = numbered.arrival
        let message = PhoneMessage(arrival)
        var object: JSONObject = [
            "number": .number(Double(numbered.number)), "service": .string(arrival.service.rawValue),
            "time": .number((arrival.date.timeIntervalSince1970 * 1000).rounded()), "app": .string(message.app),
            "totals": [
                "accepted": .number(Double(numbered.totals.accepted)),
                "refused": .number(Double(numbered.totals.refused)),
            ],
            "accepted": .bool(arrival.isAccepted), "silent": .bool(message.isSilent),
            "payload": .string(message.payload),
        ]
        object["token"] = arrival.token.map(JSONValue.string)
        object["status"] = arrival.status.map { .number(Double($0)) }
        object["reason"] = arrival.reason.map(JSONValue.string)
        object["id"] = arrival.id.map(JSONValue.string)
        object["title"] = message.title.map(JSONValue.string)
        object["text"] = message.text.map(JSONValue.string)
        object["badge"] = message.badge.map(JSONValue.string)
        return .object(object)
    }

    /// As a server-sent event.
    static func event(_ numbered: Journal.Numbered) -> String {
        "id: \(numbered.number)\ndata: \(json(numbered).text)\n\n"
    }
}
