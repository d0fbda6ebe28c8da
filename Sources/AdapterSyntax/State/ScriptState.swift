/// Whether calls of an adapter's script can run in any scope, or need the scope of their session.
public enum StateVerdict: Sendable, Hashable {
    /// No function changes anything that a later call can see.
    ///
    /// `temporaries` are variables of the top level that functions assign. No call reads one before it has assigned it, so they can
    /// be cleared when a call ends.
    case stateless(temporaries: [String])
    /// The script keeps something between calls, or it cannot be proven that it does not.
    case stateful(ScriptState)

    /// The reason why the script has state; `nil` when it has none.
    public var state: ScriptState? {
        if case .stateful(let state) = self { state } else { nil }
    }
}

/// The first place at which a script keeps something between calls.
public struct ScriptState: Sendable, Hashable, CustomStringConvertible {
    /// The variable of the top level; `nil` where the state is not in a variable that has a name.
    public let variable: String?
    /// The place that changes it.
    public let position: SourcePosition
    /// The state, such as "put() changes 'table'".
    public let description: String

    public init(variable: String?, position: SourcePosition, description: String) {
        self.variable = variable
        self.position = position
        self.description = description
    }
}

extension SyntaxTree {
    /// Decides whether the script keeps state between calls. In doubt it does.
    ///
    /// A script is stateless if no function writes what the top level holds, by any alias, except temporaries: names of the top level
    /// that every read follows an assignment to in the same function. The analysis assumes that one call has a scope from its
    /// beginning to its end, and that native functions neither keep nor change their arguments.
    ///
    /// - Parameters:
    ///   - entryPoints: functions that are called by name from outside: procedures and functions of realms. Callbacks that the
    ///     script names itself need not be among them.
    ///   - budget: the longest time for the analysis; a script that takes longer counts as stateful.
    public func stateVerdict(entryPoints: Set<String>, budget: Duration = .seconds(1)) -> StateVerdict {
        let reader = StateReader(self, entryPoints: entryPoints, budget: budget)
        return reader.verdict()
    }
}
