public import Foundation
import Synchronization

#if os(iOS)
public import UIKit
#else
/// The kinds of notification that the application accepts. On iOS, UIKit has this type.
public struct UIRemoteNotificationType: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// A number on the icon.
    public static let badge = UIRemoteNotificationType(rawValue: 1)
    /// A sound.
    public static let sound = UIRemoteNotificationType(rawValue: 2)
    /// An alert with a message.
    public static let alert = UIRemoteNotificationType(rawValue: 4)
}
#endif

extension WLClient {
    /// Subscribes to an event source (2.2.5).
    public func subscribe(
        withToken deviceToken: Data!, adapter: String!, eventSource: String!, eventSourceID id: Int32,
        notificationType types: UIRemoteNotificationType, delegate: (any WLDelegate)!
    ) {
        subscribe(
            withToken: deviceToken, adapter: adapter, eventSource: eventSource, eventSourceID: id,
            notificationType: types, delegate: delegate, options: nil)
    }

    /// Subscribes to an event source, with options (2.2.6). The heading of 2.2.6 has `notificationTypes:`; this is the name in the syntax.
    ///
    /// - Parameters:
    ///   - deviceToken: the token from the system. It is sent to the server if the server has another one.
    ///   - adapter: the adapter's name.
    ///   - eventSource: the event source's name.
    ///   - id: a number that the application chooses. It is the alias in the payload of each notification.
    ///   - types: the kinds of notification that the application accepts; the adapter gets them as `alert`, `badge` and `sound`.
    ///   - delegate: the receiver of the result.
    ///   - options: further data for the adapter.
    public func subscribe(
        withToken deviceToken: Data!, adapter: String!, eventSource: String!, eventSourceID id: Int32,
        notificationType types: UIRemoteNotificationType, delegate: (any WLDelegate)!,
        options: [AnyHashable: Any]! = [:]
    ) {
        let wanted = PushState.Subscription(alias: String(id), adapter: adapter ?? "", eventSource: eventSource ?? "")
        var object: [String: Any] = [
            "alert": types.contains(.alert), "badge": types.contains(.badge), "sound": types.contains(.sound),
        ]
        object.merge(WLPush.object(options)) { _, new in new }
        let text = JSONText.text(of: object)
        let token = DeviceTokenText.token(deviceToken ?? Data())
        run(delegate) { [push] core in
            try await core.requireConnection(for: "subscribe")
            guard !token.isEmpty else {
                throw WLError(WLErrorCodeUnexpectedError, "subscribe: the device token is empty")
            }
            if push.remember(token: token) { try await push.send(token: token, core) }
            return try await push.subscribe(wanted, options: text, core)
        }
    }

    /// Ends a subscription (2.2.7).
    public func unsubscribeAdapter(_ adapter: String!, eventSource: String!, delegate: (any WLDelegate)!) {
        let (adapter, eventSource) = (adapter ?? "", eventSource ?? "")
        run(delegate) { [push] core in
            try await core.requireConnection(for: "unsubscribeAdapter")
            let alias = push.state.withLock { state in
                state.subscriptions.first { $0.adapter == adapter && $0.eventSource == eventSource }?.alias
            }
            return try await push.unsubscribe(adapter: adapter, eventSource: eventSource, alias: alias ?? "", core)
        }
    }

    /// Returns whether the user is subscribed on this device (2.2.8). The client knows this from the last connect and its later changes; it
    /// sends no request.
    public func isSubscribed(toAdapter adapter: String!, eventSource: String!) -> Bool {
        push.state.withLock { state in
            state.subscriptions.contains { $0.adapter == adapter && $0.eventSource == eventSource }
        }
    }

    /// Sends the device's token to the server if the server has another one or none (2.2.9). If the server has this token, `onSuccess` is
    /// called without a request, with the same response.
    public func updateDeviceToken(_ deviceToken: Data!, delegate: (any WLDelegate)!) {
        let token = DeviceTokenText.token(deviceToken ?? Data())
        run(delegate) { [push] core in
            guard !token.isEmpty else {
                throw WLError(WLErrorCodeUnexpectedError, "updateDeviceToken: the device token is empty")
            }
            let isOther = push.remember(token: token)
            try await core.requireConnection(for: "updateDeviceToken")
            guard isOther else {
                return WLAnswer(status: 200, headers: [], text: "/*-secure-\n{\"isSuccessful\":true}*/")
            }
            return try await push.send(token: token, core)
        }
    }

    /// Returns the number that a notification has from `subscribe(withToken:…)`; 0 when it has none (2.2.10).
    public func getEventSourceID(fromUserInfo userInfo: [AnyHashable: Any]! = [:]) -> Int32 {
        WLNotification(userInfo: userInfo ?? [:]).alias.flatMap { Int32($0) } ?? 0
    }
}

extension WLPush {
    /// Stores a token. The next connect compares it with the server's token.
    ///
    /// - Returns: true if the server has another token, or none.
    func remember(token: String) -> Bool {
        state.withLock { state in
            state.deviceToken = token
            return !state.isTokenKnown
        }
    }
}
