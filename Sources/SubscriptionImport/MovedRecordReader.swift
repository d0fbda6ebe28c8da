import Core
import PushModel

/// Makes records of rows.
struct MovedRecordReader {
    /// The reason why a row is not taken. It has no whole token.
    struct Refusal: Error, Hashable {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    let target: ImportTarget

    /// - Parameter row: the values of the fields; none of them empty.
    /// - Throws: ``Refusal``.
    func record(_ row: [ImportField: String]) throws(Refusal) -> MovedRecord {
        for (field, value) in row.sorted(by: { $0.key < $1.key }) where value.contains("\u{FFFD}") {
            throw Refusal("the \(field.rawValue) has a NUL or a damaged character")
        }
        let source = try eventSource(row)
        if row[.phoneNumber] != nil { return try phoneNumber(row, source) }
        let application = try required(.application, row)
        guard let tags = target.applications[application] else {
            throw Refusal("there is no application '\(TokenForm.shown(application))' in apps/")
        }
        let text = try required(.token, row)
        let platform = try platform(row, token: text)
        let token: DeviceToken
        do {
            token = try DeviceToken(text, platform: platform)
        } catch {
            throw Refusal("\(error)")
        }
        let user = row[.user]
        let device = DeviceRegistration(
            applicationID: application, deviceID: try required(.device, row), userID: user,
            userRealm: user == nil ? nil : row[.realm], platform: platform, token: token)
        var subscription: DeviceSubscription?
        if let source {
            subscription = DeviceSubscription(
                eventSource: source, userID: try required(.user, row), userRealm: row[.realm],
                deviceID: device.deviceID, applicationID: application, alias: row[.alias] ?? source.name,
                platform: platform, token: token, options: try json(.options, row) ?? [:])
        }
        return .device(
            device, tags: try self.tags(row, declared: tags, of: application), subscription: subscription,
            state: try json(.state, row))
    }

    private func required(_ field: ImportField, _ row: [ImportField: String]) throws(Refusal) -> String {
        guard let value = row[field] else { throw Refusal("there is no \(field.rawValue)") }
        guard field == .token || value.utf8.count <= 1000 else {
            throw Refusal("the \(field.rawValue) is longer than 1000 bytes")
        }
        return value
    }

    private func platform(_ row: [ImportField: String], token: String) throws(Refusal) -> Platform {
        if let text = row[.platform] {
            guard let platform = Platform(text) else {
                throw Refusal(
                    "the platform '\(TokenForm.shown(text))' is unknown; expected \(Platform.list(Platform.allCases))")
            }
            return platform
        }
        // A token of APNs has hexadecimal digits only, and would be one of FCM, too.
        guard let platform = TokenForm.platform(of: token) else {
            throw Refusal("the token's form shows no platform; name a column or a value for it")
        }
        return platform
    }

    private func eventSource(_ row: [ImportField: String]) throws(Refusal) -> EventSourceID? {
        guard let text = row[.eventSource] else { return nil }
        guard let source = EventSourceID(text, in: row[.adapter]) else {
            throw Refusal("the event source is not ADAPTER.EVENTSOURCE")
        }
        guard target.adapters[source.adapter] != nil else {
            throw Refusal("there is no adapter '\(TokenForm.shown(source.adapter))' in adapters/")
        }
        return source
    }

    private func phoneNumber(_ row: [ImportField: String], _ source: EventSourceID?) throws(Refusal) -> MovedRecord {
        guard let source else { throw Refusal("a phone number without an event source") }
        let number: PhoneNumber
        do {
            number = try PhoneNumber(row[.phoneNumber] ?? "")
        } catch {
            throw Refusal("\(error)")
        }
        return .phoneNumber(
            SMSSubscription(
                eventSource: source, phoneNumber: number, gatewayID: try required(.gateway, row), userID: row[.user],
                userRealm: row[.realm], alias: row[.alias], applicationID: row[.application]))
    }

    private func tags(_ row: [ImportField: String], declared: [String], of application: String) throws(Refusal)
        -> [String]
    {
        let known = Tags(declared: declared)
        return try (row[.tags] ?? "").split(separator: "|").map { (name) throws(Refusal) in
            do {
                return try known.checked(String(name))
            } catch {
                throw Refusal("the application '\(application)' declares no tag '\(TokenForm.shown(String(name)))'")
            }
        }
    }

    private func json(_ field: ImportField, _ row: [ImportField: String]) throws(Refusal) -> JSONValue? {
        guard let text = row[field] else { return nil }
        guard let value = try? JSONValue(parsing: text), value.object != nil else {
            throw Refusal("the \(field.rawValue) is not a JSON object")
        }
        return value
    }
}

/// The platform of a token, by its form alone.
enum TokenForm {
    /// Returns a value for reports: shortened if it has the form of a token, as it has in shifted columns.
    static func shown(_ value: String) -> String {
        platform(of: value) == nil ? String(value.prefix(100)) : DeviceToken(stored: value).description
    }

    static func platform(of token: String) -> Platform? {
        // In this order: each form is also one of a later platform's.
        [Platform.apple, .windows, .windowsPhone, .web].first { (try? DeviceToken(token, platform: $0)) != nil }
            // Tokens of GCM and FCM have 100 characters and more; shorter ones may be any id.
            ?? (token.utf8.count >= 100 && (try? DeviceToken(token, platform: .android)) != nil ? .android : nil)
    }
}
