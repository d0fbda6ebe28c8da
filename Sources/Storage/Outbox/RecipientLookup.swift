import PushModel

/// Looks up who gets a claimed delivery: apps get new tokens and users unsubscribe while their deliveries wait, for a service
/// that is down or for the next attempt.
protocol RecipientLookup {
    mutating func current(_ old: DeviceSubscription) throws -> DeviceSubscription?
    mutating func registration(applicationID: String, deviceID: String, tag: String?) throws -> FoundRegistration?
    mutating func current(_ old: SMSSubscription) throws -> SMSSubscription?
}

struct FoundRegistration {
    let registration: DeviceRegistration
    /// True if it is subscribed to the requested tag.
    let hasTag: Bool
    /// ``OwnershipSQL/isOfGuest``
    let isOfGuest: Bool
}

extension RecipientLookup {
    /// Updates a delivery's target to the current one, or sets the reason why it has none any more.
    mutating func update(_ delivery: inout Delivery) throws {
        switch delivery.target {
        case .subscription(let old):
            if let current = try current(old) {
                delivery.target = .subscription(current)
            } else if try registration(applicationID: old.applicationID, deviceID: old.deviceID, tag: nil) != nil {
                delivery.withdrawal =
                    "the device is no longer subscribed to \(old.eventSource) for user '\(old.userID)'"
            }
        case .registration(let old, let address):
            guard
                let found = try registration(
                    applicationID: old.applicationID, deviceID: old.deviceID, tag: address.tag)
            else { return }
            if let tag = address.tag, !found.hasTag {
                delivery.withdrawal = "the device is no longer subscribed to the tag '\(tag)'"
            } else if address == .user, !found.isOfGuest, found.registration.userID != old.userID {
                delivery.withdrawal = "the device is no longer used by user '\(old.userID ?? "")'"
            } else {
                delivery.target = .registration(found.registration, by: address)
            }
        case .sms(let old):
            if let current = try current(old) {
                delivery.target = .sms(current)
            } else {
                delivery.withdrawal = "the phone number is no longer subscribed to \(old.eventSource)"
            }
        }
    }
}

/// The values of a look-up, from the columns that both databases return in this order from `first` on.
extension ColumnReader {
    /// `alias, platform, token, options`
    func current(
        _ old: DeviceSubscription, from first: Int32, values: inout JSONValueCache
    ) throws -> DeviceSubscription {
        DeviceSubscription(
            eventSource: old.eventSource, userID: old.userID, deviceID: old.deviceID, applicationID: old.applicationID,
            alias: text(first), platform: try platform(first + 1), token: DeviceToken(stored: text(first + 2)),
            options: try values.value(text(first + 3), in: "options"))
    }

    /// `user_id, platform, token`, whether it has the tag, and whether it is a guest's.
    func registration(applicationID: String, deviceID: String, from first: Int32) throws -> FoundRegistration {
        FoundRegistration(
            registration: DeviceRegistration(
                applicationID: applicationID, deviceID: deviceID, userID: optionalText(first),
                platform: try platform(first + 1), token: DeviceToken(stored: text(first + 2))),
            hasTag: integer(first + 3) != 0, isOfGuest: integer(first + 4) != 0)
    }

    /// `gateway_id, alias, application_id`
    func current(_ old: SMSSubscription, from first: Int32) -> SMSSubscription {
        SMSSubscription(
            eventSource: old.eventSource, phoneNumber: old.phoneNumber, gatewayID: text(first), userID: old.userID,
            alias: optionalText(first + 1), applicationID: optionalText(first + 2))
    }
}
