// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.

public import Foundation
import Synchronization

/// The push notifications of a client (seed 004, 3.1). It may be used from any thread; listeners are called on the client's
/// callback queue.
///
/// ```swift
/// let push = client.push
/// push.setTokenFromClient(deviceToken)
/// let notifications = push.notifications(alias: "prices", adapter: "PushAdapter", eventSource: "Prices")
/// try await client.connect()
/// try await push.ready()
/// try await push.subscribe(alias: "prices")
/// for await notification in notifications { print(notification.alert ?? "") }
/// ```
///
/// The application passes each notification to ``didReceiveRemoteNotification(_:)``. `[[WLPush sharedInstance] init]` of the samples has
/// no counterpart in Swift, and needs none.
public final class WLPush: NSObject, Sendable {
    private let owner = Mutex<WeakClient?>(nil)
    let state = Mutex(PushState())

    /// Returns the push notifications of the shared client.
    public class func sharedInstance() -> WLPush! { WLClient.sharedInstance().push }

    func attach(_ client: WLClient) {
        owner.withLock { $0 = WeakClient(client: client) }
    }

    var client: WLClient? { owner.withLock { $0?.client } }

    // MARK: Getting ready

    /// Sets the listener that is called when the device is ready to subscribe (3.1.1). If the device is ready already, the listener is
    /// called at once.
    public func setOnReadyToSubscribeListener(_ listener: (any WLOnReadyToSubscribeListener)!) {
        let isReady = state.withLock { state in
            state.listener = listener.map { Handover($0) }
            return state.isReady
        }
        if isReady { tellReady() }
    }

    /// The listener of ``setOnReadyToSubscribeListener(_:)``: the header of the SDK has this property beside the method.
    public var onReadyToSubscribeListener: (any WLOnReadyToSubscribeListener)! {
        get { state.withLock { $0.listener?.object } }
        set { setOnReadyToSubscribeListener(newValue) }
    }

    /// The device's token, as ``setTokenFromClient(_:)-(String?)`` sets it; `nil` before. The header of the SDK has this property beside the
    /// method.
    public var tokenFromClient: String! {
        get { state.withLock { $0.deviceToken } }
        set { setTokenFromClient(newValue) }
    }

    /// Sets the device's token, which the application has from the system (3.1.3, 3.5.1). It is sent to the server if the server has another
    /// one. An invalid string is written to ``OCLogger`` and ignored.
    ///
    /// - Parameter token: `deviceToken.description` of an `NSData`, or the token's hexadecimal digits. The description
    ///   of a Swift `Data` does not contain the token; use ``setTokenFromClient(_:)-(Data?)`` instead.
    public func setTokenFromClient(_ token: String!) {
        do {
            take(token: try DeviceTokenText.token(in: token ?? ""))
        } catch {
            LogStore.shared.write(.error, package: "wl.push", message: "setTokenFromClient: \(error)", metadata: nil)
        }
    }

    /// Sets the device's token in the form that the system provides. This function is an extension; the original does not have it.
    public func setTokenFromClient(_ token: Data!) {
        take(token: DeviceTokenText.token(token ?? Data()))
    }

    func take(token: String) {
        guard !token.isEmpty else { return }
        state.withLock { state in
            if state.deviceToken != token { state.isReady = false }
            state.deviceToken = token
        }
        getReady()
    }

    /// Stores the state that the server sent at a connect (wire-protocol 4.1).
    func take(_ said: SendableJSONObject) {
        state.withLock { state in
            state.isTold = true
            state.connects += 1
            state.isReady = false
            let token = said.values["token"] as? String ?? ""
            state.serverToken = token.isEmpty ? nil : token
            state.subscriptions = (said.values["eventSources"] as? [[String: Any]] ?? []).map { source in
                PushState.Subscription(
                    alias: source["alias"] as? String ?? "", adapter: source["adapter"] as? String ?? "",
                    eventSource: source["eventSource"] as? String ?? "")
            }
        }
        getReady()
        deliverPending()
    }

    /// Proceeds to the next state: updates the token if the server has another one; otherwise becomes ready.
    private func getReady() {
        enum Step {
            case nothing, ready
            case update(String, connects: Int)
        }
        let step = state.withLock { state -> Step in
            guard state.isTold, !state.isUpdating, let token = state.deviceToken else { return .nothing }
            if state.isTokenKnown {
                defer { state.isReady = true }
                return state.isReady ? .nothing : .ready
            }
            state.isUpdating = true
            return .update(token, connects: state.connects)
        }
        switch step {
        case .nothing: break
        case .ready: tellReady()
        case .update(let token, let connects):
            Task {
                let isDone = await update(token: token)
                // The token or the connection may have changed during the update.
                let hasChanged = state.withLock { state in
                    state.isUpdating = false
                    return state.deviceToken != token || state.connects != connects
                }
                if isDone || hasChanged { getReady() }
            }
        }
    }

    private func update(token: String) async -> Bool {
        do {
            guard let core = try client?.core() else { return false }
            try await send(token: token, core)
            return true
        } catch {
            LogStore.shared.write(
                .warn, package: "wl.push",
                message: "the device's token was not sent, and will be with the next connect: \(error)", metadata: nil)
            return false
        }
    }

    @discardableResult
    func send(token: String, _ core: ClientCore) async throws -> WLAnswer {
        let answer = try await core.act("notifications", [WireField("updateToken", token)])
        state.withLock { $0.serverToken = token }
        return answer
    }

    private func tellReady() {
        let (listener, waiters) = state.withLock { state in
            let waiters = state.readyWaiters
            state.readyWaiters = [:]
            return (state.listener, waiters)
        }
        for continuation in waiters.values { continuation.resume() }
        guard let listener, let queue = client?.callbackQueue else { return }
        queue.async { listener.object.onReadyToSubscribe() }
    }
}

extension WLPush {
    /// Passes a notification to the listener of its alias, as soon as the alias is registered and subscribed. The application calls this
    /// function in its `application(_:didReceiveRemoteNotification:)` (3.4.1); a terminal program or a test calls it for each notification
    /// that it receives. A notification without an alias is ignored.
    public func didReceiveRemoteNotification(_ userInfo: [AnyHashable: Any]!) {
        let notification = WLNotification(userInfo: userInfo ?? [:])
        guard notification.alias != nil else { return }
        state.withLock { state in
            state.pending.append(notification)
            if state.pending.count > PushState.mostPending { state.pending.removeFirst() }
        }
        deliverPending()
    }

    /// Delivers pending messages that have a listener now, in the order of arrival.
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
