import Foundation
import PushModel

extension Delivery {
    /// The id in lower case, as `apns-id` has it and as it stands in the log.
    var idText: String { id.uuidString.lowercased() }
}
