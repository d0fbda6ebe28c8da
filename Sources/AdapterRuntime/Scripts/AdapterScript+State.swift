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
    /// A warning when a setting lets sessions share the adapter's scopes, else a note when the script keeps state; `nil` when it keeps none
    /// and each session has its own scope.
    var stateRemark: ProjectProblem? {
        guard !keepsState else { return script.stateNote }
        let setting = settings.scopes.shared.includes(name) ? "scopes.shared" : "mfp.session.independent"
        let consequence =
            "\(setting) lets all sessions share the adapter's scopes, so one user may get another user's values; keep the state in a database "
            + "or in session attributes, or change \(setting)"
        return script.stateProblem(.warning, consequence) ?? ProjectProblem(.warning, file: script.file, consequence)
    }
}

extension AdapterRuntime {
    /// A warning for each adapter whose scopes a setting lets sessions share, and a note for each other one whose script keeps state
    /// between calls.
    public var stateRemarks: [ProjectProblem] {
        directory.current.all.compactMap(\.common.stateRemark).inOrder
    }
}
