import Core

/// The form of a message, as Google's reference of `projects.messages` has it.
enum FCMMessage {
    /// The names of the members that Google knows, in their JSON form; the underscored one is taken, too.
    private static let members: [String: Set<String>] = [
        "": ["message", "validateOnly"],
        "message": [
            "name", "data", "notification", "android", "webpush", "apns", "fcmOptions", "token", "topic", "condition",
        ],
        "message.notification": ["title", "body", "image"],
        "message.android": [
            "collapseKey", "priority", "ttl", "restrictedPackageName", "data", "notification", "fcmOptions",
            "directBootOk",
            "bandwidthConstrainedOk", "restrictedSatelliteOk",
        ],
        "message.android.notification": [
            "title", "body", "icon", "color", "sound", "tag", "clickAction", "bodyLocKey", "bodyLocArgs", "titleLocKey",
            "titleLocArgs", "channelId", "ticker", "sticky", "eventTime", "localOnly", "notificationPriority",
            "defaultSound", "defaultVibrateTimings", "defaultLightSettings", "vibrateTimings", "visibility",
            "notificationCount", "lightSettings", "image", "proxy",
        ],
        "message.webpush": ["headers", "data", "notification", "fcmOptions"],
        "message.apns": ["headers", "payload", "fcmOptions", "liveActivityToken"],
    ]
    private static let longestTimeToLive = 2_419_200.0
    private static let limit = 4096

    static func check(_ body: JSONValue) throws(SandboxFCMError) {
        try checkMembers(of: body, at: "")
        guard let message = body["message"], !message.isNull else {
            throw .invalid("message", "Invalid value at 'message' (type.googleapis.com/google.firebase.fcm.v1.Message)")
        }
        try checkMembers(of: message, at: "message")
        try checkRecipient(message)
        try checkTexts(message["data"], at: "message.data")
        try checkKeys(message["data"])
        if let notification = message["notification"] { try checkMembers(of: notification, at: "message.notification") }
        if let android = message["android"] { try checkAndroid(android) }
        for block in ["webpush", "apns"] {
            guard let value = message[block] else { continue }
            try checkMembers(of: value, at: "message.\(block)")
            try checkTexts(value["headers"], at: "message.\(block).headers")
        }
        guard size(message) <= limit else {
            throw .fcm("INVALID_ARGUMENT", message: "Android message is too big")
        }
    }

    private static func checkMembers(of value: JSONValue, at path: String) throws(SandboxFCMError) {
        guard let object = value.object else {
            throw .invalid(path, "Invalid value at '\(path)': an object was expected, not a \(value.kind)")
        }
        guard let known = members[path] else { return }
        for key in object.keys where !known.contains(camelCased(key)) {
            let place = path.isEmpty ? "" : " at '\(path)'"
            throw .invalid(
                path, "Invalid JSON payload received. Unknown name \"\(key)\"\(place): Cannot find field.")
        }
    }

    private static func camelCased(_ key: String) -> String {
        guard key.contains("_") else { return key }
        let parts = key.split(separator: "_")
        return parts.prefix(1).joined() + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func checkRecipient(_ message: JSONValue) throws(SandboxFCMError) {
        let recipients = ["token", "topic", "condition"].filter { message[$0] != nil }
        guard !recipients.isEmpty else { throw .invalid("message", "Recipient of the message is not set.") }
        guard recipients.count == 1 else {
            throw .invalid("message", "Invalid value at 'message': oneof field 'target' is already set.")
        }
        guard let text = message[recipients[0]]?.string else {
            throw .invalid("message.\(recipients[0])", "Invalid value at 'message.\(recipients[0])' (TYPE_STRING)")
        }
        if recipients[0] == "token", text.isEmpty || text.utf8.contains(where: { $0 <= 0x20 || $0 > 0x7E }) {
            throw .fcm(
                "INVALID_ARGUMENT", message: "The registration token is not a valid FCM registration token")
        }
    }

    private static func checkTexts(_ map: JSONValue?, at path: String) throws(SandboxFCMError) {
        guard let map else { return }
        guard let object = map.object else {
            throw .invalid(path, "Invalid value at '\(path)': an object was expected, not a \(map.kind)")
        }
        for (index, member) in object.members.enumerated() where member.value.string == nil {
            let field = "\(path)[\(index)].value"
            throw .invalid(field, "Invalid value at '\(field)' (TYPE_STRING), \(member.value.text)")
        }
    }

    private static func checkKeys(_ data: JSONValue?) throws(SandboxFCMError) {
        for key in data?.object?.keys ?? [] {
            let isReserved =
                key == "from" || key == "message_type" || key.hasPrefix("google.") || key.hasPrefix("gcm.")
            if isReserved { throw .invalid("message.data", "Invalid data payload key: \(key)") }
        }
    }

    private static func checkAndroid(_ android: JSONValue) throws(SandboxFCMError) {
        try checkMembers(of: android, at: "message.android")
        try checkTexts(android["data"], at: "message.android.data")
        try checkKeys(android["data"])
        if let notification = android["notification"] {
            try checkMembers(of: notification, at: "message.android.notification")
        }
        if let priority = android["priority"], !["NORMAL", "HIGH", "normal", "high"].contains(priority.string) {
            throw .invalid(
                "message.android.priority",
                "Invalid value at 'message.android.priority' (type.googleapis.com/google.firebase.fcm.v1.AndroidMessagePriority), \(priority.text)"
            )
        }
        guard let ttl = android["ttl"] else { return }
        guard let seconds = ttl.string.flatMap(seconds) else {
            throw .invalid(
                "message.android.ttl",
                "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', Illegal duration format; duration must end with 's'"
            )
        }
        guard (0...longestTimeToLive).contains(seconds) else {
            throw .invalid("message.android.ttl", "Invalid TTL: it must be between 0 and 2419200 seconds")
        }
    }

    /// A duration such as `3.5s`.
    private static func seconds(_ text: String) -> Double? {
        guard text.last == "s", text.dropLast().allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") })
        else { return nil }
        return Double(text.dropLast())
    }

    /// The keys and values of the data and the notification.
    private static func size(_ message: JSONValue) -> Int {
        let blocks = [message["data"], message["notification"], message["android"]?["data"]]
        return blocks.compactMap { $0?.object }.flatMap(\.members).reduce(0) { size, member in
            size + member.key.utf8.count + (member.value.string?.utf8.count ?? member.value.text.utf8.count)
        }
    }
}
