import AdapterRuntime
import Authentication
import Hummingbird
import Logging
import PushModel
import Storage

/// Subscribing and unsubscribing (wire-protocol 4.2).
///
/// What went wrong is answered with a status other than 200, since older clients take every 200 for success.
extension WireServer {
    func eventSourcePermit(_ exchange: Exchange) -> CallPermit {
        .passed(securityTest: eventSource(exchange).flatMap(declaration)?.securityTest)
    }

    func changeSubscriptions(_ exchange: Exchange, _ permit: CallPermit) async throws(PermitOutdated) -> Response {
        let fields = exchange.fields
        do {
            guard let subscriber = try subscriber(exchange) else {
                return failure(
                    "notifications are for applications on devices, and this one did not say which", .badRequest)
            }
            if fields.has("updateToken") { return try await offLoop { try updateToken(subscriber) } }
            if fields.has("tag") { return try await offLoop { try changeTag(subscriber) } }
            if subscriber.webPush != nil, fields.has("subscribe"), !fields.has("eventSource") {
                return try await offLoop { try register(subscriber) }
            }
            if fields["transport"]?.uppercased() == "SMS" {
                return try await offLoop { try changeSMS(subscriber, permit) }
            }
            if fields.has("subscribe") { return try await subscribe(subscriber, permit) }
            if fields.has("unsubscribe") { return try await unsubscribe(subscriber) }
            return failure("expected one of updateToken, subscribe, unsubscribe", .badRequest)
        } catch let error as PermitOutdated {
            throw error
        } catch let error as StoreError {
            return storeFailure(error)
        } catch let error as UnknownNameError {
            return failure(told("there is no such \(error.kind)", "\(error)"), .notFound)
        } catch {
            return failure("\(error)", .badRequest)
        }
    }

    private struct Subscriber: Sendable {
        let exchange: Exchange
        let application: ClientApplication
        let deviceID: String
        let platform: Platform?
        /// What a page in a browser brings with every request, in place of a device and its token.
        var webPush: WebPushSubscription?
    }

    /// - Returns: nil when the request names no device.
    /// - Throws: `DeviceTokenError`, ``RequestProblem``.
    private func subscriber(_ exchange: Exchange) throws -> Subscriber? {
        guard let application = exchange.application else { return nil }
        if let text = exchange.fields[WebPushResource.subscriptionField] {
            guard !application.environment.isDevice else {
                throw RequestProblem("Web Push is for pages in browsers, not for \(application.environment)")
            }
            let webPush = try WebPushSubscription(text)
            return Subscriber(
                exchange: exchange, application: application, deviceID: webPush.deviceID, platform: .web,
                webPush: webPush)
        }
        return exchange.session.device.map { device in
            Subscriber(
                exchange: exchange, application: application, deviceID: device.id,
                platform: application.environment.platform)
        }
    }

    private func failure(_ message: String, _ status: HTTPResponse.Status) -> Response {
        WireAnswer.failure(status == .notFound ? .notFound : .unexpected, message, status: status)
    }

    private func eventSource(_ exchange: Exchange) -> EventSourceID? {
        guard let adapter = exchange.fields["adapter"], let name = exchange.fields["eventSource"], !adapter.isEmpty,
            !name.isEmpty
        else { return nil }
        return EventSourceID(adapter: adapter, name: name)
    }

    private func declaration(_ source: EventSourceID) -> EventSourceDeclaration? {
        installation.runtime.eventSource(source)
    }

    /// Who subscribes: the user of the test that guards what it is about; who is logged in nowhere is known by their cookie.
    private func user(_ subscriber: Subscriber, test: String?) -> String {
        userID(subscriber.exchange, test: test) ?? subscriber.exchange.session.persistentID
    }

    // MARK: Token

    /// Registers the device. All its subscriptions go to the new token.
    private func updateToken(_ subscriber: Subscriber) throws -> Response {
        let platform = try platform(of: subscriber)
        let text = subscriber.exchange.fields["updateToken"] ?? ""
        let token: DeviceToken
        do {
            token = try DeviceToken(text, platform: platform)
        } catch {
            // Simulators make theirs up. Nothing can reach them, but their developers shall see what would be sent.
            guard installation.settings.mode == .development, (1...2048).contains(text.utf8.count),
                text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw error }
            security.once("token \(subscriber.deviceID)") {
                logger.warning("device \(subscriber.deviceID): \(error); in production mode it is refused")
            }
            token = DeviceToken(stored: text)
        }
        try installation.store.register(
            DeviceRegistration(
                applicationID: subscriber.application.id, deviceID: subscriber.deviceID,
                userID: user(subscriber, test: nil), platform: platform, token: token))
        return WireAnswer.success
    }

    private func platform(of subscriber: Subscriber) throws -> Platform {
        guard let platform = subscriber.platform else {
            throw RequestProblem("no push service reaches clients for \(subscriber.application.environment)")
        }
        return platform
    }

    /// Registers a page for what `sendMessage` sends to everybody.
    private func register(_ subscriber: Subscriber) throws -> Response {
        try installation.store.register(try registration(subscriber))
        return WireAnswer.success
    }

    private func registration(_ subscriber: Subscriber) throws -> DeviceRegistration {
        if let webPush = subscriber.webPush {
            return DeviceRegistration(
                applicationID: subscriber.application.id, deviceID: subscriber.deviceID,
                userID: user(subscriber, test: nil), platform: .web, token: DeviceToken(stored: webPush.text))
        }
        guard
            let registration = try installation.store.registration(
                applicationID: subscriber.application.id, deviceID: subscriber.deviceID)
        else { throw RequestProblem("the device has sent no token yet: updateToken comes first") }
        return registration
    }

    // MARK: Event sources

    private func subscribe(_ subscriber: Subscriber, _ permit: CallPermit) async throws -> Response {
        let fields = subscriber.exchange.fields
        guard let source = eventSource(subscriber.exchange) else {
            throw RequestProblem("expected the parameters 'adapter' and 'eventSource'")
        }
        guard let declared = declaration(source) else { throw installation.runtime.unknown(source) }
        let registration = try registration(subscriber)
        let reply = try await installation.runtime.subscribe(
            DeviceSubscription(
                eventSource: source, userID: user(subscriber, test: declared.securityTest),
                deviceID: subscriber.deviceID, applicationID: subscriber.application.id,
                alias: fields["alias"].flatMap { $0.isEmpty ? nil : $0 } ?? source.name,
                platform: registration.platform, token: registration.token, options: options(subscriber)),
            permit: permit)
        switch reply {
        case .subscribed(_, let more):
            var answer: JSONObject = ["isSuccessful": true]
            for member in more.members { answer[member.key] = member.value }
            return WireAnswer.wrapped(answer)
        case .refused(let more, let errors):
            let reason = errors.first ?? "the adapter refused the subscription (onUserChange)"
            var answer = more
            answer["isSuccessful"] = false
            answer["errorCode"] = .string(WireAnswer.ErrorCode.unexpected.rawValue)
            answer["errorMsg"] = .string(reason)
            answer["errors"] = more["errors"] ?? [.string(reason)]
            return WireAnswer.wrapped(answer, status: .internalServerError)
        }
    }

    /// What the application gave to `subscribe`. The native SDK of 5.0.6 puts it together without escaping anything, so that
    /// not every text is JSON; the subscription is worth more than its options.
    private func options(_ subscriber: Subscriber) -> JSONValue {
        guard let text = subscriber.exchange.fields["subscribe"], !text.isEmpty else { return [:] }
        guard text.utf8.count <= 16_384, var options = (try? JSONValue(parsing: text))?.object else {
            logger.warning(
                "device \(subscriber.deviceID): the options of a subscription are no JSON object, and are left out")
            return [:]
        }
        // What 7.1 mixes in of its own.
        for key in ["requestHeaders", "timeout", "onSuccess", "onFailure", "invocationContext"] { options[key] = nil }
        return .object(options)
    }

    /// Ends the session's own subscription; nobody can name another user or another device.
    private func unsubscribe(_ subscriber: Subscriber) async throws -> Response {
        guard let source = eventSource(subscriber.exchange) else {
            throw RequestProblem("expected the parameters 'adapter' and 'eventSource'")
        }
        let declared = declaration(source)
        let wasThere = try await installation.runtime.unsubscribe(
            eventSource: source, userID: user(subscriber, test: declared?.securityTest), deviceID: subscriber.deviceID,
            applicationID: subscriber.application.id)
        if !wasThere {
            logger.debug("device \(subscriber.deviceID) was not subscribed to \(source)")
        }
        return WireAnswer.success
    }

    // MARK: Tags

    private func changeTag(_ subscriber: Subscriber) throws -> Response {
        let fields = subscriber.exchange.fields
        let tags = security.policy.tags(of: subscriber.application)
        let tag = try tags.checked(fields["tag"] ?? "")
        let registration = try registration(subscriber)
        if subscriber.webPush != nil, !fields.has("unsubscribe") { try installation.store.register(registration) }
        let (application, device) = (subscriber.application.id, subscriber.deviceID)
        if fields.has("unsubscribe") {
            _ = try installation.store.unsubscribe(fromTag: tag, applicationID: application, deviceID: device)
        } else {
            _ = try installation.store.subscribe(toTag: tag, applicationID: application, deviceID: device)
        }
        return WireAnswer.success
    }

    // MARK: SMS

    private func changeSMS(_ subscriber: Subscriber, _ permit: CallPermit) throws -> Response {
        let fields = subscriber.exchange.fields
        guard let source = eventSource(subscriber.exchange) else {
            throw RequestProblem("expected the parameters 'adapter' and 'eventSource'")
        }
        guard let declared = declaration(source) else { throw installation.runtime.unknown(source) }
        guard permit == .passed(securityTest: declared.securityTest) else { throw PermitOutdated() }
        let number = try PhoneNumber(fields["phoneNumber"] ?? "")
        let user = user(subscriber, test: declared.securityTest)
        if fields.has("unsubscribe") {
            try unsubscribeSMS(from: source, number: number, user: user)
        } else {
            try subscribeSMS(
                to: source, number: number, user: user, alias: fields["alias"], application: subscriber.application)
        }
        return WireAnswer.success
    }
}

/// What is wrong with a request, for whoever made it.
struct RequestProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
