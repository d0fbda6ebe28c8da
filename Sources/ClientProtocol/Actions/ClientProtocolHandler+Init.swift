import Authentication
import Core
import HTTPServer
import HTTPTypes
import Installation
import Logging
import PushModel
import Storage
import WorklightProject

/// The response to `init`, which connects a client (wire-protocol 3.4).
extension ClientProtocolHandler {
    func initialize(_ exchange: ClientRequestContext) async -> Response {
        let identities = identities(exchange)
        // Only these: the native SDK of 5.0.6 fails when a realm of its application's is among them.
        _ = exchange.session.takeUnreported()
        var success = identities.passed(RealmIdentities.connection)
        // Unless the client has a handler for the realm, which waits for this.
        for realm in exchange.session.takeUnreportedScripts().sorted() { success[realm] = identities.user(in: realm) }
        var answer = JSONObject()
        do {
            // Any client can name a device id that is the prefix of many others; reading these takes time.
            let stored = try await runBlocking {
                (preferences: preferences(exchange), push: try subscriptionState(exchange), sms: try smsState(exchange))
            }
            answer["userPrefs"] = .object(stored.preferences)
            answer["WL-Authentication-Success"] = .object(success)
            answer["gadgetProps"] = .object(properties(exchange))
            if let push = stored.push { answer["notificationSubscriptionState"] = push }
            if let sms = stored.sms { answer["smsNotificationSubscriptionState"] = sms }
        } catch let error as StoreError {
            return storeFailure(error)
        } catch {
            return ClientProtocolResponse.failure(.unexpected, "\(error)", status: .internalServerError)
        }
        answer["userInfo"] = .object(identities.all())
        return ClientProtocolResponse.wrapped(answer)
    }

    private func preferences(_ exchange: ClientRequestContext) -> JSONObject {
        var object = JSONObject()
        do {
            for preference in try installation.store.preferences(of: try preferenceOwner(exchange)) {
                object[preference.key] = .string(preference.value)
            }
        } catch {
            security.log.log("request \(error)", at: .error, "\(error)")
        }
        return object
    }

    /// Returns the client's properties. Hybrid clients of 5.0.6 on phones connect only when the response says that their web resources are current.
    private func properties(_ exchange: ClientRequestContext) -> JSONObject {
        guard let application = exchange.application else { return [:] }
        var properties: JSONObject = ["ENVIRONMENT": .string(application.environment.name)]
        if let checksum = security.rules[application]?.checksum {
            properties["directUpdate"] = DirectUpdate.current(checksum: checksum)
        } else if wantsChecksum(exchange, application) {
            guard !installation.settings.sendsChecksumScript else {
                properties["directUpdate"] = DirectUpdate.withOwnChecksum(
                    skinLoaderChecksum: exchange.fields["skinLoaderChecksum"] ?? "")
                return properties
            }
            security.log.warnOnce(
                "checksum \(application.id) \(application.environment) \(application.version)",
                """
                \(application.id) \(application.version) for \(application.environment) cannot connect: it is a client \
                of 5.0.6, whose checksum is not known, and clients.checksumScript is off; turn that on, or find the number \
                in WL_CHECKSUM of the app's web resources and run 'lamplighter application \(application.id) \
                \(application.environment) \(application.version) --checksum NUMBER'
                """)
        }
        return properties
    }

    private func wantsChecksum(_ exchange: ClientRequestContext, _ application: ClientApplication) -> Bool {
        application.environment.isDevice && !application.environment.isNative && exchange.platformVersion == nil
            && exchange.head.headerFields.value(of: .appDetails) == nil
            && ["android", "iphone", "ipad"].contains(application.environment.name.lowercased())
    }

    /// The device's subscriptions; `nil` without push, because the member by itself makes a client request a token from its system
    /// (wire-protocol 4.1).
    ///
    /// A client that owns no device (``DeviceClaim``) sees event sources, aliases and tags of the one it claims, without the
    /// token, where no checked user has used a device of that id. SDKs of 5.0.6 and 6.0 keep cookies in memory only: without a
    /// checked login such an app cannot prove its identity after a restart until it has sent its token.
    private func subscriptionState(_ exchange: ClientRequestContext) throws(StoreError) -> JSONValue? {
        guard let application = exchange.application, application.environment.platform != nil,
            let claim = deviceClaim(exchange)
        else { return nil }
        let user = user(exchange, test: nil)
        let store = installation.store
        let registration = try store.registration(of: claim, showing: nil)
        let claimed = try registration == nil ? store.openRegistration(of: claim) : nil
        // The id of a client without a login was another one before it lost its cookies.
        let isAnybody = claimed != nil && user.realm == nil
        var subscriptions: [DeviceSubscription] = []
        var tags: [String] = []
        if let device = registration?.deviceID ?? claimed?.deviceID {
            subscriptions = try store.deviceSubscriptions(
                matching: SubscriptionFilter(
                    userID: isAnybody ? nil : user.id, deviceID: device, applicationID: application.id)
            ).filter { isAnybody || user.matches(id: $0.userID, realm: $0.userRealm) }
            tags = try store.tags(applicationID: application.id, deviceID: device)
        }
        var state = JSONObject()
        // Never null, which breaks every native SDK. Those of 5.0.6 and 6.0 read nothing without it, so it is present when there is something to
        // read.
        if let registration,
            registration.userID.map({ user.matches(id: $0, realm: registration.userRealm) }) ?? true
        {
            exchange.session.note(pushToken: registration.token, of: application.id, isFromClient: false)
            state["token"] = .string(registration.token.value)
        } else if claimed != nil || !subscriptions.isEmpty {
            state["token"] = ""
        }
        state["eventSources"] = .array(
            subscriptions.map { subscription in
                [
                    "alias": .string(subscription.alias), "adapter": .string(subscription.eventSource.adapter),
                    "eventSource": .string(subscription.eventSource.name),
                ]
            })
        state["tags"] = .array(tags.map { .string($0) })
        state["userId"] = .string(user.id)
        state["login_userId"] = .string(user.id)
        if let sender = security.policy.senderID(of: application) { state["credentials"] = .string(sender) }
        return .object(state)
    }

    /// Returns the SMS subscriptions of the client's users; `nil` for a client without a device.
    private func smsState(_ exchange: ClientRequestContext) throws(StoreError) -> JSONValue? {
        guard let application = exchange.application, deviceClaim(exchange) != nil else { return nil }
        return try smsState(of: users(exchange), application: application)
    }
}

/// Confirms to hybrid clients up to 6.1 that their web resources are current: this server has no others.
///
/// Clients compare `checksum` with that of their resources, and show an update dialog when they differ (wire-protocol 3.4).
enum DirectUpdate {
    /// For a version whose checksum the operator has set.
    static func current(checksum: Int) -> JSONValue {
        .object(members(checksum: .number(Double(checksum))))
    }

    /// For a client of 5.0.6 whose checksum is unknown: the script hands the client its own.
    ///
    /// - Parameter skinLoaderChecksum: as the client sent it, empty when its app has no skins. The client stores what it gets.
    static func withOwnChecksum(skinLoaderChecksum: String) -> JSONValue {
        var object = members(checksum: 0)
        object["skinLoaderContent"] = .string(script)
        object["skinLoaderChecksum"] = .string(skinLoaderChecksum)
        return .object(object)
    }

    private static func members(checksum: JSONValue) -> JSONObject {
        ["checksum": checksum, "availableSkins": ["default"], "updateSize": 0, "updateUnpackedSize": 0]
    }

    /// A script that runs in the client's function that compares the checksums, before the comparison. The script is constant: it contains nothing
    /// from a request or a setting.
    ///
    /// The client calls `getSkinName` next, and takes an app without skins for changed unless `isAppHasSkinLoaderChecksum` is
    /// true at that moment.
    static let script = """
        var k=isAppHasSkinLoaderChecksum;isAppHasSkinLoaderChecksum=true;updatesJSON.checksum=WL_CHECKSUM.checksum;\
        setTimeout(function(){isAppHasSkinLoaderChecksum=k},0);function getSkinName(){return oldSkinName}
        """
}
