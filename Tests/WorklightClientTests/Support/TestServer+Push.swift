import Foundation
import PushModel
import Storage
import Testing

@testable import Installation

extension TestServer {
    /// Returns the payload that the server would send to APNs, as the application gets it: waits for the newest delivery.
    func sentToApple() async throws -> [AnyHashable: Any] {
        while true {
            try Task.checkCancellation()
            let deliveries = try installation.store.outbox.deliveries(state: .previewed, limit: 10)
            if let body = deliveries.first?.requests.first?.body {
                let object = try JSONSerialization.jsonObject(with: Data(body.utf8))
                return try #require(object as? [String: Any])
            }
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
