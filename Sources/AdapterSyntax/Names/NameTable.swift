/// The names of a script: its scopes, their declarations, and the references to these.
struct NameTable {
    enum BindingKind {
        case `var`, `let`, const, function, parameter, `class`, caught, own
    }

    struct Binding {
        let name: String
        let kind: BindingKind
        /// The identifier that declares it.
        let declaration: NodeID
        let scope: Int
        /// Indices into ``NameTable/references``.
        var references: [Int] = []
        /// True if something else declares it, too: a parameter, a function, a second `var`.
        var isDeclaredAgain = false
    }

    struct Scope {
        let node: NodeID
        let parent: Int?
        /// The scope of the function or script around it, or itself.
        var function: Int
        var names: [String: Int] = [:]
    }

    struct Reference {
        let node: NodeID
        let name: String
        let scope: Int
        let isWrite: Bool
        /// Index into ``NameTable/bindings``; `nil` when nothing in the script declares the name.
        var binding: Int?
    }

    private(set) var scopes: [Scope] = []
    private(set) var bindings: [Binding] = []
    private(set) var references: [Reference] = []

    /// The indices into ``bindings``, by the identifiers that declare or reference them.
    private var bindingByIdentifier: [NodeID: Int]

    /// The references to names that nothing in the script declares, in source order.
    private(set) var free: [Reference] = []

    init(_ tree: SyntaxTree) {
        var builder = NameTableBuilder(tree)
        builder.build()
        scopes = builder.scopes
        bindings = builder.bindings
        references = builder.references
        bindingByIdentifier = builder.declarations
        resolve()
        free = references.filter { $0.binding == nil }
    }

    /// Returns the binding that an identifier declares or refers to, as an index into ``bindings``; `nil` when nothing in the script declares
    /// the name, or the identifier is not a variable.
    func binding(of identifier: NodeID) -> Int? { bindingByIdentifier[identifier] }

    /// Returns whether a scope is another one or within it.
    func contains(_ outer: Int, _ inner: Int) -> Bool {
        var current: Int? = inner
        while let scope = current, scope >= outer {
            if scope == outer { return true }
            current = scopes[scope].parent
        }
        return false
    }

    /// Returns the variables that are declared once, with a value, and assigned nowhere, in source order.
    func constants(in tree: SyntaxTree) -> [(binding: Int, declarator: NodeID)] {
        tree.all.compactMap { id -> (binding: Int, declarator: NodeID)? in
            guard tree.kind(id) == .declarator, !tree.child(id, 1).isAbsent,
                let index = binding(of: tree.child(id, 0)), !bindings[index].isDeclaredAgain,
                !bindings[index].references.contains(where: { references[$0].isWrite })
            else { return nil }
            return (index, id)
        }
    }

    private mutating func resolve() {
        for index in references.indices {
            var scope: Int? = references[index].scope
            while let current = scope {
                if let binding = scopes[current].names[references[index].name] {
                    references[index].binding = binding
                    bindingByIdentifier[references[index].node] = binding
                    bindings[binding].references.append(index)
                    break
                }
                scope = scopes[current].parent
            }
        }
    }
}

extension SyntaxTree {
    /// Returns the names that a target binds or assigns: itself, or those in a pattern. Properties are left out.
    func names(in target: NodeID) -> [NodeID] {
        var result: [NodeID] = []
        var pending = [target]
        while let id = pending.popLast() {
            switch kind(id) {
            case .identifier: result.append(id)
            case .parenthesized, .restElement, .assignmentPattern: pending.append(child(id, 0))
            case .propertyPattern: pending.append(child(id, 1))
            case .arrayPattern, .objectPattern: pending.append(contentsOf: children(id).reversed())
            case .declarator: pending.append(child(id, 0))
            case .variableDeclaration: pending.append(contentsOf: children(id).reversed())
            default: break
            }
        }
        return result
    }
}

extension SyntaxTree {
    /// Returns whether objects of the script can be iterators as JavaScript 1.7 had them, so that every loop must check for them.
    func hasIterators(_ names: NameTable) -> Bool {
        names.free.contains { $0.name == "Iterator" || $0.name == "StopIteration" }
            || all.contains { id in
                switch kind(id) {
                case .generatorExpression: true
                case .yield: detail(id) == 2
                case .identifier: text(id) == Self.iteratorKey
                case .stringLiteral: key(id) == Self.iteratorKey
                default: false
                }
            }
    }

    private static let iteratorKey = "__iterator__"
}
