import AdapterSyntax
public import WorklightProject

extension AdapterScript {
    /// The variables of the top level that calls assign before they read them; see ``StateVerdict/stateless(temporaries:)``.
    var temporaries: [String] {
        if case .stateless(let temporaries) = verdict { temporaries } else { [] }
    }

    /// The note that the script keeps state between calls; `nil` when it does not.
    var stateNote: ProjectProblem? {
        stateProblem(.note, "the script keeps state between calls, so each session and each poll has its own variables")
    }

    fileprivate func stateProblem(_ severity: ProjectProblem.Severity, _ text: String) -> ProjectProblem? {
        guard let state = verdict.state else { return nil }
        return ProjectProblem(
            severity, file: file, line: state.position.line, column: state.position.column,
            "\(text): \(state.description)")
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
            "the script keeps state between calls, but \(setting) has all sessions share its variables, so one user may get what "
                + "another one's call has left")
    }
}

extension AdapterRuntime {
    /// The adapters whose scripts keep state between calls: a note for each of which every session has its own variables, and a
    /// warning for each whose variables a setting has all sessions share.
    public var stateRemarks: [ProjectProblem] {
        directory.current.all.compactMap(\.common.stateRemark).inOrder
    }
}
