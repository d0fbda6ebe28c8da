/// A script whose `throw` statements record their places, as ``ThrowMark`` says, and which is otherwise unchanged.
public struct ThrowMarkedScript: Sendable {
    public let source: String
    /// Whether ``source`` calls the function of ``ThrowMark``; else it is the script itself.
    public let areNeeded: Bool
    /// From places in ``source`` to those in the script.
    public let map: SourceMap

    public init(_ tree: SyntaxTree) {
        var translator = Translator(tree)
        translator.marksThrows = !translator.usesThrowMark
        var throwing: [NodeID] = []
        tree.forEach { if tree.kind($0) == .throwStatement { throwing.append($0) } }
        for statement in throwing { translator.markThrow(statement) }
        let (text, map) = translator.edits.apply()
        source = text.text
        areNeeded = translator.hasMarkedThrows
        self.map = map
    }
}

/// Marks of what is thrown.
///
/// An Error knows where it was made. `throw "text"` leaves nothing that tells where it was, so such statements call a function
/// of the scope's on their way: `throw __thrown("text")`. It gives back what it gets.
public enum ThrowMark {
    /// The function's name. Its second argument is `true` where what is thrown may have been caught before.
    public static let name = "__thrown"
}

extension Translator {
    private static let errorNames: Set = [
        "Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError",
    ]

    /// Whether the name of ``ThrowMark`` is the script's own.
    var usesThrowMark: Bool {
        names.references.contains { $0.name == ThrowMark.name } || names.bindings.contains { $0.name == ThrowMark.name }
    }

    mutating func markThrow(_ id: NodeID) {
        guard marksThrows else { return }
        let value = tree.child(id, 0)
        let inner = tree.unwrapped(value)
        if tree.kind(inner) == .new {
            let callee = tree.child(inner, 0)
            if freeNodes.contains(callee), Self.errorNames.contains(tree.name(callee)) { return }
        }
        hasMarkedThrows = true
        let isSequence = tree.kind(value) == .sequence
        let isCaught = tree.kind(inner) == .identifier
        edits.open(tree.range(value).start, ThrowMark.name + (isSequence ? "((" : "("))
        edits.close(tree.range(value).end, (isSequence ? ")" : "") + (isCaught ? ", true)" : ")"))
    }
}
