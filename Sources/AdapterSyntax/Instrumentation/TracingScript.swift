/// A script whose functions report their beginning and end, with unchanged line numbers.
///
/// It must be one that the engine reads: translate it first. It needs an object in the global scope under ``hooks`` with
/// `enter(index, arguments)`, `returned(value)`, which returns the value, `failed(error)` and `leave()`. Generators and arrow functions
/// without braces call none of them.
///
/// A function's statements are put into a block, in which a few scripts mean something else or nothing: one that has a variable
/// and a function of the same name. Let the engine check it before you run it.
public struct TracingScript: Sendable {
    /// A function, where it is written.
    public struct Function: Sendable, Hashable {
        /// The name in the script, `(anonymous)` when it has none.
        public let name: String
        public let position: SourcePosition
    }

    /// The object's name.
    public static let hooks = "__trace"

    public let source: String
    /// The functions by the index that `enter` receives.
    public let functions: [Function]
    /// The map from positions in ``source`` to those in the script.
    public let map: SourceMap

    public init(_ tree: SyntaxTree) {
        var instrumenter = TracingInstrumenter(tree)
        instrumenter.run()
        let (text, map) = instrumenter.edits.apply()
        source = text.text
        functions = instrumenter.functions
        self.map = map
    }
}

private struct TracingInstrumenter {
    let tree: SyntaxTree
    var edits: EditList
    var functions: [TracingScript.Function] = []
    private var names = FunctionNames()

    init(_ tree: SyntaxTree) {
        self.tree = tree
        edits = EditList(tree.source)
    }

    mutating func run() {
        var work = [tree.root]
        while let id = work.popLast() {
            names.read(id, in: tree)
            if tree.isFunction(id) { wrap(id) }
            work.append(contentsOf: tree.children(id).reversed().filter { !$0.isAbsent })
        }
    }

    private mutating func wrap(_ id: NodeID) {
        let body = tree.child(id, 2)
        let traits = tree.functionTraits(id)
        guard tree.kind(body) == .functionBody, traits.isDisjoint(with: [.generator, .plainGenerator]) else { return }
        functions.append(
            TracingScript.Function(
                name: names.name(of: id, in: tree) ?? "(anonymous)",
                position: tree.source.position(at: tree.range(id).start)))
        let directives = tree.endOfDirectives(body)
        let hooks = TracingScript.hooks
        let arguments = tree.kind(id) == .arrowFunction ? "" : ", arguments"
        let index = functions.count - 1
        edits.close(
            directives ?? tree.range(body).start + 1,
            "\(directives == nil ? "" : ";")try { \(hooks).enter(\(index)\(arguments)); ")
        edits.open(
            tree.range(body).end - 1,
            " } catch (\(hooks)Error) { \(hooks).failed(\(hooks)Error); throw \(hooks)Error; } finally { \(hooks).leave(); }"
        )
        for value in returnedValues(of: body) { markReturned(value) }
    }

    /// Returns the values of a function's own `return` statements, without those of functions inside it.
    private func returnedValues(of body: NodeID) -> [NodeID] {
        var values: [NodeID] = []
        var work = Array(tree.children(body))
        while let id = work.popLast() {
            if id.isAbsent || tree.isFunction(id) { continue }
            if tree.kind(id) == .returnStatement {
                let value = tree.child(id, 0)
                if !value.isAbsent { values.append(value) }
            }
            work.append(contentsOf: tree.children(id))
        }
        return values
    }

    private mutating func markReturned(_ value: NodeID) {
        let isSequence = tree.kind(value) == .sequence
        edits.open(tree.range(value).start, "\(TracingScript.hooks).returned(" + (isSequence ? "(" : ""))
        edits.close(tree.range(value).end, isSequence ? "))" : ")")
    }
}
