import Foundation
import PushModel

extension Delivery {
    /// The id in lower case, as in `apns-id` and in the log.
    var idText: String { id.uuidString.lowercased() }
}
