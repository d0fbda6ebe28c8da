import AdapterSyntax
public import WorklightProject

extension AdapterScript {
    /// A note that says why each scope needs its own realm; `nil` if none does.
    var ownRealmNote: ProjectError? {
        ownRealm.map { reason in
            ProjectError(
                .note, file: file, line: reason.position.line, column: reason.position.column,
                "each session has its own JavaScript realm of this script, which takes more memory and time: \(reason.description); "
                    + "the script works as written, so nothing needs to be done"
            )
        }
    }

    /// A note for each call of a back end that holds its machine while it waits.
    var waitNotes: [ProjectError] {
        blocking.map { call in
            ProjectError(
                .note, file: file, line: call.position.line, column: call.position.column,
                "\(call.description): a call from here keeps a virtual machine and a thread while it waits; the script works as written, "
                    + "but if many such calls wait at once, write the call directly into a function at the top level, with a loop in place of a callback"
            )
        }
    }
}

extension AdapterVersion {
    /// A warning when a setting lets sessions share the adapter's scopes.
    var sharedStateWarning: ProjectError? {
        guard sharesScopes else { return nil }
        return ProjectError(
            .warning, file: script.file,
            "scopes.shared lets all sessions share the adapter's scopes, so one user may get another user's values; keep state in a "
                + "database or in session attributes, or change scopes.shared")
    }

    /// A sentence about the scopes of the adapter's calls, and about their realms if they are not shared.
    fileprivate var scopeUse: String {
        let use =
            sharesScopes
            ? "All sessions share scopes: scopes.shared."
            : keepsScopes ? "Each session has its own scope." : "Each call has its own scope: mfp.session.independent."
        return sharesRealm ? use : "\(use) Each scope has its own JavaScript realm: \(ownRealmReason)."
    }

    private var ownRealmReason: String {
        guard let reason = script.ownRealm else { return "scopes.ownRealm" }
        return "\(reason.description) (\(script.file):\(reason.position.line))"
    }
}

extension AdapterRuntime {
    /// Returns sentences about the scopes of an adapter's calls; empty for an unknown one.
    public func scopeUse(ofAdapter name: String) -> String { directory[name]?.common.scopeUse ?? "" }

    /// A line for each adapter whose scopes all sessions share, or have their own realms.
    public var scopeNotes: [String] {
        directory.current.all.map(\.common).filter { $0.sharesScopes || !$0.sharesRealm }
            .map { "\($0.name): \($0.scopeUse)" }.sorted()
    }

    /// A warning for each adapter whose scopes a setting lets sessions share.
    public var sharedStateWarnings: [ProjectError] {
        directory.current.all.compactMap(\.common.sharedStateWarning).inOrder
    }
}
