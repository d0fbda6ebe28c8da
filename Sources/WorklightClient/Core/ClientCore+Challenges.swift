import Foundation
import Synchronization

/// Responds to challenges until the server sends the response to a request (wire-protocol 3, 6).
extension ClientCore {
    /// The realms to whose challenges the library responds without a handler.
    enum Realm {
        static let antiXSRF = "wl_antiXSRFRealm"
        static let device = "wl_deviceNoProvisioningRealm"
        static let remoteDisable = "wl_remoteDisableRealm"
    }

    /// The maximum number of times that a request is sent. The original clients have no limit: a server that refuses every response keeps
    /// them busy indefinitely.
    private static let mostRounds = 50
    /// The maximum length of `Authorization`, in bytes. The client sends a longer response in the body of a separate request
    /// (wire-protocol 3.3).
    static let longestAuthorization = 900
    /// The maximum length of all headers, in bytes, with the same effect.
    static let longestHeaders = 3000

    /// Sends a request until the server no longer challenges it.
    ///
    /// - Parameter isOfHandler: whether a challenge handler sends the request. Such a request does not wait for the end of a challenge,
    ///   and its response is not checked for custom challenges.
    /// - Returns: a response with any status.
    /// - Throws: ``WLError`` when the challenge fails, the task is cancelled, or the request cannot be sent.
    func perform(_ request: WireRequest, isOfHandler: Bool = false) async throws(WLError) -> WLAnswer {
        var holdsGate = false
        defer { if holdsGate { gate.open() } }
        var authorization: String?
        for _ in 0..<Self.mostRounds {
            if Task.isCancelled { throw .cancelled }
            if !holdsGate, !isOfHandler { try await gate.pass() }
            let sent = try await transmit(request, authorization: authorization)
            authorization = nil
            let answer = sent.answer
            if answer.isCompositeChallenge, sent.isOwn {
                guard sent.isToAnswer else { continue }
                if !holdsGate, !isOfHandler {
                    try await gate.close()
                    holdsGate = true
                }
                let json = try await answers(to: answer)
                if let json, isTooLong(json, sent) {
                    try await authenticate(json)
                } else {
                    authorization = json
                }
                continue
            }
            try await checkFailure(answer)
            await reportSuccess(answer)
            guard !isOfHandler, let challenger = await challenger(for: answer) else { return answer }
            if !holdsGate {
                try await gate.close()
                holdsGate = true
            }
            // Another request has logged the user in since this one was sent.
            if logins(in: challenger.realm) != sent.logins[challenger.realm] ?? 0 {
                gate.open()
                holdsGate = false
                continue
            }
            switch await challenger.handle(answer) {
            case .answered:
                state.withLock { $0.logins[challenger.realm, default: 0] += 1 }
            case .failed(let given):
                if Task.isCancelled { throw .cancelled }
                throw WLError(
                    WLErrorCodeUnexpectedError,
                    "the handler of \(challenger.realm) has abandoned the challenge (submitFailure)",
                    answer: given ?? answer)
            }
        }
        throw WLError(
            WLErrorCodeUnexpectedError,
            "the server has challenged the same request \(Self.mostRounds) times, and has accepted no response")
    }

    private func logins(in realm: String) -> Int { state.withLock { $0.logins[realm] ?? 0 } }

    private func challenger(for answer: WLAnswer) async -> CustomChallenger? {
        for challenger in state.withLock({ $0.customChallengers }) where await challenger.isChallenge(answer) {
            return challenger
        }
        return nil
    }

    // MARK: The handshake

    /// Collects the responses to all challenges of a 401.
    ///
    /// - Returns: the JSON object for `Authorization`; `nil` when no realm needs a response.
    private func answers(to answer: WLAnswer) async throws(WLError) -> String? {
        guard let challenges = answer.object?["challenges"] as? [String: Any] else {
            throw WLError(
                WLErrorCodeUnexpectedError, "a challenge without its object 'challenges': \(answer.text.prefix(100))",
                answer: answer)
        }
        var answers: [String] = []
        for (realm, value) in challenges.sorted(by: { $0.key < $1.key }) {
            let challenge = SendableJSONObject(values: value as? [String: Any] ?? [:])
            if realm == Realm.antiXSRF {
                guard let id = challenge.values["WL-Instance-Id"] as? String else {
                    throw WLError(WLErrorCodeUnexpectedError, "\(realm): no WL-Instance-Id", answer: answer)
                }
                state.withLock { $0.instanceID = id }
            } else if let json = try await self.answer(realm, challenge, in: answer) {
                answers.append("\(JSONText.text(of: realm) ?? "\"\""):\(json)")
            }
        }
        return answers.isEmpty ? nil : "{\(answers.joined(separator: ","))}"
    }

    private func answer(_ realm: String, _ challenge: SendableJSONObject, in answer: WLAnswer) async throws(WLError)
        -> String?
    {
        if let challenger = state.withLock({ $0.realmChallengers[realm] }) {
            switch await challenger.handle(challenge) {
            case .answered(let json): return json
            case .failed(let given):
                throw WLError(
                    WLErrorCodeUnexpectedError, "the handler of \(realm) has abandoned the challenge (submitFailure)",
                    answer: given ?? answer)
            }
        }
        switch realm {
        case Realm.device: return try deviceAnswer(challenge)
        case Realm.remoteDisable:
            // Without a handler of the application, the client logs the message and acknowledges it.
            let message = challenge.values["message"] as? String ?? ""
            LogStore.shared.write(.warn, package: "wl.remoteDisable", message: message, metadata: nil)
            return JSONText.text(of: challenge.values["messageId"] ?? "")
        default:
            throw WLError(
                WLErrorCodeUnexpectedError,
                "the server asks for the realm \(realm), for which no WLChallengeHandler is registered", answer: answer)
        }
    }

    private func deviceAnswer(_ challenge: SendableJSONObject) throws(WLError) -> String? {
        let device = [
            "id": try folder.deviceID(), "os": DeviceFacts.system, "model": DeviceFacts.model,
            "environment": settings.environment,
        ]
        let application = ["id": settings.applicationID, "version": settings.applicationVersion]
        let answer: [String: Any] = [
            "ID": ["token": challenge.values["token"] ?? "", "app": application, "device": device]
        ]
        return JSONText.text(of: answer)
    }

    private func isTooLong(_ json: String, _ sent: Sent) -> Bool {
        json.utf8.count > Self.longestAuthorization || sent.headerLength + json.utf8.count > Self.longestHeaders
    }

    /// Sends the responses to challenges in a separate request, because they are too long for a header.
    private func authenticate(_ json: String) async throws(WLError) {
        let request = WireRequest(
            target: .action("authenticate"), body: Array(json.utf8),
            headers: [WireField("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")])
        let answer = try await transmit(request, authorization: "wl-authorization-in-body").answer
        try await checkFailure(answer)
        guard answer.status == 200, answer.object?["WL-Authentication-Success"] != nil else {
            throw failure(of: answer, expected: "WL-Authentication-Success")
        }
    }

    // MARK: Ends of challenges

    /// Passes the result of a successful authentication to the handlers of its realms.
    private func reportSuccess(_ answer: WLAnswer) async {
        let challengers = state.withLock { $0.realmChallengers }
        guard !challengers.isEmpty, let success = answer.object?["WL-Authentication-Success"] as? [String: Any] else {
            return
        }
        for (realm, value) in success.sorted(by: { $0.key < $1.key }) {
            await challengers[realm]?.handleSuccess(SendableJSONObject(values: value as? [String: Any] ?? [:]))
        }
    }

    /// Throws an error for a final refusal, a 403 to which the client cannot respond (wire-protocol 3.5). The realm's handler is called
    /// before.
    private func checkFailure(_ answer: WLAnswer) async throws(WLError) {
        guard answer.status == 403, let failure = answer.object?["WL-Authentication-Failure"] as? [String: Any],
            let (realm, value) = failure.sorted(by: { $0.key < $1.key }).first
        else { return }
        let reasons = SendableJSONObject(values: value as? [String: Any] ?? [:])
        await state.withLock({ $0.realmChallengers[realm] })?.handleFailure(reasons)
        if realm == Realm.remoteDisable {
            let message = reasons.values["message"] as? String ?? ""
            let link = (reasons.values["downloadLink"] as? String).map { " (\($0))" } ?? ""
            throw WLError(
                WLErrorCodeApplicationVersionDenied,
                "\(ErrorCodes.message(WLErrorCodeApplicationVersionDenied)) \(message)\(link)", answer: answer)
        }
        let reason = reasons.values["reason"] as? String ?? "no reason given"
        throw WLError(WLErrorCodeUnexpectedError, "\(realm): \(reason)", answer: answer)
    }
}
