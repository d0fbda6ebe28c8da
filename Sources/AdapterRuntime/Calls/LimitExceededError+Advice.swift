import JavaScriptEngine

/// The file or code that sets the limits of calls, for the advice in a limit's error.
public enum LimitOrigin: Sendable, Hashable {
    /// In `lamplighter.yaml` and the adapters' XML.
    case project
    /// In the options of a test's harness.
    case harness
}

extension LimitExceededError {
    /// Returns the description, what to do when the limit is too tight, and where the script was.
    func advised(_ origin: LimitOrigin) -> String {
        description + advice(origin) + (stack.map { "\n" + $0.indented } ?? "")
    }

    private func advice(_ origin: LimitOrigin) -> String {
        guard let setting = setting(origin) else { return "" }
        return "; raise \(setting) if it needs \(limit == .wallClock ? "longer" : "more")"
    }

    /// - Returns: `nil` where there is none.
    private func setting(_ origin: LimitOrigin) -> String? {
        guard limit != .interrupted else { return nil }
        switch origin {
        case .harness:
            return "\(limit.rawValue) in options.runtime.\(group.rawValue) of the harness"
        case .project:
            switch (group, limit) {
            case (.polls, .wallClock), (.polls, .cpuTime): return "limits.poll.\(limit.rawValue) in lamplighter.yaml"
            // A script that is read has a limit that nobody sets.
            case (.loading, .wallClock): return nil
            case (.calls, .wallClock) where isProcedure:
                return "the procedure's requestTimeoutInSeconds or limits.wallClock in lamplighter.yaml"
            default: return "limits.\(limit.rawValue) in lamplighter.yaml"
            }
        }
    }

    /// Callbacks have a dot in their names, and other code that is not a procedure has a parenthesis.
    private var isProcedure: Bool { !label.procedure.contains { $0 == "." || $0 == "(" } }

    /// The members of ``RuntimeSettings`` that have limits.
    private enum Group: String {
        case calls, polls, loading
    }

    private var group: Group {
        switch label.procedure {
        case CallLabel.loading: .loading
        case let name where name.hasSuffix(".\(EventSourceCallback.onPoll.rawValue)"): .polls
        default: .calls
        }
    }
}

extension CallLabel {
    /// The name under which the top level of a script is called.
    static let loading = "(loading)"
}
