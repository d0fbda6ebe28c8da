/// A listener for the time when the device is ready to subscribe (seed 004, 3.3). It is called on the client's callback queue.
public protocol WLOnReadyToSubscribeListener: AnyObject {
    /// Notifies the application that the server has the device's token, so `subscribe` is possible from now on (3.3.1).
    func onReadyToSubscribe()
}

/// The name of ``WLOnReadyToSubscribeListener`` in the heading of 3.3; the syntax there has the name with `WL`.
public typealias OnReadyToSubscribeListener = WLOnReadyToSubscribeListener

/// A listener for the notifications of an event source (seed 004, 3.1.2). It is called on the client's callback queue.
public protocol EventListener: AnyObject {
    /// Receives a notification.
    ///
    /// - Parameter userInfo: the dictionary that the system passed to the application.
    func receive(_ userInfo: [AnyHashable: Any]!)
}

/// A listener for the notifications of an event source in the form of IBM's samples, with two JSON strings. It is called on the client's
/// callback queue.
public protocol WLEventSourceListener: AnyObject {
    /// Receives a notification.
    ///
    /// - Parameters:
    ///   - props: the object `aps` in JSON, with `alert`, `badge` and `sound`.
    ///   - payload: the adapter's payload in JSON, with the alias.
    func onReceive(_ props: String!, _ payload: String!)
}

/// A listener of any kind.
enum NotificationListener: Sendable {
    case event(Handover<any EventListener>)
    case source(Handover<any WLEventSourceListener>)
    case stream(@Sendable (WLNotification) -> Void)

    func receive(_ notification: WLNotification) {
        switch self {
        case .event(let box): box.object.receive(notification.userInfo)
        case .source(let box): box.object.onReceive(notification.propertyText, notification.payloadText)
        case .stream(let take): take(notification)
        }
    }
}
