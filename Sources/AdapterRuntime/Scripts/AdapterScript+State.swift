public import WorklightProject

extension AdapterVersion {
    /// A warning when a setting lets sessions share the adapter's scopes.
    var sharedStateWarning: ProjectError? {
        guard scopeUse == .shared else { return nil }
        return ProjectError(
            .warning, file: script.file,
            "\(sharingSetting) lets all sessions share the adapter's scopes, so one user may get another user's values; keep state in a "
                + "database or in session attributes, or change \(sharingSetting)")
    }

    /// The setting that lets sessions share the adapter's scopes, where one does.
    var sharingSetting: String { settings.scopes.shared.includes(name) ? "scopes.shared" : "mfp.session.independent" }
}

extension AdapterRuntime {
    /// A line for each adapter of which a call has left something behind, such as "Login keeps 'step' for its session since …", or whose
    /// scopes cannot be compared.
    public var scopeNotes: [String] {
        directory.names.compactMap { name in
            guard let adapter = directory[name]?.common else { return nil }
            switch adapter.scopeUse {
            case .compared: return adapter.retainedState.map { "\(name) keeps \($0)" }
            case .own where !adapter.ownsScopesBySetting:
                return "\(name): each session has its own scope from its first call: \(adapter.ownScopeReason)"
            case .own, .shared: return nil
            }
        }
    }

    /// Says in a sentence how calls use the scopes of an adapter.
    public func scopeUse(ofAdapter name: String) -> String {
        guard let adapter = directory[name]?.common else { return "" }
        switch adapter.scopeUse {
        case .own:
            guard !adapter.ownsScopesBySetting else { return "Each session has its own scope." }
            return "Each session has its own scope from its first call: \(adapter.ownScopeReason)"
        case .shared: return "All sessions share scopes: \(adapter.sharingSetting)"
        case .compared:
            return adapter.retainedState.map { "The adapter keeps \($0)" }
                ?? "No call has left anything behind: sessions take any scope."
        }
    }

    /// A warning for each adapter whose scopes a setting lets sessions share.
    public var sharedStateWarnings: [ProjectError] {
        directory.current.all.compactMap(\.common.sharedStateWarning).inOrder
    }
}
