import PushModel

extension StoreRow {
    /// The registration in the columns of that name.
    func deviceRegistration() throws -> DeviceRegistration {
        DeviceRegistration(
            applicationID: try value("application_id"), deviceID: try value("device_id"), userID: try value("user_id"),
            userRealm: try value("user_realm"), platform: try choice("platform"),
            token: DeviceToken(stored: try value("token")))
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
            userID: try value("user_id") as String, userRealm: try value("user_realm"), alias: try value("alias"),
            applicationID: try value("application_id"))
    }
}
