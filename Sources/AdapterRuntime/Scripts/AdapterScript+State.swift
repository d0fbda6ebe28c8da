import AdapterSyntax
public import WorklightProject

extension AdapterScript {
    /// The variables of the top level that calls assign before they read them; see ``StateVerdict/stateless(temporaries:)``.
    var temporaries: [String] {
        if case .stateless(let temporaries) = verdict { temporaries } else { [] }
    }

    /// The note that the script may keep state between calls; `nil` when it does not.
    var stateNote: ProjectProblem? {
        stateProblem(
            .note,
            "each session and each poll then has its own variables, unless scopes.shared or mfp.session.independent is set"
        )
    }

    fileprivate func stateProblem(_ severity: ProjectProblem.Severity, _ consequence: String) -> ProjectProblem? {
        guard let state = verdict.state else { return nil }
        return ProjectProblem(
            severity, file: file, line: state.position.line, column: state.position.column,
            "the script may keep state between calls: \(state.description); \(consequence)")
    }
}

extension AdapterCommon {
    /// A note when sessions have variables of their own, a warning when they share variables in which the script keeps state; `nil`
    /// when the script keeps no state.
    var stateRemark: ProjectProblem? {
        guard !keepsState else { return script.stateNote }
        let setting = settings.scopes.shared.includes(name) ? "scopes.shared" : "mfp.session.independent"
        return script.stateProblem(
            .warning,
            "\(setting) lets all sessions share its scopes, so one user may get another user's values; keep the state in a database or in "
                + "session attributes, or change \(setting)")
    }
}

extension AdapterRuntime {
    /// The adapters whose scripts keep state between calls: a note for each of which every session has its own variables, and a
    /// warning for each whose variables a setting has all sessions share.
    public var stateRemarks: [ProjectProblem] {
        directory.current.all.compactMap(\.common.stateRemark).inOrder
    }
}
