/// The state of a delivery.
public enum DeliveryState: String, Sendable, Hashable, CaseIterable {
    /// It waits for its next attempt, or for an earlier delivery to the same device to end.
    case queued
    /// A worker holds it.
    case sending
    /// A push service took it.
    case delivered
    /// There are no credentials for its push service: its requests were recorded, and nothing left the machine. In development only.
    case previewed
    /// A push service, or Lamplighter itself, refused it for good.
    case refused
    /// Its time to live ran out.
    case expired

    /// True if the state is final.
    public var isEnd: Bool {
        switch self {
        case .queued, .sending: false
        case .delivered, .previewed, .refused, .expired: true
        }
    }
}
