import Core
import JavaScriptEngine
import Logging
import PushModel

/// `WL.Server.subscribeSMS`, `getSMSSubscription` and `unsubscribeSMS` (server-api 2.9).
///
/// They need no login: without a user id, the number is the user.
extension AdapterScope {
    static func declareSMS(in table: inout BindingTable.Declarations) {
        table.add("subscribeSMS") { scope, call in
            let (source, number) = try scope.smsKey(call, for: "subscribeSMS")
            guard let gateway = call[2].string, !gateway.isEmpty else {
                throw HostError(
                    "subscribeSMS: expected the id of a gateway of SMSConfig.xml third, got \(call[2].kind)")
            }
            let subscription = SMSSubscription(eventSource: source, phoneNumber: number, gatewayID: gateway)
            // The script that subscribes a number knows that it did, so no callback runs; one does for requests of clients.
            try scope.adapter.services.smsSubscriptions.subscribe(subscription)
            return try scope.makeSMSSubscription(subscription)
        }
        table.add("getSMSSubscription") { scope, call in
            // A user without a number has no subscription.
            let source = try scope.smsSource(call, for: "getSMSSubscription")
            guard !call[1].isNullOrUndefined, let number = try? PhoneNumber(try call[1].text()) else {
                return call.context.null
            }
            let found = try scope.adapter.services.smsSubscriptions.smsSubscription(
                eventSource: source, phoneNumber: number)
            return try found.map(scope.makeSMSSubscription) ?? call.context.null
        }
        table.add("unsubscribeSMS") { scope, call in
            let (source, number) = try scope.smsKey(call, for: "unsubscribeSMS")
            let wasSubscribed = try scope.adapter.services.smsSubscriptions.unsubscribe(
                eventSource: source, phoneNumber: number)
            if !wasSubscribed {
                scope.logger.info(
                    "\(scope.atCall("unsubscribeSMS: \(number.dialled) is not subscribed to \(source)"))")
            }
            return call.context.undefined
        }
    }

    /// Returns the script's object for a number: a device subscription whose token is the number.
    func makeSMSSubscription(_ subscription: SMSSubscription) throws -> ScriptValue {
        let object = context.makeObject(hostData: DeviceSubscriptionHandle(.sms(subscription)))
        let members = [
            ("alias", subscription.alias), ("device", subscription.phoneNumber.dialled),
            ("token", subscription.phoneNumber.dialled), ("applicationId", subscription.applicationID),
            ("platform", SMSSubscription.platformName), ("phoneNumber", subscription.phoneNumber.dialled),
            ("gatewayId", subscription.gatewayID),
        ]
        for (key, value) in members { try object.set(key, value.map { context.make($0) } ?? context.null, .readOnly) }
        try object.set("options", context.makeObject(), .readOnly)
        return object
    }

    private func smsSource(_ call: HostCall, for function: String) throws -> EventSourceID {
        guard let text = call[0].string, let source = EventSourceID(text, in: name) else {
            throw HostError("\(function): expected 'Adapter.EventSource' first, got \(call[0].kind)")
        }
        return source
    }

    private func smsKey(_ call: HostCall, for function: String) throws -> (EventSourceID, PhoneNumber) {
        let source = try smsSource(call, for: function)
        guard !call[1].isNullOrUndefined else {
            throw HostError("\(function): expected a phone number second, got \(call[1].kind)")
        }
        do {
            return (source, try PhoneNumber(try call[1].text()))
        } catch let error as PhoneNumberError {
            throw HostError("\(function): \(error)")
        }
    }
}
