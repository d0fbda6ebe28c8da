import Foundation
import Logging
import PushModel

extension Delivery {
    /// Identifies the delivery and its target in the log, without tokens and phone numbers.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "delivery": "\(idText)", "message": "\(notificationID.uuidString.lowercased())",
            "platform": "\(target.platformName)",
        ]
        switch target {
        case .subscription(let subscription): metadata["eventSource"] = "\(subscription.eventSource)"
        case .registration(let registration, let address):
            metadata["application"] = "\(registration.applicationID)"
            if let tag = address.tag { metadata["tag"] = "\(tag)" }
        case .sms(let subscription):
            metadata["eventSource"] = "\(subscription.eventSource)"
            metadata["gateway"] = "\(subscription.gatewayID)"
        }
        return metadata
    }

    /// The token or the phone number, shortened.
    var addressText: (key: String, value: String) {
        switch target {
        case .subscription(let subscription): ("token", "\(subscription.token)")
        case .registration(let registration, _): ("token", "\(registration.token)")
        case .sms(let subscription): ("phoneNumber", "\(subscription.phoneNumber)")
        }
    }
}

extension Delivery {
    /// The id in lower case, as in `apns-id` and in the log.
    var idText: String { id.uuidString.lowercased() }
}
