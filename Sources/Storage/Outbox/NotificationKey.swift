import Foundation
import PushModel

/// The values that identify a row of `notification`.
struct NotificationKey: Hashable {
    let id: UUID
    let eventSource: EventSourceID?
    let createdAt: Date
    let expiresAt: Date

    init(_ delivery: Delivery) {
        id = delivery.notificationID
        eventSource = delivery.target.eventSource
        (createdAt, expiresAt) = (delivery.createdAt, delivery.expiresAt)
    }

    init(_ broadcast: Broadcast) {
        eventSource = if case .eventSource(let source) = broadcast.target { source } else { nil }
        (id, createdAt, expiresAt) = (broadcast.id, broadcast.createdAt, broadcast.expiresAt)
    }
}
