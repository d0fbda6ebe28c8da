import Authentication
import Core
import Installation
import PushModel
import Storage

/// Subscriptions to text messages, of clients and by gateways.
extension ClientProtocolHandler {
    /// - Throws: ``ClientRequestError`` when the number belongs to another user or the application has no gateway, `StoreError`.
    func subscribeSMS(
        to source: EventSourceID, number: PhoneNumber, user: RealmUser, alias: String?, application: ClientApplication
    ) throws {
        let other = try installation.store.smsSubscription(eventSource: source, phoneNumber: number)
        guard other.map({ user.matches(id: $0.userID, realm: $0.userRealm) }) ?? true else {
            throw ClientRequestError("the phone number is subscribed by somebody else")
        }
        guard let gateway = security.policy.smsGateway(of: application) else {
            throw ClientRequestError("the application's descriptor names no smsGateway")
        }
        try installation.store.subscribe(
            SMSSubscription(
                eventSource: source, phoneNumber: number, gatewayID: gateway, userID: user.id,
                userRealm: user.realm, alias: alias, applicationID: application.id))
    }

    /// Ends a subscription of one of `users` only.
    ///
    /// - Parameter users: those whose subscriptions the client may end.
    /// - Throws: `StoreError`.
    func unsubscribeSMS(from source: EventSourceID, number: PhoneNumber, users: Set<RealmUser>) throws {
        guard let known = try installation.store.smsSubscription(eventSource: source, phoneNumber: number),
            users.contains(where: { $0.matches(id: known.userID, realm: known.userRealm) })
        else { return }
        _ = try installation.store.unsubscribe(eventSource: source, phoneNumber: number)
    }

    /// Ends a client's subscriptions by event source and alias: clients keep the alias and not the number.
    ///
    /// - Parameters:
    ///   - alias: the client's name for the event source; every name when `nil`.
    ///   - users: those whose subscriptions the client may end, which ``smsState(of:application:)`` reports to it.
    /// - Throws: `StoreError`.
    func unsubscribeSMS(
        from source: EventSourceID, alias: String?, users: Set<RealmUser>, application: ClientApplication
    ) throws {
        let own = try smsSubscriptions(of: users, application: application, eventSource: source)
        for subscription in own where alias == nil || subscription.clientAlias == alias {
            _ = try installation.store.unsubscribe(eventSource: source, phoneNumber: subscription.phoneNumber)
        }
    }

    /// Returns the state that clients of 6.0 and later read in `isSMSSubscribed` and `unsubscribeSMS`; `nil` for an application without a gateway.
    ///
    /// - Throws: `StoreError`.
    func smsState(of users: Set<RealmUser>, application: ClientApplication) throws(StoreError) -> JSONValue? {
        guard security.policy.smsGateway(of: application) != nil else { return nil }
        var eventSources: [JSONValue] = []
        for subscription in try smsSubscriptions(of: users, application: application, eventSource: nil) {
            let entry: JSONValue = [
                "alias": .string(subscription.clientAlias), "adapter": .string(subscription.eventSource.adapter),
                "eventSource": .string(subscription.eventSource.name),
            ]
            // A user may have several numbers there.
            if !eventSources.contains(entry) { eventSources.append(entry) }
        }
        return ["eventSources": .array(eventSources)]
    }

    private func smsSubscriptions(
        of users: Set<RealmUser>, application: ClientApplication, eventSource: EventSourceID?
    ) throws(StoreError) -> [SMSSubscription] {
        var found: [SMSSubscription] = []
        for user in users.sorted() {
            for case .sms(let number) in try installation.store.targets(of: eventSource, userID: user.id)
            where number.applicationID == application.id && user.matches(id: number.userID, realm: number.userRealm) {
                found.append(number)
            }
        }
        return found
    }
}

extension SMSSubscription {
    /// The client's name for the event source, or else the event source's own, as for devices.
    fileprivate var clientAlias: String { alias ?? eventSource.name }
}
