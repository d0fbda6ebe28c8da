import Authentication
import PushModel
import Storage

/// Subscriptions to text messages, whoever asks for them.
extension WireServer {
    /// - Throws: ``RequestProblem`` when the number is somebody else's already or the application has no gateway, `StoreError`.
    func subscribeSMS(
        to source: EventSourceID, number: PhoneNumber, user: String, alias: String?, application: ClientApplication
    ) throws {
        let other = try installation.store.smsSubscription(eventSource: source, phoneNumber: number)
        guard other == nil || other?.userID == user else {
            throw RequestProblem("the phone number is subscribed by somebody else")
        }
        guard let gateway = security.policy.smsGateway(of: application) else {
            throw RequestProblem("the application's descriptor names no smsGateway")
        }
        _ = try installation.store.subscribe(
            SMSSubscription(
                eventSource: source, phoneNumber: number, gatewayID: gateway, userID: user, alias: alias,
                applicationID: application.id))
    }

    /// Nobody ends what is somebody else's.
    ///
    /// - Throws: `StoreError`.
    func unsubscribeSMS(from source: EventSourceID, number: PhoneNumber, user: String) throws {
        let own = try installation.store.smsSubscription(eventSource: source, phoneNumber: number)
        guard own?.userID == user else { return }
        _ = try installation.store.unsubscribe(eventSource: source, phoneNumber: number)
    }
}
