import Foundation
import WorklightClient

/// The five buttons of the app, and what it shows.
final class NativePush {
    static let alias = "iOSPushAlias"
    static let adapterName = "PushAdapter"
    static let eventSourceName = "PushEventSource"
    static let realm = "PushAppRealm"

    let client: WLClient
    private let show: @Sendable (String) -> Void
    private let readyToSubscribe: ReadyToSubscribeListener

    /// - Parameter show: gets each line that the app has to show, on the client's callback queue or on that of the
    ///   button.
    init(client: WLClient, show: @escaping @Sendable (String) -> Void) {
        self.client = client
        self.show = show
        readyToSubscribe = ReadyToSubscribeListener(push: client.push, show: show)
        client.registerChallengeHandler(FormChallengeHandler(realm: Self.realm, show: show))
        client.push.setOnReadyToSubscribeListener(readyToSubscribe)
        show("Alias :: \(Self.alias)")
        show("Adapter Name :: \(Self.adapterName)")
        show("Event Source Name :: \(Self.eventSourceName)")
        show("Security Realm :: \(Self.realm)")
        show("-----")
        show("User name :: \(FormChallengeHandler.user)")
        show("Password :: \(FormChallengeHandler.password)")
    }

    /// What `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)` does with the token.
    func didRegister(deviceToken: Data) {
        client.push.setTokenFromClient(deviceToken)
    }

    /// What `application(_:didReceiveRemoteNotification:)` does with the notification.
    func didReceive(_ userInfo: [AnyHashable: Any]) {
        client.push.didReceiveRemoteNotification(userInfo)
    }

    func connect() {
        show("Connecting ...")
        client.wlConnect(with: ShowingListener("Connection successful ...", "Connection failed ...", show))
    }

    func isPushSupported() {
        show("Push supported :: \(client.push.isPushSupported() ? "YES" : "NO")")
    }

    func isSubscribed() {
        show("Subscribed :: \(client.push.isSubscribed(Self.alias) ? "YES" : "NO")")
    }

    func subscribe() {
        show("Trying to subscribe ...")
        let listener = ShowingListener(
            "Successfully got a response for Subscribe", "Failed to get a response for Subscribe", show)
        client.push.subscribe(Self.alias, nil, listener)
    }

    func unsubscribe() {
        show("Trying to unsubscribe ...")
        let listener = ShowingListener(
            "Successfully got a response for Unsubscribe", "Failed to get a response for Unsubscribe", show)
        client.push.unsubscribe(Self.alias, listener)
    }
}
