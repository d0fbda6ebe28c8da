import AdapterRuntime
import Authentication
import Core
import HTTPServer
import HTTPTypes
import Installation
import Logging
import PushModel
import Storage

/// Subscribing and unsubscribing (wire-protocol 4.2).
///
/// An error has a status other than 200, since older clients take every 200 for success.
extension ClientProtocolHandler {
    func eventSourcePermit(_ exchange: ClientRequestContext) -> CallPermit {
        .passed(securityTest: eventSource(exchange).flatMap(declaration)?.securityTest)
    }

    func changeSubscriptions(_ exchange: ClientRequestContext, _ permit: CallPermit) async throws(StalePermitError)
        -> Response
    {
        let fields = exchange.fields
        do {
            guard let subscriber = try subscriber(exchange) else {
                return failure(
                    "notifications are for applications on devices, and this one did not say which", .badRequest)
            }
            if fields.has("updateToken") { return try await updateToken(subscriber) }
            if fields.has("tag") { return try await changeTag(subscriber) }
            if subscriber.webPush != nil, fields.has("subscribe"), !fields.has("eventSource") {
                return try await registerPage(subscriber)
            }
            if fields["transport"]?.uppercased() == "SMS" {
                return try await runBlocking { try changeSMS(subscriber, permit) }
            }
            if fields.has("subscribe") { return try await subscribe(subscriber, permit) }
            if fields.has("unsubscribe") { return try await unsubscribe(subscriber) }
            return failure("expected one of updateToken, subscribe, unsubscribe", .badRequest)
        } catch let error as StalePermitError {
            throw error
        } catch let error as StoreError {
            return storeFailure(error)
        } catch is GuestQuotaError {
            return quotaFailure
        } catch let error as UnknownNameError {
            return failure(told("there is no such \(error.kind)", "\(error)"), .notFound)
        } catch let error as TagError {
            return failure(told("there is no such tag", "\(error)"), .badRequest)
        } catch {
            return failure("\(error)", .badRequest)
        }
    }

    func failure(_ message: String, _ status: HTTPResponse.Status) -> Response {
        ClientProtocolResponse.failure(status == .notFound ? .notFound : .unexpected, message, status: status)
    }

    private func eventSource(_ exchange: ClientRequestContext) -> EventSourceID? {
        guard let adapter = exchange.fields["adapter"], let name = exchange.fields["eventSource"], !adapter.isEmpty,
            !name.isEmpty
        else { return nil }
        return EventSourceID(adapter: adapter, name: name)
    }

    func declaration(_ source: EventSourceID) -> EventSourceDeclaration? {
        installation.runtime.eventSource(source)
    }

    // MARK: Event sources

    private func subscribe(_ subscriber: Subscriber, _ permit: CallPermit) async throws -> Response {
        let fields = subscriber.exchange.fields
        guard let source = eventSource(subscriber.exchange) else {
            throw ClientRequestError("expected the parameters 'adapter' and 'eventSource'")
        }
        guard let declared = declaration(source) else { throw installation.runtime.unknown(source) }
        try await runBlocking { try guests.check(subscriber.exchange) }
        let registration = try await registration(subscriber)
        if subscriber.webPush == nil, !subscriber.claim.users.isEmpty {
            try await runBlocking { [store = installation.store] in
                try store.noteCheckedUser(
                    applicationID: registration.applicationID, deviceID: registration.deviceID)
            }
        }
        // The adapter is asked about this one with the new subscription.
        try await endSubscriptionsOfOthers(on: registration, subscriber, except: source)
        let user = user(subscriber.exchange, test: declared.securityTest)
        let subscription = DeviceSubscription(
            eventSource: source, userID: user.id, userRealm: user.realm,
            deviceID: registration.deviceID, applicationID: subscriber.application.id,
            alias: fields["alias"].flatMap { $0.isEmpty ? nil : $0 } ?? source.name,
            platform: registration.platform, token: registration.token, options: options(subscriber))
        let reply: SubscribeReply
        do {
            reply = try await installation.runtime.subscribe(subscription, permit: permit)
        } catch {
            // The subscription may be stored, and then counts.
            do {
                try await runBlocking { try guests.note([.subscription(subscription)], subscriber.exchange) }
            } catch let failure {
                logger.error("the storage of a client without a user was not counted: \(failure)")
            }
            throw error
        }
        switch reply {
        case .subscribed(_, let more):
            try await runBlocking { try guests.note([.subscription(subscription)], subscriber.exchange) }
            var answer: JSONObject = ["isSuccessful": true]
            for member in more.members { answer[member.key] = member.value }
            return ClientProtocolResponse.wrapped(answer)
        case .refused(let more, let errors):
            let reason = errors.first ?? "the adapter refused the subscription (onUserChange)"
            var answer = more
            answer["isSuccessful"] = false
            answer["errorCode"] = .string(ClientProtocolResponse.ErrorCode.unexpected.rawValue)
            answer["errorMsg"] = .string(reason)
            answer["errors"] = more["errors"] ?? [.string(reason)]
            return ClientProtocolResponse.wrapped(answer, status: .internalServerError)
        }
    }

    /// Returns the options that the application passed to `subscribe`. The native SDK of 5.0.6 writes them without escaping, so that not every value
    /// is JSON; invalid options are ignored rather than refusing the subscription.
    private func options(_ subscriber: Subscriber) -> JSONValue {
        guard let text = subscriber.exchange.fields["subscribe"], !text.isEmpty else { return [:] }
        guard text.utf8.count <= 16_384, var options = (try? JSONValue(parsing: text))?.object else {
            security.log.log(
                "subscription options", at: .warning,
                metadata: ["address": "\(subscriber.exchange.call.address)"],
                "device \(subscriber.claim.deviceID): the options of a subscription are not a JSON object and are left out"
            )
            return [:]
        }
        // Members that clients of 7.1 add themselves.
        for key in ["requestHeaders", "timeout", "onSuccess", "onFailure", "invocationContext"] { options[key] = nil }
        return .object(options)
    }

    /// Ends the client's own subscription; a client cannot name another user or device. If the user has none, this ends the
    /// subscription that the client made before the login.
    private func unsubscribe(_ subscriber: Subscriber) async throws -> Response {
        guard let source = eventSource(subscriber.exchange) else {
            throw ClientRequestError("expected the parameters 'adapter' and 'eventSource'")
        }
        let declared = declaration(source)
        guard let device = try await device(of: subscriber) else { return ClientProtocolResponse.success }
        for user in [user(subscriber.exchange, test: declared?.securityTest).id, subscriber.claim.clientID] {
            let wasThere = try await installation.runtime.unsubscribe(
                eventSource: source, userID: user, deviceID: device, applicationID: subscriber.application.id)
            if wasThere { return ClientProtocolResponse.success }
        }
        logger.debug("device \(device) was not subscribed to \(source)")
        return ClientProtocolResponse.success
    }

    // MARK: Tags

    private func changeTag(_ subscriber: Subscriber) async throws -> Response {
        let fields = subscriber.exchange.fields
        let tags = security.policy.tags(of: subscriber.application)
        let tag = try tags.checked(fields["tag"] ?? "")
        let isWanted = !fields.has("unsubscribe")
        let registration = try await registration(subscriber)
        return try await runBlocking { [store = installation.store] in
            if subscriber.webPush != nil, isWanted { try register(registration, subscriber) }
            let (application, device) = (subscriber.application.id, registration.deviceID)
            if isWanted {
                _ = try store.subscribe(toTag: tag, applicationID: application, deviceID: device)
            } else {
                _ = try store.unsubscribe(fromTag: tag, applicationID: application, deviceID: device)
            }
            return ClientProtocolResponse.success
        }
    }

    // MARK: SMS

    private func changeSMS(_ subscriber: Subscriber, _ permit: CallPermit) throws -> Response {
        let fields = subscriber.exchange.fields
        guard let source = eventSource(subscriber.exchange) else {
            throw ClientRequestError("expected the parameters 'adapter' and 'eventSource'")
        }
        guard let declared = declaration(source) else { throw installation.runtime.unknown(source) }
        guard permit == .passed(securityTest: declared.securityTest) else { throw StalePermitError() }
        let user = user(subscriber.exchange, test: declared.securityTest)
        let users = users(subscriber.exchange, test: declared.securityTest)
        let given = fields["phoneNumber"].flatMap { $0.isEmpty ? nil : $0 }
        if fields.has("unsubscribe") {
            if let given {
                try unsubscribeSMS(from: source, number: try PhoneNumber(given), users: users)
            } else {
                try unsubscribeSMS(
                    from: source, alias: fields["alias"], users: users, application: subscriber.application)
            }
        } else {
            let number = try PhoneNumber(given ?? "")
            try guests.check(subscriber.exchange)
            try subscribeSMS(
                to: source, number: number, user: user, alias: fields["alias"], application: subscriber.application)
            try guests.note([.sms(eventSource: source, number: number, user: user.id)], subscriber.exchange)
        }
        return ClientProtocolResponse.success
    }
}

/// The reason why a request is refused, for the client.
struct ClientRequestError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
