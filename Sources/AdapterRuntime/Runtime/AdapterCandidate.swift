public import WorklightProject

/// A version of an adapter that has been read from its folder, and has run its top level once without failing.
public struct AdapterCandidate: Sendable {
    let loaded: LoadedAdapter
    let reading: AdapterReading
    /// The problems of its script that are no reason to refuse it.
    let scriptProblems: [ProjectError]

    public var adapter: String { reading.name }

    /// Sorted.
    public var eventSources: [EventSourceDeclaration] { loaded.eventSources }

    /// The problems that are no reason to refuse it, including a warning that sessions share its scopes.
    public var problems: [ProjectError] {
        (reading.problems + scriptProblems + [loaded.common.sharedStateWarning].compactMap(\.self)).inOrder
    }
}

/// The content of an adapter's folder.
public enum AdapterPreparation: Sendable {
    /// A version that can be deployed.
    case ready(AdapterCandidate)
    /// The one that is deployed.
    case unchanged
    /// One that cannot be deployed, and why; at least one of the problems is an error.
    case refused([ProjectError])
}
