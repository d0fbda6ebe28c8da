// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.

public import Foundation
import Synchronization

/// Notifications of event sources (seed 004, 3.1). It may be used from any thread; listeners are called on the client's
/// callback queue.
///
/// `[[WLPush sharedInstance] init]` of the samples has no counterpart in Swift, and needs none.
public final class WLPush: NSObject, Sendable {
    private let owner = Mutex<WeakClient?>(nil)
    let state = Mutex(PushState())

    /// The notifications of the shared client.
    public class func sharedInstance() -> WLPush! { WLClient.sharedInstance().push }

    func attach(_ client: WLClient) {
        owner.withLock { $0 = WeakClient(client: client) }
    }

    var client: WLClient? { owner.withLock { $0?.client } }

    // MARK: Getting ready

    /// Sets the listener that is called when the device is ready to subscribe (3.1.1). When it is ready already, the
    /// listener is called at once.
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

    /// Takes the device's token from the application, which has it from the system; it is sent to the server when that
    /// has another one (3.1.3, 3.5.1).
    ///
    /// - Parameter token: `deviceToken.description` of an `NSData`, or the token's hexadecimal digits. The description
    ///   of a Swift `Data` has no token in it; use ``setTokenFromClient(_:)-(Data?)`` there.
    public func setTokenFromClient(_ token: String!) {
        do {
            take(token: try DeviceTokenText.token(in: token ?? ""))
        } catch {
            LogStore.shared.write(.error, package: "wl.push", message: "setTokenFromClient: \(error)", metadata: nil)
        }
    }

    /// The same with the token as the system gives it; ours, not the original's.
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

    /// What the server said when the client connected (wire-protocol 4.1).
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

    /// Proceeds to the next state: updates the token when the server has another one, else becomes ready.
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
                // Also when the token has changed again meanwhile, or the client has connected again.
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
