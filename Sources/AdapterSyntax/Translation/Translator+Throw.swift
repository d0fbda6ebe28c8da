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
