/// A place of a script that keeps something between calls.
public struct ScriptState: Sendable, Hashable, CustomStringConvertible {
    public let position: SourcePosition
    /// Why, such as "a class has private members".
    public let description: String

    public init(position: SourcePosition, description: String) {
        self.position = position
        self.description = description
    }
}
