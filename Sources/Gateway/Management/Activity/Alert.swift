import Foundation
import PollScheduler
import PushModel
import WorklightProject

/// Something that an operator should look at.
struct Alert: Sendable {
    enum Severity: String, Sendable, CaseIterable { case error, warning }

    /// The resource of the management API that has more.
    enum Subject: String, Sendable, CaseIterable { case adapters, credentials, deliveries }

    let severity: Severity
    let subject: Subject
    /// The adapter or service; `nil` for all.
    var name: String?
    let text: String
    /// Since when; `nil` where that is not known.
    var since: Date?

    var json: JSONValue {
        var object: JSONObject = ["severity": .string(severity.rawValue), "subject": .string(subject.rawValue)]
        object["name"] = name.map(JSONValue.string)
        object["text"] = .string(text)
        object["since"] = (since?.spelling).map(JSONValue.string)
        return .object(object)
    }

    static let schema = JSONSchema.object([
        .required("severity", .choice(Severity.allCases.map(\.rawValue))),
        .required("subject", .choice(Subject.allCases.map(\.rawValue))), .optional("name", .anyText),
        .required("text", .anyText), .optional("since", .time),
    ])
}

extension Installation {
    /// A delivery that has been due for longer waits for something that does not work.
    private static let longestWait = TimeInterval(60)

    /// Everything that does not work, worst first.
    ///
    /// - Throws: `StoreError`.
    func alerts(_ failing: [PollStatus]) async throws -> [Alert] {
        let now = time.now
        var alerts = problems.filter { $0.severity == .error }.map { problem in
            Alert(severity: .error, subject: .adapters, text: "project: \(problem)")
        }
        alerts += failing.map { poll in
            let runs = "\(poll.consecutiveFailures) run\(poll.consecutiveFailures == 1 ? "" : "s")"
            let reason = poll.failure.map { ": \($0.split(separator: "\n").first ?? "")" } ?? ""
            return Alert(
                severity: .error, subject: .adapters, name: poll.eventSource.adapter,
                text: "the poll of \(poll.eventSource) has failed for \(runs)\(reason)", since: poll.failingSince)
        }
        if let due = try await offLoop({ [store] in try store.oldestDue() }),
            now.timeIntervalSince(due) > Self.longestWait
        {
            alerts.append(
                Alert(severity: .error, subject: .deliveries, text: "deliveries are due and not sent", since: due))
        }
        alerts += credentials.status.compactMap { Alert(of: $0, at: now) }
        return alerts.filter { $0.severity == .error } + alerts.filter { $0.severity != .error }
    }
}

extension Alert {
    /// Operators need time to get a new certificate.
    private static let expiryNotice = TimeInterval(30 * 24 * 3600)
    /// After so many failed attempts in a row, nothing can be sent.
    private static let mostFailures = 3

    /// Returns what is wrong with a credential; `nil` when it works.
    init?(of credential: CredentialStatus, at now: Date) {
        let name = credential.service + (credential.applicationID.map { " for \($0)" } ?? "")
        let answers = credential.answers
        if let expires = credential.expires, expires.timeIntervalSince(now) < Self.expiryNotice {
            let isOver = expires <= now
            self.init(
                severity: isOver ? .error : .warning, subject: .credentials, name: credential.service,
                text:
                    "the credential of \(name) \(isOver ? "has expired" : "expires on \(expires.spelling.prefix(10))")",
                since: isOver ? expires : nil)
        } else if let refusal = answers.lastRefusal, answers.lastSuccess.map({ $0 < refusal.date }) ?? true {
            let isDown = answers.failuresInARow >= Self.mostFailures
            self.init(
                severity: isDown ? .error : .warning, subject: .credentials, name: credential.service,
                text: isDown
                    ? "no notification can be sent by \(name): \(refusal.reason)"
                    : "\(name) did not take the last notification: \(refusal.reason)",
                since: answers.refusedSince)
        } else {
            return nil
        }
    }
}
