public import Foundation
import Synchronization

#if os(iOS)
public import UIKit
#else
/// Which kinds of notification the application accepts. On iOS it is UIKit's.
public struct UIRemoteNotificationType: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// A number on the icon.
    public static let badge = UIRemoteNotificationType(rawValue: 1)
    /// A sound.
    public static let sound = UIRemoteNotificationType(rawValue: 2)
    /// A text.
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

    /// Subscribes to an event source (2.2.6). The heading of 2.2.6 has `notificationTypes:`; this is as the syntax has
    /// it.
    ///
    /// - Parameters:
    ///   - deviceToken: the token from the system; the server gets it when it has another one.
    ///   - id: a number of the application's choice, which each notification returns: it is the alias in the payload.
    ///   - types: the types that the application accepts; the adapter gets them as `alert`, `badge` and `sound`.
    ///   - options: other data for the adapter.
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

    /// Whether the user is subscribed on this device, by the server's state at the connection and later changes (2.2.8).
    public func isSubscribed(toAdapter adapter: String!, eventSource: String!) -> Bool {
        push.state.withLock { state in
            state.subscriptions.contains { $0.adapter == adapter && $0.eventSource == eventSource }
        }
    }

    /// Sends the device's token when the server has another one or none (2.2.9). When it has this one `onSuccess` is
    /// called without asking the server, with the answer that it would give.
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

    /// The number that was given to `subscribe(withToken:…)`, from a notification; 0 when it has none (2.2.10).
    public func getEventSourceID(fromUserInfo userInfo: [AnyHashable: Any]! = [:]) -> Int32 {
        WLNotification(userInfo: userInfo ?? [:]).alias.flatMap { Int32($0) } ?? 0
    }
}

extension WLPush {
    /// Keeps a token, which the next connect compares with the server's.
    ///
    /// - Returns: whether the server has another one, or none.
    func remember(token: String) -> Bool {
        state.withLock { state in
            state.deviceToken = token
            return !state.isTokenKnown
        }
    }
}
