public import WorklightProject

extension AdapterVersion {
    /// A warning when a setting lets sessions share the adapter's scopes.
    var sharedStateWarning: ProjectError? {
        guard sharesScopes else { return nil }
        return ProjectError(
            .warning, file: script.file,
            "\(sharingSetting) lets all sessions share the adapter's scopes, so one user may get another user's values; keep state in a "
                + "database or in session attributes, or change \(sharingSetting)")
    }

    /// The setting that lets sessions share the adapter's scopes, where one does.
    private var sharingSetting: String {
        settings.scopes.shared.includes(name) ? "scopes.shared" : "mfp.session.independent"
    }

    /// A sentence about how calls use the adapter's scopes.
    fileprivate var scopeUse: String {
        sharesScopes ? "All sessions share scopes: \(sharingSetting)" : "Each session has its own scope."
    }
}

extension AdapterRuntime {
    /// Returns a sentence about how calls use the scopes of an adapter; empty for an unknown one.
    public func scopeUse(ofAdapter name: String) -> String { directory[name]?.common.scopeUse ?? "" }

    /// A line for each adapter whose scopes all sessions share.
    public var scopeNotes: [String] {
        directory.current.all.map(\.common).filter(\.sharesScopes).map { "\($0.name): \($0.scopeUse)" }.sorted()
    }

    /// A warning for each adapter whose scopes a setting lets sessions share.
    public var sharedStateWarnings: [ProjectError] {
        directory.current.all.compactMap(\.common.sharedStateWarning).inOrder
    }
}
