import AdapterRuntime
import Authentication
import Core
import HTTPServer
import Installation
import Logging
import PushModel
import Storage

/// A client that subscribes: its request, application and device.
struct Subscriber: Sendable {
    let exchange: ClientRequestContext
    let application: ClientApplication
    /// The device that the client names. It is not the client's for that alone (``DeviceClaim``).
    let claim: DeviceClaim
    let platform: Platform?
    /// The subscription that a page in a browser sends with every request, in place of a device and its token. The endpoint, which
    /// only the browser knows, identifies the device.
    var webPush: WebPushSubscription?
}

/// Devices and their tokens (wire-protocol 4.2).
extension ClientProtocolHandler {
    /// - Returns: nil when the request names no device.
    /// - Throws: `DeviceTokenError`, ``ClientRequestError``.
    func subscriber(_ exchange: ClientRequestContext) throws -> Subscriber? {
        guard let application = exchange.application else { return nil }
        if let text = exchange.fields[WebPushResource.subscriptionField] {
            guard !application.environment.isDevice else {
                throw ClientRequestError("Web Push is for pages in browsers, not for \(application.environment)")
            }
            let webPush = try WebPushSubscription(text)
            return Subscriber(
                exchange: exchange, application: application,
                claim: deviceClaim(
                    of: exchange.session, applicationID: application.id, device: webPush.deviceID),
                platform: .web, webPush: webPush)
        }
        return deviceClaim(exchange).map { claim in
            Subscriber(
                exchange: exchange, application: application, claim: claim,
                platform: application.environment.platform)
        }
    }

    /// Returns the client's claim to its device; `nil` when it names none.
    func deviceClaim(_ exchange: ClientRequestContext) -> DeviceClaim? {
        guard let application = exchange.application, let device = exchange.session.device else { return nil }
        return deviceClaim(of: exchange.session, applicationID: application.id, device: device.id)
    }

    /// Returns a session's evidence that it runs on a device.
    func deviceClaim(of session: ServerSession, applicationID: String, device: String) -> DeviceClaim {
        DeviceClaim(
            applicationID: applicationID, deviceID: device, clientID: session.persistentID,
            installationID: session.installationID,
            users: Set(session.checkedRealms.compactMap { security.gate.user(in: $0, of: session) }))
    }

    // MARK: Registering

    /// Registers the device. Its subscriptions get the new token, as do those that the session's checked users have on other
    /// devices of the claimed id; subscriptions of users who have left the device end.
    func updateToken(_ subscriber: Subscriber) async throws -> Response {
        let platform = try platform(of: subscriber)
        let token = try token(of: subscriber, platform)
        let known = try await runBlocking { [store = installation.store] in
            try store.registration(of: subscriber.claim, showing: token)
        }
        if let known { try await endSubscriptionsOfOthers(on: known, subscriber) }
        let user = user(subscriber.exchange, test: nil)
        subscriber.exchange.session.note(pushToken: token, of: subscriber.application.id, isFromClient: true)
        return try await runBlocking { [store = installation.store] in
            try guests.check(subscriber.exchange)
            let registration = try store.register(subscriber.claim, user: user, platform: platform, token: token)
            try guests.note([.device(registration)], subscriber.exchange)
            try store.moveSubscriptions(of: subscriber.claim, to: registration)
            return ClientProtocolResponse.success
        }
    }

    private func token(of subscriber: Subscriber, _ platform: Platform) throws -> DeviceToken {
        let text = subscriber.exchange.fields["updateToken"] ?? ""
        do {
            return try DeviceToken(text, platform: platform)
        } catch {
            // Simulators make theirs up. Nothing can reach them, but their developers shall see what would be sent.
            guard installation.settings.mode == .development, (1...2048).contains(text.utf8.count),
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw error }
            let device = subscriber.claim.deviceID
            security.log.warnOnce("token \(device)", "device \(device): \(error); in production mode it is refused")
            return DeviceToken(stored: text)
        }
    }

    private func platform(of subscriber: Subscriber) throws -> Platform {
        guard let platform = subscriber.platform else {
            throw ClientRequestError("no push service reaches clients for \(subscriber.application.environment)")
        }
        return platform
    }

    /// Registers a page for the messages that `sendMessage` sends to everybody.
    func registerPage(_ subscriber: Subscriber) async throws -> Response {
        let registration = try await registration(subscriber)
        try await endSubscriptionsOfOthers(on: registration, subscriber)
        return try await runBlocking {
            try register(registration, subscriber)
            return ClientProtocolResponse.success
        }
    }

    /// Stores a registration within the quota of clients without a user. Waits for the disk.
    ///
    /// - Throws: ``GuestQuotaError``, `StoreError`.
    func register(_ registration: DeviceRegistration, _ subscriber: Subscriber) throws {
        try guests.check(subscriber.exchange)
        try installation.store.register(registration)
        try guests.note([.device(registration)], subscriber.exchange)
    }

    /// The registration of the client's device.
    ///
    /// - Throws: ``ClientRequestError`` when the device has none, `StoreError`.
    func registration(_ subscriber: Subscriber) async throws -> DeviceRegistration {
        if let webPush = subscriber.webPush {
            let user = user(subscriber.exchange, test: nil)
            return DeviceRegistration(
                applicationID: subscriber.application.id, deviceID: webPush.deviceID, userID: user.id,
                userRealm: user.realm, platform: .web, token: DeviceToken(stored: webPush.text))
        }
        let registration = try await runBlocking { [store = installation.store] in
            try store.registration(of: subscriber.claim, showing: nil)
        }
        guard let registration else {
            throw ClientRequestError("the device has sent no token yet: updateToken comes first")
        }
        return registration
    }

    /// The id under which the store knows the client's device; `nil` when the device has never registered.
    ///
    /// - Throws: `StoreError`.
    func device(of subscriber: Subscriber) async throws -> String? {
        if let webPush = subscriber.webPush { return webPush.deviceID }
        return try await runBlocking { [store = installation.store] in
            try store.registration(of: subscriber.claim, showing: nil)?.deviceID
        }
    }

    // MARK: Users who have left

    /// Ends the subscriptions on a device of earlier users: those in whose realm another user is logged in now. `onUserChange`
    /// may keep them. A client without a login in its session changes nothing, because its user may log in again later.
    ///
    /// - Parameter source: an event source whose subscription stays.
    func endSubscriptionsOfOthers(
        on device: DeviceRegistration, _ subscriber: Subscriber, except source: EventSourceID? = nil
    ) async throws {
        let exchange = subscriber.exchange
        let own = users(exchange)
        guard own.count > 1 else { return }
        let filter = SubscriptionFilter(deviceID: device.deviceID, applicationID: device.applicationID)
        let subscriptions = try await runBlocking { [store = installation.store] in
            try store.deviceSubscriptions(matching: filter)
        }
        for subscription in subscriptions where subscription.eventSource != source {
            let isOwn = own.contains { $0.matches(id: subscription.userID, realm: subscription.userRealm) }
            guard !isOwn, let user = currentUser(of: subscription.eventSource, exchange) else { continue }
            if try await installation.runtime.endSubscription(subscription, becauseOf: user.id) {
                logger.info(
                    "a subscription to \(subscription.eventSource) has ended: another user uses the device now",
                    metadata: ["device": "\(subscription.deviceID)", "application": "\(subscription.applicationID)"])
            }
        }
    }

    /// The user in the realm that an event source's test asks for; for an event source without such a test, the user whom the
    /// application has.
    private func currentUser(of source: EventSourceID, _ exchange: ClientRequestContext) -> RealmUser? {
        guard let realm = declaration(source)?.securityTest.flatMap(security.policy.userRealm) else {
            return loggedIn(exchange, test: nil)
        }
        return security.gate.user(in: realm, of: exchange.session).flatMap { user in
            user.id == exchange.session.persistentID ? nil : user
        }
    }
}
