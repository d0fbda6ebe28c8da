/// A part of a script because of which it needs its own realm.
public struct ScriptState: Sendable, Hashable, CustomStringConvertible {
    public let position: SourcePosition
    /// The reason, such as "the script uses eval".
    public let description: String

    public init(position: SourcePosition, description: String) {
        self.position = position
        self.description = description
    }
}
