import Core

/// A line of `lamplighter doctor`.
struct Diagnosis {
    enum State: String {
        case ok
        /// Something will stop working, or is not as it should be.
        case warning
        /// Something does not work, or secrets are open to others.
        case error
    }

    let state: State
    /// The part that was checked, such as `store`.
    let subject: String
    /// The fact, without a secret.
    let text: String
    /// `nil` if nothing needs to be done.
    let remedy: String?

    static func ok(_ subject: String, _ text: String) -> Diagnosis {
        Diagnosis(state: .ok, subject: subject, text: text, remedy: nil)
    }

    static func warning(_ subject: String, _ text: String, _ remedy: String) -> Diagnosis {
        Diagnosis(state: .warning, subject: subject, text: text, remedy: remedy)
    }

    static func error(_ subject: String, _ text: String, _ remedy: String?) -> Diagnosis {
        Diagnosis(state: .error, subject: subject, text: text, remedy: remedy)
    }

    /// The line behind the state.
    var line: String { "\(subject): \(text)" + (remedy.map { "; \($0)" } ?? "") }

    var json: JSONValue {
        var object: JSONObject = [
            "state": .string(state.rawValue), "subject": .string(subject), "text": .string(text),
        ]
        object["remedy"] = remedy.map(JSONValue.string)
        return .object(object)
    }
}
