import Credentials

/// A call that was counted as a failed login. Only the last step of a login shows whether it was one.
struct LoginStep: Sendable, Hashable {
    /// The possible names of the user, in this call or in the session's earlier steps.
    let subjects: LoginSubjects
    /// The realm of the brute-force guard under which it was counted.
    let realm: String
    let address: String
    let certainty: LoginCertainty
    /// Whether the answer said of nothing that it was wrong.
    var mayBePassed = false
}

/// The last failed login step of each procedure that a session has called.
struct FailedLoginSteps: Sendable {
    /// The most procedures that are remembered.
    private static let most = 10

    private var steps: [String: LoginStep] = [:]

    mutating func note(_ step: LoginStep, of procedure: String) {
        guard steps[procedure] != nil || steps.count < Self.most else { return }
        steps[procedure] = step
    }

    /// How many failures of an address were steps of this login.
    func failures(at address: String) -> Int {
        steps.values.count { $0.address == address && $0.certainty == .certain }
    }

    /// Whether another procedure than this one had a step that may be passed.
    func hasPassed(besides procedure: String) -> Bool { steps.contains { $0.key != procedure && $0.value.mayBePassed } }

    /// The names in all steps.
    var subjects: LoginSubjects {
        steps.values.reduce(into: LoginSubjects()) { subjects, step in
            subjects.users.formUnion(step.subjects.users)
            subjects.texts.formUnion(step.subjects.texts)
        }
    }

    /// Returns the steps, and forgets them.
    mutating func take() -> [LoginStep] {
        defer { steps = [:] }
        return Array(steps.values)
    }
}
