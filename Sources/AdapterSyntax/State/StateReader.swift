/// Follows the values of a script through variables, properties, parameters and results, without regard to the order in which its
/// code runs, and notes every place that may change what outlives a call.
///
/// Properties are told apart by their names alone, so that it does not matter through which alias of an object one is set or
/// read. A class, since the analysis is spread over several files that all change it.
final class StateReader {
    typealias Node = ValueGraph.Node

    /// A variable: one that the script declares, or a name that it only assigns.
    enum Variable: Hashable {
        case declared(Int)
        case undeclared(String)
    }

    /// The value of an expression.
    struct Value {
        var node: Node
        /// Whether it is certainly a text, a number, a boolean or nothing.
        var isPrimitive = false

        static let fresh = Value(node: ValueGraph.fresh)
        static let primitive = Value(node: ValueGraph.fresh, isPrimitive: true)
        static let shared = Value(node: ValueGraph.shared)
    }

    /// What is known of a function. The first one is the script's top level.
    struct Function {
        let node: NodeID
        /// The function that it stands in.
        let outer: Int
        let isArrow: Bool
        let parameters: [Node]
        /// All arguments that calls pass.
        let arguments: Node
        let result: Node
        /// The object that `this` is, and whether it may be the global object.
        let this: Node
        let thisIsGlobal: Node
        /// Whether it may run while the script is loaded, so that closures in it keep its variables.
        let load: Node
    }

    /// A place that keeps something between calls if all conditions are marked.
    struct Concern {
        var conditions: [Node]
        let node: NodeID
        let variable: String?
        let description: String
    }

    let tree: SyntaxTree
    let names: NameTable
    let entryPoints: Set<String>
    var graph = ValueGraph()
    var functions: [Function] = []
    var functionIndices: [NodeID: Int] = [:]
    /// The function whose code is being read.
    var current = 0
    /// The last call that is a whole statement.
    var unusedCall: NodeID?
    var concerns: [Concern] = []

    var variableNodes: [Variable: Node] = [:]
    /// The functions that are directly assigned to a variable, and those variables that may hold others.
    var functionsOfVariable: [Variable: Set<Int>] = [:]
    var variablesOfUnknownFunctions: Set<Variable> = []
    /// The variables of the top level that functions assign.
    var temporaries: Set<Variable> = []

    /// The values of properties, by name; those that are set under a computed name, and all together.
    var fieldNodes: [String: Node] = [:]
    let anyNamed: Node
    let anyField: Node
    var functionsOfField: [String: Set<Int>] = [:]
    var functionsOfAnyField: Set<Int> = []
    var fieldsOfUnknownFunctions: Set<String> = []
    var anyFieldHasUnknownFunctions = false
    var pendingCalls: [PendingCall] = []
    /// Functions that the runtime is given, with the values that it calls them with.
    var callBacks: [(variable: Variable, value: Node, caller: Int)] = []
    var pendingReads: [(name: String, target: Node)] = []
    /// Properties that are set to what a variable holds, which may be functions.
    var pendingFields: [(name: String?, variable: Variable)] = []
    /// Whether properties are read under any name.
    var readsAnyField = false
    /// Variables that are used other than to call what they hold.
    var variablesReadAsValues: Set<Variable> = []

    /// The functions that may be called where the script does not show it, with these arguments, `this` and results.
    var escaping: Set<Int> = []
    let unknownArguments: Node
    let unknownThis: Node
    let unknownResult: Node
    let unknownLoad: Node
    let thrown: Node
    /// Whether a regular expression that keeps its place may outlive a call.
    let sharedMatcher: Node
    let usesXML: Bool
    /// The identifiers that read a variable.
    let readNodes: Set<NodeID>
    /// The names that the script assigns and does not declare.
    let assignedNames: Set<String>
    /// The identifiers that refer to a name which the script does not declare.
    let freeReferences: Set<NodeID>
    /// For `for (key in object)`: the text of `object`, by the key's variable.
    var loopKeys: [Variable: String] = [:]
    /// Variables whose every value is a number.
    var numericVariables: Set<Variable> = []

    private let deadline: ContinuousClock.Instant
    private var steps = 0
    private var depth = 0

    init(_ tree: SyntaxTree, entryPoints: Set<String>, budget: Duration) {
        self.tree = tree
        self.entryPoints = entryPoints
        deadline = .now + budget
        names = NameTable(tree)
        anyNamed = graph.makeNode()
        anyField = graph.makeNode()
        unknownArguments = graph.makeNode()
        unknownThis = graph.makeNode()
        unknownResult = graph.makeNode()
        unknownLoad = graph.makeNode()
        thrown = graph.makeNode()
        sharedMatcher = graph.makeNode()
        graph.connect(anyNamed, to: anyField)
        freeReferences = Set(names.free.map(\.node))
        readNodes = Set(names.references.filter { !$0.isWrite }.map(\.node))
        assignedNames = Set(names.free.filter(\.isWrite).map(\.name))
        usesXML = names.free.contains { $0.name == "XML" || $0.name == "XMLList" } || tree.hasXML
    }

    func verdict() -> StateVerdict {
        do throws(Doubt) {
            try prepare()
            try readProgram()
            resolveCalls()
        } catch {
            return .stateful(state(at: error.node, variable: nil, error.reason))
        }
        var flow = AssignmentFlow(self)
        flow.read()
        concerns += flow.concerns
        let marks = graph.marks()
        let broken = concerns.filter { $0.conditions.allSatisfy { marks[$0] } }
        guard let first = broken.min(by: { tree.range($0.node).start < tree.range($1.node).start }) else {
            return .stateless(temporaries: temporaries.map(name).sorted())
        }
        return .stateful(state(at: first.node, variable: first.variable, first.description))
    }

    private func state(at node: NodeID, variable: String?, _ description: String) -> ScriptState {
        ScriptState(
            variable: variable, position: tree.source.position(at: tree.range(node).start), description: description)
    }

    /// The analysis cannot follow the script.
    struct Doubt: Error {
        let node: NodeID
        let reason: String
    }

    /// Counts a step of the analysis.
    ///
    /// - Throws: ``Doubt`` when it takes too long, or when the script is nested too deeply for the stack.
    func step<Result>(at node: NodeID, _ body: () throws(Doubt) -> Result) throws(Doubt) -> Result {
        steps += 1
        if steps % 256 == 0, ContinuousClock.now > deadline {
            throw Doubt(node: node, reason: "the script is too large to be analysed in time")
        }
        depth += 1
        defer { depth -= 1 }
        guard depth < 600 else { throw Doubt(node: node, reason: "the script is nested too deeply to be analysed") }
        return try body()
    }

    /// Notes a place that keeps something between calls, wherever it runs.
    func refuse(_ node: NodeID, variable: String? = nil, _ description: String) {
        concerns.append(
            Concern(conditions: [ValueGraph.shared], node: node, variable: variable, description: description))
    }

    /// Notes a place that keeps something between calls if all conditions hold.
    func note(
        _ node: NodeID, if condition: Node, and second: Node = ValueGraph.shared, variable: String? = nil,
        _ description: String
    ) {
        guard condition != ValueGraph.fresh else { return }
        concerns.append(
            Concern(conditions: [condition, second], node: node, variable: variable, description: description))
    }

    /// The running function's name for messages.
    var place: String {
        var index = current
        while index != 0 {
            let node = functions[index].node
            if tree.kind(node) == .functionDeclaration || tree.kind(node) == .functionExpression,
                !tree.child(node, 0).isAbsent
            {
                return "\(tree.name(tree.child(node, 0)))()"
            }
            index = functions[index].outer
        }
        return current == 0 ? "the top level" : "a function"
    }
}

// MARK: Variables

extension StateReader {
    func name(_ variable: Variable) -> String {
        switch variable {
        case .declared(let index): names.bindings[index].name
        case .undeclared(let name): name
        }
    }

    /// The variable that an identifier is.
    func variable(_ identifier: NodeID) -> Variable {
        names.binding(of: identifier).map(Variable.declared) ?? .undeclared(tree.name(identifier))
    }

    /// The function that a variable belongs to; 0 for one of the top level.
    func owner(_ variable: Variable) -> Int {
        guard case .declared(let index) = variable else { return 0 }
        let scope = names.scopes[names.scopes[names.bindings[index].scope].function]
        return functionIndices[scope.node] ?? 0
    }

    func node(_ variable: Variable) -> Node {
        if let node = variableNodes[variable] { return node }
        let node = graph.makeNode()
        variableNodes[variable] = node
        return node
    }

    func field(_ name: String) -> Node {
        if let node = fieldNodes[name] { return node }
        let node = graph.makeNode()
        graph.connect(node, to: anyField)
        fieldNodes[name] = node
        return node
    }

    /// Lists the functions and the variables that functions assign.
    private func prepare() throws(Doubt) {
        addFunction(tree.root, outer: 0)
        var stack = [0]
        var found: Doubt?
        tree.walk(
            from: tree.root,
            enter: { id in
                if tree.isFunction(id) {
                    addFunction(id, outer: stack[stack.count - 1])
                    stack.append(functions.count - 1)
                }
                if let reason = refusal(of: id), found == nil { found = Doubt(node: id, reason: reason) }
                return true
            }, leave: { if tree.isFunction($0) { stack.removeLast() } })
        if let found { throw found }
        for reference in names.references where reference.isWrite && names.scopes[reference.scope].function != 0 {
            let variable = reference.binding.map(Variable.declared) ?? .undeclared(reference.name)
            if owner(variable) == 0 { temporaries.insert(variable) }
        }
        findNumericVariables()
    }

    private func addFunction(_ id: NodeID, outer: Int) {
        let isTop = functions.isEmpty
        functionIndices[id] = functions.count
        let count = isTop ? 0 : tree.childCount(tree.child(id, 1))
        functions.append(
            Function(
                node: id, outer: outer, isArrow: tree.kind(id) == .arrowFunction,
                parameters: (0..<count).map { _ in graph.makeNode() }, arguments: graph.makeNode(),
                result: graph.makeNode(), this: graph.makeNode(), thisIsGlobal: graph.makeNode(),
                load: isTop ? ValueGraph.shared : graph.makeNode()))
        // A function that runs while the script is loaded may call those in it.
        if outer != 0 { graph.connect(functions[outer].load, to: functions[functions.count - 1].load) }
    }

    /// Why the analysis does not follow a construct; `nil` when it does.
    private func refusal(of id: NodeID) -> String? {
        switch tree.kind(id) {
        case .withStatement: "'with' hides which variables are changed"
        case .classDeclaration, .classExpression: "classes are not analysed"
        case .taggedTemplate: "tagged templates are not analysed"
        case .superExpression, .metaProperty, .importCall, .await, .privateName:
            "'\(tree.text(id).prefix(20))' is not analysed"
        case .defaultXMLNamespace: "'default xml namespace' may last longer than a call"
        case .property
        where !tree.propertyTraits(id).isDisjoint(with: [.getter, .setter]):
            "getters and setters are not analysed"
        case .identifier where names.binding(of: id) == nil && isReference(id):
            NativeNames.refusedNames.contains(tree.name(id)) ? "'\(tree.name(id))' is not analysed" : nil
        case .member:
            NativeNames.refusedMembers.contains(tree.name(tree.child(id, 1)))
                ? "'\(tree.name(tree.child(id, 1)))' is not analysed" : nil
        default: nil
        }
    }

    private func isReference(_ id: NodeID) -> Bool { freeReferences.contains(id) }

    /// Finds the variables that hold nothing but numbers, so that an index by them is not `__proto__`.
    private func findNumericVariables() {
        var candidates: Set<Variable> = []
        var refused: Set<Variable> = []
        tree.forEach { id in
            switch tree.kind(id) {
            case .declarator:
                let target = tree.child(id, 0)
                guard tree.kind(target) == .identifier else {
                    refused.formUnion(tree.names(in: target).map(variable))
                    return
                }
                guard !tree.child(id, 1).isAbsent else { return }
                let name = variable(target)
                if isNumeric(tree.child(id, 1)) { candidates.insert(name) } else { refused.insert(name) }
            case .assignment:
                let target = tree.unwrapped(tree.child(id, 0))
                guard tree.kind(target) == .identifier else {
                    refused.formUnion(tree.names(in: target).map(variable))
                    return
                }
                let isSum = [.assign, .plusAssign, .andAssign, .orAssign, .coalesceAssign].contains(tree.operation(id))
                let name = variable(target)
                if !isSum || isNumeric(tree.child(id, 1)) { candidates.insert(name) } else { refused.insert(name) }
            case .forInStatement, .comprehensionLoop: refused.formUnion(tree.names(in: tree.child(id, 0)).map(variable))
            case .parameters, .catchClause:
                for child in tree.children(id) { refused.formUnion(tree.names(in: child).map(variable)) }
            default: break
            }
        }
        numericVariables = candidates.subtracting(refused)
    }

    /// Whether an expression is certainly a number, given what ``numericVariables`` says. A variable without a value is
    /// `undefined`, which is no name of the runtime's either.
    func isNumeric(_ id: NodeID) -> Bool {
        let id = tree.unwrapped(id)
        switch tree.kind(id) {
        case .numberLiteral, .prefixUpdate, .postfixUpdate: return true
        case .identifier: return numericVariables.contains(variable(id))
        case .unary: return [.plus, .minus, .bitNot].contains(tree.operation(id))
        case .binary:
            switch tree.operation(id) {
            case .minus, .times, .divide, .remainder, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight,
                .shiftRightUnsigned, .power:
                return true
            case .plus: return isNumeric(tree.child(id, 0)) && isNumeric(tree.child(id, 1))
            default: return false
            }
        case .call:
            guard let path = nativePath(tree.child(id, 0)) else { return false }
            return ["parseInt", "parseFloat", "Number"].contains(path) || path.hasPrefix("Math.")
        default: return false
        }
    }
}

extension SyntaxTree {
    fileprivate var hasXML: Bool {
        var result = false
        forEach { id in
            switch kind(id) {
            case .xmlLiteral, .xmlAccess, .xmlDescendants, .xmlFilter, .xmlAttribute: result = true
            default: break
            }
        }
        return result
    }
}
