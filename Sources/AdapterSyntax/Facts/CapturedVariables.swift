/// A script with calls that export the variables that its closures capture. The calls keep the numbers of all lines.
///
/// A closure made while the script is loaded keeps variables of the functions and blocks around it, which nothing else can reach. Each such
/// function and block calls ``hook``, while it is defined, with a function that returns an array of these variables. So the server can
/// find out later whether one has changed. Closures that a call makes later end with the call.
///
/// The script must be valid for the engine: translate it first.
public struct CapturedVariables: Sendable {
    /// The hook's name: a function while the script is loaded, and undefined afterwards. No property of the global object, so that a script
    /// reaches it only by this name, which is an ``obstacle``.
    public static let hook = "__captured"
    /// A script that declares the hook and returns a function that sets it.
    public static let declaration = "let \(hook); (function (hook) { \"use strict\"; \(hook) = hook; })"

    /// The source to run.
    public let source: String
    /// The map from positions in ``source`` to those in the script.
    public let map: SourceMap
    /// True if ``source`` differs from the script.
    public let isChanged: Bool
    /// The names that the script declares by `let`, `const` and `class` at its top level.
    public let lexicalNames: [String]
    /// The first position at which a closure may keep something that no function can read.
    public let obstacle: ScriptState?

    public init(_ tree: SyntaxTree) {
        var finder = CaptureFinder(tree)
        finder.run()
        isChanged = !finder.edits.isEmpty
        let (text, map) = finder.edits.apply()
        source = text.text
        self.map = map
        lexicalNames = finder.lexicalNames
        obstacle = finder.obstacle
    }
}

private struct CaptureFinder {
    private let tree: SyntaxTree
    private let names: NameTable
    private(set) var edits: EditList
    private(set) var obstacle: ScriptState?
    /// The captured variables of each scope, as expressions.
    private var captured: [Int: [String]] = [:]
    private var scopeOfNode: [NodeID: Int] = [:]

    init(_ tree: SyntaxTree) {
        self.tree = tree
        names = NameTable(tree)
        edits = EditList(tree.source)
        for (index, scope) in names.scopes.enumerated() { scopeOfNode[scope.node] = index }
    }

    var lexicalNames: [String] {
        names.bindings.filter { $0.scope == 0 && [.let, .const, .class].contains($0.kind) }.map(\.name)
    }

    private mutating func stop(_ node: NodeID, _ description: String) {
        let position = tree.source.position(at: tree.range(node).start)
        if let obstacle, (obstacle.position.line, obstacle.position.column) <= (position.line, position.column) {
            return
        }
        obstacle = ScriptState(position: position, description: description)
    }

    mutating func run() {
        findNames()
        findWords()
        for (index, expressions) in captured.sorted(by: { $0.key < $1.key }) {
            insert("[\(expressions.joined(separator: ","))]", into: names.scopes[index].node)
        }
    }

    // MARK: What is captured

    private mutating func capture(_ expression: String, of scope: Int) {
        guard captured[scope]?.contains(expression) != true else { return }
        captured[scope, default: []].append(expression)
    }

    /// Captures each variable whose name a function within its scope uses, even if that function declares the name itself. Which of the
    /// two a use means depends on rules for parameters, blocks and strict mode; a mistake in them would show one user's value to another.
    private mutating func findNames() {
        var uses: [String: Set<Int>] = [:]
        for reference in names.references { uses[reference.name, default: []].insert(reference.scope) }
        for binding in names.bindings where binding.scope != 0 {
            let owner = names.scopes[binding.scope].function
            let isCaptured = uses[binding.name, default: []].contains {
                names.scopes[$0].function != owner && names.contains(binding.scope, $0)
            }
            if isCaptured { capture(binding.name, of: binding.scope) }
        }
        findEqualNames()
        for reference in names.free where reference.name == CapturedVariables.hook {
            stop(reference.node, "the script uses the name '\(CapturedVariables.hook)'")
        }
        for binding in names.bindings where binding.name == CapturedVariables.hook {
            stop(binding.declaration, "the script uses the name '\(CapturedVariables.hook)'")
        }
        // An arrow function has the arguments of the function around it.
        for reference in names.free where reference.name == "arguments" {
            captureFromArrow("arguments", scope: reference.scope)
        }
    }

    /// Stops at two names that Swift compares as equal and JavaScript does not, such as 'é' as one code point and as two.
    private mutating func findEqualNames() {
        var spellings: [String: String.UTF8View] = [:]
        for id in tree.all where tree.kind(id) == .identifier {
            let name = tree.name(id)
            if let known = spellings[name] {
                if !known.elementsEqual(name.utf8) { stop(id, "two names are spelled alike with different characters") }
            } else {
                spellings[name] = name.utf8
            }
        }
    }

    private mutating func captureFromArrow(_ expression: String, scope: Int) {
        var function = names.scopes[scope].function
        guard tree.kind(names.scopes[function].node) == .arrowFunction else { return }
        while tree.kind(names.scopes[function].node) == .arrowFunction, let outer = names.scopes[function].parent {
            function = names.scopes[outer].function
        }
        if tree.isFunction(names.scopes[function].node) { capture(expression, of: function) }
    }

    /// Finds words without a binding, and state that no function can read.
    private mutating func findWords() {
        var stack: [(node: NodeID, scope: Int)] = [(tree.root, 0)]
        while let (id, outer) = stack.popLast() {
            let scope = scopeOfNode[id] ?? outer
            visit(id, scope)
            for child in tree.children(id) where !child.isAbsent { stack.append((child, scope)) }
        }
    }

    private mutating func visit(_ id: NodeID, _ scope: Int) {
        visitFunctions(in: id)
        switch tree.kind(id) {
        case .thisExpression: captureFromArrow("this", scope: scope)
        case .metaProperty where tree.kind(names.scopes[names.scopes[scope].function].node) == .arrowFunction:
            stop(id, "an arrow function uses new.target")
        case .superExpression: visitSuper(id, scope)
        case .privateName: stop(id, "a class has private members")
        case .withStatement: stop(id, "the script uses 'with'")
        case .block, .functionBody: visitStatements(id, scope)
        case .forStatement, .forInStatement: visitLoop(id)
        case .staticBlock: stop(id, "a class has a static block")
        case .classDeclaration, .classExpression: visitClass(id)
        case .functionDeclaration, .functionExpression, .arrowFunction, .method: visitParameters(id)
        case .letBlock, .letExpression, .arrayComprehension, .generatorExpression:
            stop(id, "the script has an expression of Rhino's that is not translated")
        default: break
        }
    }

    /// `super.name` in an object literal: nothing else may reach the object.
    private mutating func visitSuper(_ id: NodeID, _ scope: Int) {
        var current: Int? = scope
        while let index = current {
            let kind = tree.kind(names.scopes[index].node)
            if kind == .classDeclaration || kind == .classExpression { return }
            current = names.scopes[index].parent
        }
        stop(id, "a method of an object uses 'super'")
    }

    /// A function in a block has a variable of the block beside the one of the function around it.
    private mutating func visitStatements(_ id: NodeID, _ scope: Int) {
        guard tree.kind(id) == .block, let own = scopeOfNode[id] else { return }
        for statement in tree.children(id) where tree.kind(statement) == .functionDeclaration {
            capture(tree.name(tree.child(statement, 0)), of: own)
        }
    }

    /// Notes functions that are not declared in a list of statements, as in `if (x) function f() {}` or after a label. Such a function
    /// has a variable too, and no code in the script can read it.
    private mutating func visitFunctions(in id: NodeID) {
        guard ![.program, .functionBody, .block].contains(tree.kind(id)) else { return }
        for child in tree.children(id) where !child.isAbsent && tree.kind(child) == .functionDeclaration {
            stop(child, "a function is declared as a part of another statement")
        }
    }

    /// Functions in a loop's head have other copies of its variables than those in its body.
    private mutating func visitLoop(_ id: NodeID) {
        let first = tree.child(id, 0)
        guard !first.isAbsent, tree.kind(first) == .variableDeclaration, tree.declarationKind(first) != .var else {
            return
        }
        for part in tree.children(id).dropLast() where !part.isAbsent && hasFunction(part) {
            stop(part, "the head of a loop has a function")
        }
    }

    private mutating func visitClass(_ id: NodeID) {
        let body = tree.child(id, 2)
        for member in tree.children(body) where tree.kind(member) == .classMember {
            let value = tree.child(member, 1)
            guard !value.isAbsent, tree.kind(value) != .method, hasFunction(value) else { continue }
            stop(member, "the value of a class's field has a function")
        }
        edits.close(tree.range(body).start + 1, "static{\(call("[this]"))}")
    }

    /// Functions in parameters have other variables than those in the body.
    private mutating func visitParameters(_ id: NodeID) {
        for parameter in tree.children(tree.child(id, 1)) where hasFunction(parameter) {
            stop(parameter, "a parameter's default value has a function")
        }
    }

    private func hasFunction(_ id: NodeID) -> Bool {
        tree.all(in: id).contains { node in
            tree.isFunction(node) || tree.kind(node) == .classExpression || tree.kind(node) == .classDeclaration
        }
    }

    // MARK: Where it is told

    private func call(_ expression: String) -> String {
        "\(CapturedVariables.hook)&&\(CapturedVariables.hook)(()=>\(expression));"
    }

    private mutating func insert(_ expression: String, into id: NodeID) {
        switch tree.kind(id) {
        case .functionDeclaration, .functionExpression, .arrowFunction, .method: insert(expression, intoFunction: id)
        case .block: edits.close(tree.range(id).start + 1, call(expression))
        case .forStatement, .forInStatement:
            if let body = tree.children(id).last { insert(expression, intoBody: body) }
        case .catchClause: insert(expression, intoBody: tree.child(id, 2))
        case .classDeclaration, .classExpression: break
        default: stop(id, "a closure keeps a variable of this statement")
        }
    }

    private mutating func insert(_ expression: String, intoBody body: NodeID) {
        if tree.kind(body) == .block {
            edits.close(tree.range(body).start + 1, call(expression))
        } else {
            edits.open(tree.range(body).start, "{\(call(expression))")
            edits.close(tree.range(body).end, "}")
        }
    }

    private mutating func insert(_ expression: String, intoFunction id: NodeID) {
        let body = tree.child(id, 2)
        guard tree.kind(body) == .functionBody else {
            edits.open(tree.range(body).start, "(\(call(expression).dropLast()),")
            edits.close(tree.range(body).end, ")")
            return
        }
        if let end = tree.endOfDirectives(body) {
            edits.close(end, ";\(call(expression))")
        } else {
            edits.close(tree.range(body).start + 1, call(expression))
        }
    }
}

/// An element of a script whose state outlives a call.
public struct ScriptState: Sendable, Hashable, CustomStringConvertible {
    public let position: SourcePosition
    /// Why, such as "a class has private members".
    public let description: String

    public init(position: SourcePosition, description: String) {
        self.position = position
        self.description = description
    }
}
