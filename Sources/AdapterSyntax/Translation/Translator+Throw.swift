/// A script whose `throw` statements record their positions, as ``ThrowMark`` says, and which is otherwise unchanged.
public struct ThrowMarkedScript: Sendable {
    public let source: String
    /// True if ``source`` calls the function of ``ThrowMark``; else it is the script itself.
    public let areNeeded: Bool
    /// The map from positions in ``source`` to those in the script.
    public let map: SourceMap

    public init(_ tree: SyntaxTree) {
        var translator = Translator(tree)
        translator.marksThrows = !translator.usesThrowMark
        for node in tree.all where tree.kind(node) == .throwStatement { translator.markThrow(node) }
        let (text, map) = translator.edits.apply()
        source = text.text
        areNeeded = translator.hasMarkedThrows
        self.map = map
    }
}

/// Instruments `throw` statements, so that exceptions have a position in the script.
///
/// An Error knows where it was made. The value of `throw "text"` does not, so such statements pass the value through
/// `__thrown`, which notes the position and returns it: `throw __thrown("text")`.
public enum ThrowMark {
    /// The function's name. Its second argument is `true` where what is thrown may have been caught before.
    public static let name = "__thrown"
}

extension Translator {
    private static let errorNames: Set = [
        "Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError",
    ]

    /// True if the script itself uses the name of ``ThrowMark``.
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

extension Translator {
    /// `catch (e if c) {} catch (f) {}` becomes `catch (e) { if (c) {} else { let f = e; {} }}`.
    mutating func translateTry(_ id: NodeID) {
        let clauses = Array(tree.children(id).dropFirst().dropLast())
        guard clauses.contains(where: { !tree.child($0, 1).isAbsent }) else { return }
        for clause in clauses where !tree.child(clause, 1).isAbsent {
            find(.conditionalCatch, SourceRange(tree.range(clause).start, tree.range(tree.child(clause, 2)).start))
        }
        for clause in clauses where !tree.child(clause, 0).isAbsent {
            guard tree.kind(tree.child(clause, 0)) == .identifier else {
                return refuse(
                    .conditionalCatch, tree.range(clause), "a pattern cannot be caught together with a condition")
            }
        }
        let first = clauses[0]
        let name = tree.text(tree.child(first, 0))
        edits.replace(
            SourceRange(tree.range(tree.child(first, 0)).end, tree.range(tree.child(first, 1)).start), ") { if (")
        var ends = "}"
        for clause in clauses.dropFirst() {
            let parameter = tree.child(clause, 0)
            let condition = tree.child(clause, 1)
            let start = tree.range(clause).start
            var text = "else "
            if !parameter.isAbsent, tree.text(parameter) != name {
                text += "{ let \(tree.text(parameter)) = \(name); "
                ends += "}"
            }
            if condition.isAbsent {
                edits.replace(SourceRange(start, tree.range(tree.child(clause, 2)).start), text)
            } else {
                edits.replace(SourceRange(start, tree.range(condition).start), text + "if (")
            }
        }
        guard let last = clauses.last else { return }
        let rethrow = tree.child(last, 1).isAbsent ? "" : " else throw \(name);"
        edits.close(tree.range(last).end, rethrow + ends)
    }
}
