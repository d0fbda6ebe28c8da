import Core
import PushModel
import Storage

extension DeliveryChange {
    /// For the command line and the management API: the delivery right after the change, and the time of the change.
    func json(showsToken: Bool) -> JSONValue {
        [
            "number": .number(Double(number)), "time": .string(time.spelling),
            "delivery": delivery.json(showsToken: showsToken),
        ]
    }
}

extension JSONValue {
    /// What of a notification's options people read first.
    var shortText: String? {
        for path in [
            ["alert"], ["APNS", "alert"], ["APNS", "alert", "title"], ["APNS", "alert", "body"],
            ["GCM", "payload", "alert"],
        ] {
            var value: JSONValue? = self
            for key in path { value = value?[key] }
            if let text = value?.string, !text.isEmpty { return text }
        }
        return nil
    }
}
