public import WorklightProject

/// A name that nothing has.
public struct UnknownNameError: Error, Hashable, CustomStringConvertible {
    /// What should have had it: "adapter", "procedure", "event source".
    public let kind: String
    public let name: String
    /// The names that there are.
    public let known: [String]
    /// Where they are declared.
    public var place: String
    /// Why there is nothing of that name, where the project has it.
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
