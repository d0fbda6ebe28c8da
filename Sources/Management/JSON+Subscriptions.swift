import Core
import Foundation
import PushModel
import Storage

extension DeviceSubscription {
    /// For the command line and the management interface. The token is shortened: it is an address that works.
    var json: JSONValue {
        [
            "eventSource": .string(eventSource.description), "user": .string(userID), "device": .string(deviceID),
            "application": .string(applicationID), "alias": .string(alias), "platform": .string(platform.rawValue),
            "token": .string(token.description), "options": options,
        ]
    }
}

extension SMSSubscription {
    /// The JSON for the command line and the management interface. The number is complete: operators search for it.
    var json: JSONValue {
        var object: JSONObject = ["eventSource": .string(eventSource.description), "user": .string(userID)]
        object["application"] = applicationID.map(JSONValue.string)
        object["alias"] = alias.map(JSONValue.string)
        object["platform"] = .string(Self.platformName)
        object["phoneNumber"] = .string(phoneNumber.dialled)
        object["gateway"] = .string(gatewayID)
        return .object(object)
    }
}

extension Delivery {
    /// For the management API.
    var json: JSONValue { json(showsToken: true) }

    /// - Parameter showsToken: whether requests have the device's token, which is an address that works.
    func json(showsToken: Bool) -> JSONValue {
        var object: JSONObject = [
            "number": .number(Double(number.value ?? 0)), "id": .string(id.spelling),
            "message": .string(notificationID.spelling), "state": .string(state.rawValue),
        ]
        object["eventSource"] = (target.eventSource?.description).map(JSONValue.string)
        object["user"] = target.userID.map(JSONValue.string)
        object["device"] = target.deviceID.map(JSONValue.string)
        object["application"] = target.applicationID.map(JSONValue.string)
        object["platform"] = .string(target.platformName)
        object["text"] = options.shortText.map(JSONValue.string)
        object["created"] = .string(createdAt.spelling)
        object["expires"] = .string(expiresAt.spelling)
        if state == .queued { object["waitsFor"] = waitsFor.value.map { .number(Double($0)) } }
        if !state.isEnd { object["due"] = .string(due.spelling) }
        object["attempts"] = .number(Double(attempts))
        object["failedAttempts"] = .array(
            failures.map { ["time": .string($0.time.spelling), "reason": .string($0.reason)] })
        if let endedAt { object["ended"] = .string(endedAt.spelling) }
        if let reason { object["reason"] = .string(reason) }
        if let serviceID { object["serviceID"] = .string(serviceID) }
        object["options"] = options
        object["requests"] = .array(requests.map { $0.json(hiding: showsToken ? nil : target.token) })
        return .object(object)
    }
}

extension PushRequest {
    /// - Parameter token: replaced by its short form.
    func json(hiding token: DeviceToken?) -> JSONValue {
        guard let token else { return json }
        let endpoint = (try? JSONValue(parsing: token.value))?["endpoint"]?.string
        func hidden(_ text: String) -> String {
            [token.value, PercentEncoding.encode(token.value), endpoint].compactMap(\.self)
                .reduce(text) { $0.replacing($1, with: token.description) }
        }
        return PushRequest(
            service: service, method: method, url: hidden(url), headers: headers, body: hidden(body)
        ).json
    }

    private var json: JSONValue {
        var fields = JSONObject()
        for header in headers { fields[header.name] = .string(header.value) }
        return [
            "service": .string(service.rawValue), "method": .string(method), "url": .string(url),
            "headers": .object(fields),
            "body": bodyJSON,
        ]
    }

    /// The body as JSON if that loses nothing, so that it is readable; otherwise as a string.
    private var bodyJSON: JSONValue {
        if let value = try? JSONValue(parsing: body), value.text == body { return value }
        return .string(body)
    }
}

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
    /// The most informative part of a notification's options.
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
