import Authentication
import Core
import HTTPServer
import HTTPTypes
import Installation
import NIOCore
import PushModel
import Tokens

/// The challenges by which a client shows that it may ask at all (wire-protocol 3).
struct Handshake: Sendable {
    /// The largest number of consecutive wrong responses from a client. Clients have no limit themselves.
    static let mostWrongAnswers = 10
    /// The header value that announces the responses in the body of an `authenticate` request.
    static let inBody = "wl-authorization-in-body"
    /// The largest size of responses in a body, in bytes; clients send a few hundred, and some thousand with a certificate request.
    private static let longestAnswers = 65_536

    let rules: ApplicationRules
    let blocks: DeviceBlocks
    let log: LogLimiter

    /// Checks the proofs in a request, and takes its responses to challenges.
    ///
    /// - Parameter needsDevice: whether the device must have sent its identity.
    /// - Returns: the challenge or refusal to send instead of a response; `nil` when the client may proceed.
    func refusal(of exchange: ClientRequestContext, needsDevice: Bool) -> Response? {
        do {
            return try challenge(exchange, needsDevice: needsDevice)
        } catch {
            return Self.failure(error)
        }
    }

    /// Returns the response to a client of an unknown application, while some applications are blocked; `nil` when none is.
    func blockOfUnknown(_ application: ClientApplication?) -> Response? {
        guard application == nil, rules.disablesAny || !blocks.isEmpty else { return nil }
        return ClientProtocolResponse.failure(
            .unexpected,
            "the session has no application: some versions or devices are refused here, so connect first (init)",
            status: .forbidden)
    }

    /// Returns the response to a version of an application that the operator has disabled; `nil` for others.
    func block(_ application: ClientApplication) -> Response? {
        guard let rule = rules[application], rule.access == .disabled else { return nil }
        return Self.failure(
            realm: BuiltInRealm.remoteDisable.rawValue,
            [
                "message": .string(rule.message ?? ""),
                // Always there: the native SDK of 5.0.6 fails without it (wire-protocol 3.5).
                "downloadLink": rule.downloadLink.map { .string($0) } ?? .null,
            ])
    }

    /// Returns the response to a device that an operator has blocked; `nil` for others. It is the one to disabled versions, which every client shows
    /// its user.
    func block(_ session: ServerSession, of applicationID: String?) -> Response? {
        block(deviceID: session.device?.id, of: applicationID)
    }

    func block(deviceID: String?, of applicationID: String?) -> Response? {
        guard blocks.date(applicationID: applicationID, deviceID: deviceID) != nil else { return nil }
        return Self.failure(
            realm: BuiltInRealm.remoteDisable.rawValue,
            ["message": .string(DeviceBlocks.message), "downloadLink": .null])
    }

    /// Returns the response to a client of the OAuth layer that registered with a blocked device; `nil` for others.
    func block(_ client: RegisteredClient?) -> Response? {
        guard let description = client?.description else { return nil }
        return block(deviceID: description.deviceId, of: description.applicationId)
    }

    private func challenge(_ exchange: ClientRequestContext, needsDevice: Bool) throws(ChallengeError) -> Response? {
        let session = exchange.session
        let rule = exchange.application.flatMap { rules[$0] }
        if let block = exchange.application.flatMap(block) { return block }
        let isRightAnswer = try takeAnswers(of: exchange)
        if let block = block(session, of: exchange.application?.id) { return block }

        var challenges = JSONObject()
        let given = exchange.head.headerFields.value(of: .instanceID)
        if !session.proves(instanceID: given) {
            challenges[BuiltInRealm.antiXSRF.rawValue] = ["WL-Instance-Id": .string(session.instanceID)]
        }
        if needsDevice, session.device == nil {
            challenges[BuiltInRealm.deviceNoProvisioning.rawValue] = ["token": .string(session.deviceToken)]
        }
        if let rule, rule.access == .notify, !session.hasAcknowledged(message: rule.messageID) {
            challenges[BuiltInRealm.remoteDisable.rawValue] = [
                "message": .string(rule.message ?? ""), "messageId": .string(rule.messageID), "messageType": "NOTIFY",
            ]
        }
        guard !challenges.isEmpty else {
            session.forgetWrongAnswers()
            return nil
        }
        // A request without a response to the challenge is not a wrong response.
        if given != nil || !isRightAnswer, session.countWrongAnswer() > Self.mostWrongAnswers {
            log.reached(
                "consecutive wrong challenge responses", by: exchange.call.address, "refused a request with 403")
            throw isRightAnswer
                ? ChallengeError(realm: .antiXSRF, reason: "too many wrong challenge responses")
                : ChallengeError(realm: .deviceNoProvisioning, reason: "bad token")
        }
        return Self.challenge(challenges)
    }

    /// Reads the responses from a header that begins as no other scheme does, or from the body.
    ///
    /// - Returns: true if all of them are for this session's challenge. Clients send others without an error of theirs: when two of their requests
    ///   find that the session has expired, each begins a new one, and the response to the first challenge comes with the cookie of the second. After
    ///   another challenge they respond correctly.
    private func takeAnswers(of exchange: ClientRequestContext) throws(ChallengeError) -> Bool {
        guard let header = exchange.head.headerFields.value(of: .authorization) else { return true }
        let text: String
        if header == Self.inBody {
            guard exchange.body.readableBytes <= Self.longestAnswers else {
                log.reached(
                    "length of the challenge responses", by: exchange.call.address, "refused a request with 403")
                throw ChallengeError(
                    realm: .deviceNoProvisioning,
                    reason: "the challenge response is longer than \(Self.longestAnswers) bytes")
            }
            text = String(buffer: exchange.body)
        } else if header.utf8.first == UInt8(ascii: "{") {
            text = header
        } else {
            return true
        }
        guard let answers = (try? JSONValue(parsing: text))?.object else {
            throw ChallengeError(realm: .deviceNoProvisioning, reason: "the challenge response is not a JSON object")
        }
        var isRight = true
        for realm in [BuiltInRealm.deviceNoProvisioning, .deviceAutoProvisioning] {
            guard let answer = try answers[realm.rawValue].map(DeviceAnswer.init) else { continue }
            if answer.token.isSame(as: exchange.session.deviceToken) {
                try exchange.session.accept(answer)
            } else {
                isRight = false
            }
        }
        if let answer = answers[BuiltInRealm.remoteDisable.rawValue] {
            // Hybrid clients read the id as JSON, so that one of digits comes back as a number.
            exchange.session.acknowledge(message: answer.string ?? answer.text)
        }
        return isRight
    }

    /// 401 in the one form that all clients understand.
    static func challenge(_ challenges: JSONObject) -> Response {
        var response = ClientProtocolResponse.wrapped(["challenges": .object(challenges)], status: .unauthorized)
        response.headers[.wwwAuthenticate] = "WL-Composite-Challenge"
        return response
    }

    static func failure(_ failure: ChallengeError) -> Response {
        Self.failure(realm: failure.realm.rawValue, ["reason": .string(failure.reason)])
    }

    /// Returns 403, for a refusal that no response to a challenge would change.
    ///
    /// - Parameter object: with the `reason` or the `message` for users.
    static func failure(realm: String, _ object: JSONValue) -> Response {
        let message = (object["reason"] ?? object["message"])?.string ?? ""
        var body: JSONObject = ["WL-Authentication-Failure": [realm: object]]
        for member in ClientProtocolResponse.failureBody(.unexpected, message).members {
            body[member.key] = member.value
        }
        return ClientProtocolResponse.wrapped(body, status: .forbidden)
    }
}
