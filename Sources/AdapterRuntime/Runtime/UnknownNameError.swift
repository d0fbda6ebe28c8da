public import WorklightProject

/// A name that nothing has.
public struct UnknownNameError: Error, Hashable, CustomStringConvertible {
    /// The kind of the missing thing: "adapter", "procedure", "event source".
    public let kind: String
    public let name: String
    /// The names that there are.
    public let known: [String]
    /// The location of the declarations.
    public var place: String
    /// The error that prevented its loading; `nil` if the project has nothing of that name.
    public var refusal: ProjectError?

    public init(kind: String, name: String, known: [String], place: String = "") {
        (self.kind, self.name, self.known, self.place) = (kind, name, known, place)
    }

    public var description: String {
        if let refusal {
            return "the \(kind) '\(name)' exists, but could not be loaded: \(refusal.place): \(refusal.message)"
        }
        let shown = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
        return "there is no \(kind) '\(name.prefix(100))'" + (place.isEmpty ? "" : " \(place)") + "; "
            + (known.isEmpty ? "no \(kind) exists" : "there are: \(shown)")
    }
}
