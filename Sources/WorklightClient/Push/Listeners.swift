/// Gets to know when the device is ready to subscribe (seed 004, 3.3), on the client's callback queue.
public protocol WLOnReadyToSubscribeListener: AnyObject {
    /// The server has the device's token; `subscribe` works from now on (3.3.1).
    func onReadyToSubscribe()
}

/// The name in the heading of 3.3; the syntax there has the other one.
public typealias OnReadyToSubscribeListener = WLOnReadyToSubscribeListener

/// Gets the notifications of an event source (seed 004, 3.1.2), on the client's callback queue.
public protocol EventListener: AnyObject {
    /// A notification arrived.
    ///
    /// - Parameter userInfo: the dictionary that the system handed to the application.
    func receive(_ userInfo: [AnyHashable: Any]!)
}

/// The same in the form of IBM's samples: two JSON texts.
public protocol WLEventSourceListener: AnyObject {
    /// - Parameters:
    ///   - props: what the system shows: `alert`, `badge`, `sound`.
    ///   - payload: what the adapter sent with it, and the alias.
    func onReceive(_ props: String!, _ payload: String!)
}

/// Either of them.
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
