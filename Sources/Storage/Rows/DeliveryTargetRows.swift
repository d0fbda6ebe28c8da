import GRDB
import PushModel

/// Which columns a delivery's target fills.
enum StoredTargetKind: String {
    case subscription, registration, sms
}

extension DeliveryTarget {
    static let storedColumns = """
        target, platform, adapter, event_source, user_id, device_id, application_id, alias, tag, token, phone_number,
        gateway_id, subscription_options
        """

    /// The values of ``storedColumns``, in their order.
    func storedValues() throws -> [(any DatabaseValueConvertible)?] {
        switch self {
        case .subscription(let to):
            [
                StoredTargetKind.subscription.rawValue, platformName, to.eventSource.adapter, to.eventSource.name,
                to.userID, to.deviceID, to.applicationID, to.alias, nil, to.token.value, nil, nil,
                try to.options.storedText(),
            ]
        case .registration(let to, let tag):
            [
                StoredTargetKind.registration.rawValue, platformName, nil, nil, to.userID, to.deviceID,
                to.applicationID, nil, tag, to.token.value, nil, nil, nil,
            ]
        case .sms(let to):
            [
                StoredTargetKind.sms.rawValue, platformName, to.eventSource.adapter, to.eventSource.name, to.userID,
                nil, to.applicationID, to.alias, nil, nil, to.phoneNumber.text, to.gatewayID, nil,
            ]
        }
    }
}

extension Row {
    func deliveryTarget() throws -> DeliveryTarget {
        let kind: StoredTargetKind = try choice("target")
        return switch kind {
        case .subscription: .subscription(try deviceSubscription(optionsColumn: "subscription_options"))
        case .registration: .registration(try deviceRegistration(), tag: try value("tag"))
        case .sms: .sms(try smsSubscription())
        }
    }

    /// The registration in the columns of that name.
    func deviceRegistration() throws -> DeviceRegistration {
        DeviceRegistration(
            applicationID: try value("application_id"), deviceID: try value("device_id"), userID: try value("user_id"),
            platform: try choice("platform"), token: DeviceToken(stored: try value("token")))
    }

    /// The SMS subscription in the columns of that name.
    func smsSubscription() throws -> SMSSubscription {
        let phoneNumber: PhoneNumber
        do {
            phoneNumber = try PhoneNumber(try value("phone_number") as String)
        } catch let error as PhoneNumberError {
            throw StoredValueError(code: .corrupt, reason: "column phone_number: \(error)")
        }
        return SMSSubscription(
            eventSource: try eventSource(), phoneNumber: phoneNumber, gatewayID: try value("gateway_id"),
            userID: try value("user_id") as String, alias: try value("alias"),
            applicationID: try value("application_id"))
    }
}
