import Core
import Foundation
import Push
import PushModel

extension CredentialStatus {
    /// The service, with the application if the application has a separate credential.
    var name: String { service.rawValue + (applicationID.map { " for \($0)" } ?? "") }

    /// The name of the finding that the service refuses notifications; that of an expiry is ``name``.
    var refusalName: String { "\(name): answers" }

    /// Returns the findings of all credentials. A file that several applications use has one finding.
    ///
    /// - Parameter down: the names of the findings of severity error so far.
    static func findings(of all: [CredentialStatus], at now: Date, down: Set<String?>) -> [HealthFinding] {
        var seen: Set<[String?]> = []
        return all.flatMap { status in
            let found = status.findings(at: now, wasDown: down.contains(status.refusalName))
            let isFirst = seen.insert(
                [status.service.rawValue, status.credential, status.problem, status.expires?.spelling]
            ).inserted
            return isFirst ? found : found.filter { $0.name != status.name }
        }
    }

    /// Returns what is wrong with the credential.
    ///
    /// - Parameter wasDown: whether the service could not be used before, also before the server's start. It stays so while attempts fail.
    func findings(at now: Date, wasDown: Bool = false) -> [HealthFinding] {
        [expiryFinding(at: now), refusalFinding(wasDown: wasDown)].compactMap(\.self)
    }

    private func expiryFinding(at now: Date) -> HealthFinding? {
        if let problem {
            return HealthFinding(
                severity: .error, check: .credentials, name: name,
                text: "the credential of \(name) cannot be loaded, and its notifications wait: \(problem)",
                remedy: "correct the file or the setting, and reload the credentials")
        }
        guard let expires, expires.timeIntervalSince(now) < Installation.expiryNotice else { return nil }
        let isOver = expires <= now
        return HealthFinding(
            severity: isOver ? .error : .warning, check: .credentials, name: name,
            text: "the credential of \(name) \(isOver ? "has expired" : "expires") on \(expires.spelling.prefix(10))",
            remedy: "put a new certificate into the file, and reload the credentials", since: isOver ? expires : nil)
    }

    private func refusalFinding(wasDown: Bool) -> HealthFinding? {
        // A page names its push service, so a response of that service says nothing about the key.
        guard problem == nil, service != .webPush, let refusal = answers.lastRefusal,
            answers.lastSuccess.map({ $0 < refusal.date }) ?? true
        else { return nil }
        let isDown = answers.failuresInARow >= (wasDown ? 1 : Installation.mostFailures)
        return HealthFinding(
            severity: isDown ? .error : .warning, check: .credentials, name: refusalName,
            text: isDown
                ? "no notification can be sent by \(name): \(refusal.reason)"
                : "\(name) did not accept the last notification: \(refusal.reason)",
            remedy: isDown ? "check the credential, and whether the service can be reached" : "see the delivery",
            since: answers.refusedSince)
    }
}
