import Foundation
import Synchronization

extension WLPush {
    /// Hands a notification in: the application calls it in its own `application(_:didReceiveRemoteNotification:)`
    /// (3.4.1), a terminal program or a test from wherever its notifications come. The listener of its alias gets it,
    /// once the alias is registered and subscribed to.
    public func didReceiveRemoteNotification(_ userInfo: [AnyHashable: Any]!) {
        let notification = WLNotification(userInfo: userInfo ?? [:])
        guard notification.alias != nil else { return }
        state.withLock { state in
            state.pending.append(notification)
            if state.pending.count > PushState.mostPending { state.pending.removeFirst() }
        }
        deliverPending()
    }

    /// Calls the listeners of what has one by now, in the order of arrival.
    func deliverPending() {
        let ready = state.withLock { state in
            var ready: [(NotificationListener, WLNotification)] = []
            var rest: [WLNotification] = []
            for notification in state.pending {
                if let listener = notification.alias.flatMap(state.listener(of:)) {
                    ready.append((listener, notification))
                } else {
                    rest.append(notification)
                }
            }
            state.pending = rest
            return ready
        }
        guard !ready.isEmpty, let queue = client?.callbackQueue else { return }
        for (listener, notification) in ready { queue.async { listener.receive(notification) } }
    }
}
