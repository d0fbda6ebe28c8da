import Foundation
import WorklightClient

/// Shows how a call went.
final class ShowingListener: NSObject, WLDelegate {
    private let success: String
    private let failure: String
    private let show: @Sendable (String) -> Void

    init(_ success: String, _ failure: String, _ show: @escaping @Sendable (String) -> Void) {
        (self.success, self.failure, self.show) = (success, failure, show)
    }

    func onSuccess(_ response: WLResponse!) {
        show(success)
        show(response.responseText)
    }

    func onFailure(_ response: WLFailResponse!) {
        show(failure)
        show(response.errorMsg)
    }
}

/// Registers the event source when the device is ready.
final class ReadyToSubscribeListener: NSObject, WLOnReadyToSubscribeListener {
    private let push: WLPush
    private let show: @Sendable (String) -> Void

    init(push: WLPush, show: @escaping @Sendable (String) -> Void) {
        (self.push, self.show) = (push, show)
    }

    func onReadyToSubscribe() {
        show("Preparing to subscribe")
        let listener = MyEventSourceListener(show: show)
        push.registerEventSourceCallback(
            NativePush.alias, NativePush.adapterName, NativePush.eventSourceName, listener)
        show("Ready to subscribe...")
    }
}

/// Shows notifications with the dictionary that the system handed over.
final class MyEventSourceListener: NSObject, EventListener {
    private let show: @Sendable (String) -> Void

    init(show: @escaping @Sendable (String) -> Void) {
        self.show = show
    }

    func receive(_ userInfo: [AnyHashable: Any]!) {
        show("Received Notification \(Text.description(of: userInfo ?? [:]))")
    }
}

/// Logs in by the form, always as the same user.
final class FormChallengeHandler: ChallengeHandler {
    static let user = "mobilefirst"
    static let password = "password"

    private let show: @Sendable (String) -> Void

    init(realm: String, show: @escaping @Sendable (String) -> Void) {
        self.show = show
        super.init(realm: realm)
    }

    override func isCustomResponse(_ response: WLResponse!) -> Bool {
        response.responseText.contains("j_security_check")
    }

    override func handleChallenge(_ response: WLResponse!) {
        show("Going to log in using FormChallengeHandler")
        show("Username :: \(Self.user)")
        show("Password :: \(Self.password)")
        submitLoginForm(
            "j_security_check", requestParameters: ["j_username": Self.user, "j_password": Self.password],
            requestHeaders: nil, requestTimeoutInMilliseconds: -1, requestMethod: "POST")
    }

    override func onSuccess(_ response: WLResponse!) {
        if isCustomResponse(response) {
            show("The server does not know this user")
            return submitFailure(response)
        }
        show("Successfully logged in ...")
        show("Status: \(response.status ?? "none")")
        submitSuccess(response)
    }

    override func onFailure(_ response: WLFailResponse!) {
        show("Failed to log in: \(response.errorMsg ?? "")")
        submitFailure(response)
    }
}
