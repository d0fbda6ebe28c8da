/// A script as the body of one function, whose variables are those of the script's top level. Each call of the function runs the script and
/// makes a scope: closures over variables that nothing else reaches.
///
/// The script must be valid for the engine: translate and instrument it first. The function is an arrow function, so that `arguments` and
/// `new.target` mean at the top level what they mean there in a script. Lines stay, and ``map`` has the columns of the first one.
///
/// - Names that the script assigns and nowhere declares are variables too, and so are members of `this` that it assigns by name.
/// - A variable with the name of a global of the realm begins with the realm's value, as `var JSON = JSON || {}` expects.
/// - `this` in functions that are not strict, and `globalThis`, are the scope's object in place of the global object. It has an accessor for each
///   variable, inherits from the global object, and is made when it is first used.
///
/// ``source`` evaluates to the function. Its arguments are the realm's global object, the functions of ``library``, a function `begin`, and
/// the values of ``parameters``. Before the script begins, it calls `begin(get, set, object)`: `get(name)` and `set(name, value)` are for the
/// variables, and `object()` returns the scope's object. `get` also reads what a script has added to that object.
public struct ScopeFunction: Sendable {
    /// A script that evaluates to an object with the functions that scopes need. The object has no state.
    public static let library = EmbeddedText.scope_library_js

    /// The beginning of the names that the function uses for itself.
    static let ownPrefix = "__scope"

    public let source: String
    /// The map from positions in ``source`` to those in the script.
    public let map: SourceMap
    /// The names of the values that the function takes, behind the first three arguments.
    public let parameters: [String]
    /// The names of the variables, in the order of the script.
    public let variables: [String]
    /// The first reason why the script needs its own realm; `nil` when it needs none.
    public let obstacle: ScriptState?

    /// - Parameters:
    ///   - globals: the names that the realm's global object has, inherited ones included.
    ///   - arguments: the names for which each scope has its own value, such as that of ``ThrowMark``.
    public init(_ tree: SyntaxTree, globals: Set<String>, arguments: Set<String> = []) {
        var maker = ScopeFunctionMaker(tree, globals, arguments)
        maker.run()
        let (text, map) = maker.edits.apply()
        source = text.text
        self.map = map
        parameters = maker.parameters
        variables = maker.variables
        obstacle = maker.obstacles.first
    }

    /// Returns a message of the engine as it would be for the script: it quotes the code that runs.
    public static func original(message: String) -> String {
        guard message.contains(ownPrefix) else { return message }
        return message.replacing("\(ownPrefix)This(\(ownPrefix)Global)", with: "globalThis")
            .replacing("\(ownPrefix)This(this)", with: "this")
    }
}

private struct ScopeFunctionMaker {
    private let tree: SyntaxTree
    private let names: NameTable
    private let globals: Set<String>
    private let arguments: Set<String>
    var edits: EditList
    private(set) var parameters: [String] = []
    private(set) var variables: [String] = []
    /// The names of ``variables`` that cannot be assigned.
    private var constants: Set<String> = []
    /// The names of ``variables`` that are to be declared.
    private var undeclared: [String] = []
    private let finder: OwnRealmFinder

    init(_ tree: SyntaxTree, _ globals: Set<String>, _ arguments: Set<String>) {
        self.tree = tree
        self.globals = globals
        self.arguments = arguments
        names = NameTable(tree)
        edits = EditList(tree.source)
        finder = OwnRealmFinder(tree, names, globals: globals, arguments: arguments)
    }

    /// In the order of the script.
    var obstacles: [ScriptState] { finder.obstacles }

    mutating func run() {
        findVariables()
        replaceThis()
        wrap()
    }

    private mutating func findVariables() {
        var known: Set<String> = []
        func isNew(_ name: String) -> Bool { known.insert(name).inserted }
        let fixed: Set<String> = ["undefined", "NaN", "Infinity"]
        var implicit: [String] = []
        var taken: [String] = []
        for binding in names.bindings where binding.scope == 0 {
            guard isNew(binding.name) else { continue }
            variables.append(binding.name)
            if binding.kind == .const { constants.insert(binding.name) }
            if binding.kind == .var { taken.append(binding.name) }
        }
        // In strict code an assignment to an undeclared name is an error.
        let assigned = names.free.filter { $0.isWrite && !finder.strictNames.contains($0.node) }.map(\.name)
        for name in assigned + finder.membersOfThis
        where !fixed.contains(name) && isNew(name) {
            variables.append(name)
            implicit.append(name)
        }
        let isTaken = Set(taken + implicit)
        for name in variables where isTaken.contains(name) && (globals.contains(name) || arguments.contains(name)) {
            parameters.append(name)
        }
        for name in names.free.map(\.name) where arguments.contains(name) && isNew(name) { parameters.append(name) }
        undeclared = implicit.filter { !parameters.contains($0) }
    }

    /// Replaces `this`, where it may be the global object, and `globalThis` by calls. A call, and not an expression in parentheses: that would
    /// continue a line before it that has no semicolon.
    private mutating func replaceThis() {
        let function = "\(ScopeFunction.ownPrefix)This"
        for id in finder.sloppyThis { replace(id, by: "\(function)(this)") }
        for reference in names.free where reference.name == "globalThis" && !variables.contains("globalThis") {
            replace(reference.node, by: "\(function)(\(ScopeFunction.ownPrefix)Global)")
        }
    }

    private mutating func replace(_ id: NodeID, by call: String) {
        // `new f(this).Name()` would construct `f`.
        edits.replace(tree.range(id), finder.constructed.contains(id) ? "(\(call))" : call)
    }

    private mutating func wrap() {
        let own = ScopeFunction.ownPrefix
        let list = ["\(own)Global", "\(own)Library", "\(own)Begin"] + parameters
        edits.open(0, "((\(list.joined(separator: ","))) => {")
        let begin = "\(own)Begin(\(own)Get,\(own)Set,\(own)Whole);"
        if let last = directives.last {
            edits.close(tree.range(last).end, ";" + begin)
        } else {
            edits.open(0, begin)
        }
        // The declarations apply to the whole function. Here they leave directives at its beginning.
        let declared = ["\(own)Object"] + undeclared
        // The names of parameters would hide variables.
        let (name, value) = ("\(own)Name", "\(own)Value")
        let reads = variables.map { "case \"\($0)\":return \($0);" }.joined()
        // Scripts do not see twins.
        let visible = variables.filter { !$0.hasPrefix(TwinnedScript.prefix) }
        let writes = visible.filter { !constants.contains($0) }.map { name in
            let twin = TwinnedScript.twin(of: name)
            let newTwin = variables.contains(twin) ? "\(twin)=function*(){return \(name)(...arguments)};" : ""
            return "case \"\(name)\":\(name)=\(value);\(newTwin)return;"
        }.joined()
        let all = visible.map { "\"\($0)\"" }.joined(separator: ",")
        let end = """

            ;var \(declared.joined(separator: ","));\
            function \(own)Get(\(name)){switch(\(name)){\(reads)}return \(own)Library.member(\(own)Object,\(name))}\
            function \(own)Set(\(name),\(value)){switch(\(name)){\(writes)}\(own)Whole()[\(name)]=\(value)}\
            function \(own)Whole(){return \(own)Object||(\(own)Object=\(own)Library.make(\(own)Global,[\(all)],\(own)Get,\(own)Set))}\
            function \(own)This(\(value)){return \(value)===\(own)Global?\(own)Whole():\(value)}})
            """
        edits.close(tree.source.bytes.count, end)
    }

    /// The statements at the beginning that only work there, such as `"use strict"`.
    private var directives: ArraySlice<NodeID> {
        let statements = tree.children(tree.root)
        let end = statements.firstIndex { id in
            tree.kind(id) != .expressionStatement || tree.kind(tree.child(id, 0)) != .stringLiteral
        }
        return statements[..<(end ?? statements.endIndex)]
    }
}

/// Finds what a script can only do in its own realm: it changes the language, or uses the global object for names that it nowhere declares.
///
/// The decision is about the script's behaviour only. A change that is not found fails in a locked realm, and no user sees another's value.
private struct OwnRealmFinder {
    private let tree: SyntaxTree
    private let names: NameTable
    /// The identifiers whose values may be the realm's.
    private var realmValues: Set<NodeID> = []
    private(set) var obstacles: [ScriptState] = []
    /// The names in strict code.
    private(set) var strictNames: Set<NodeID> = []
    /// `this` and `globalThis` outside of functions that become members of objects: there they are the global object.
    private var globalObjects: Set<NodeID> = []
    /// The operands of `typeof`.
    private var tested: Set<NodeID> = []
    private var hasHeritage = false
    /// The first private member.
    private var privateMember: NodeID?
    /// The nodes at which what `new` constructs begins, such as `this` in `new this.Name()`.
    private(set) var constructed: Set<NodeID> = []
    /// `this` in code that is not strict.
    private(set) var sloppyThis: [NodeID] = []
    /// The names in `this.name = value`.
    private(set) var membersOfThis: [String] = []
    /// The first `this` or `globalThis` whose members the script may reach by computed names.
    private var wholeObject: NodeID?

    init(_ tree: SyntaxTree, _ names: NameTable, globals: Set<String>, arguments: Set<String>) {
        self.tree = tree
        self.names = names
        findRealmValues(globals)
        findThis()
        for id in tree.all { visit(id) }
        // Such a class can put a member on any object, also a frozen one.
        if let privateMember, hasHeritage {
            stop(privateMember, "the script has private members, and a class that extends another")
        }
        findUnknownNames(globals.union(arguments))
        findEqualNames()
        obstacles.sort { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
    }

    private mutating func stop(_ node: NodeID, _ description: String) {
        obstacles.append(
            ScriptState(position: tree.source.position(at: tree.range(node).start), description: description))
    }

    // MARK: Names

    private mutating func findRealmValues(_ globals: Set<String>) {
        for reference in names.references where globals.contains(reference.name) {
            if let binding = reference.binding {
                let found = names.bindings[binding]
                guard found.scope == 0, found.kind == .var else { continue }
            }
            realmValues.insert(reference.node)
        }
    }

    private mutating func findUnknownNames(_ globals: Set<String>) {
        guard wholeObject != nil else { return }
        let assigned = Set(names.free.filter(\.isWrite).map(\.name) + membersOfThis)
        let unknown = names.free.first { reference in
            !tested.contains(reference.node) && !globals.contains(reference.name) && !assigned.contains(reference.name)
                && !["globalThis", "arguments"].contains(reference.name)
        }
        guard let unknown else { return }
        stop(
            unknown.node,
            "'\(unknown.name)' is declared nowhere, and the script may define it as a member of the global object")
    }

    /// Two names may be equal in Swift and not in JavaScript, such as 'é' as one code point and as two.
    private mutating func findEqualNames() {
        var spellings: [String: String.UTF8View] = [:]
        for id in tree.all where tree.kind(id) == .identifier {
            let name = tree.name(id)
            if name.hasPrefix(ScopeFunction.ownPrefix) { stop(id, "the name '\(name)' is the server's") }
            if let known = spellings[name] {
                if !known.elementsEqual(name.utf8) { stop(id, "two names read alike but have different characters") }
            } else {
                spellings[name] = name.utf8
            }
        }
    }

    // MARK: this

    private mutating func findThis() {
        var work: [(id: NodeID, parent: NodeID, isStrict: Bool, isMethod: Bool)] = [
            (tree.root, .absent, tree.functionTraits(tree.root).contains(.strict), false)
        ]
        while let (id, parent, outer, isInMethod) = work.popLast() {
            var (isStrict, isMethod) = (outer, isInMethod)
            switch tree.kind(id) {
            case .functionDeclaration, .functionExpression, .arrowFunction, .method:
                isStrict = isStrict || tree.functionTraits(id).contains(.strict)
                if tree.kind(id) != .arrowFunction { isMethod = isMember(id, of: parent) }
            case .classDeclaration, .classExpression: isStrict = true
            case .thisExpression where !isStrict:
                sloppyThis.append(id)
                if !isMethod { globalObjects.insert(id) }
            case .identifier:
                if isStrict { strictNames.insert(id) }
                if isGlobalThis(id) { globalObjects.insert(id) }
            case .new:
                var first = tree.child(id, 0)
                while [.member, .index, .taggedTemplate].contains(tree.kind(first)) { first = tree.child(first, 0) }
                constructed.insert(first)
            default: break
            }
            if !isStrict || tree.kind(id) == .identifier { noteGlobalObject(id, in: parent) }
            for child in tree.children(id).reversed() where !child.isAbsent {
                work.append((child, id, isStrict, isMethod))
            }
        }
    }

    /// Returns whether a function becomes the member of an object.
    private func isMember(_ function: NodeID, of parent: NodeID) -> Bool {
        switch tree.kind(function) {
        case .method: true
        case .functionExpression:
            tree.kind(parent) == .property
                || tree.kind(parent) == .assignment
                    && [.member, .index].contains(tree.kind(tree.unwrapped(tree.child(parent, 0))))
        default: false
        }
    }

    private func isGlobalThis(_ id: NodeID) -> Bool {
        tree.kind(id) == .identifier && tree.name(id) == "globalThis" && names.free.contains { $0.node == id }
    }

    private mutating func noteGlobalObject(_ id: NodeID, in parent: NodeID) {
        guard tree.kind(id) == .thisExpression || isGlobalThis(id) else { return }
        if tree.kind(parent) == .member, tree.child(parent, 0) == id { return }
        wholeObject = wholeObject ?? id
    }

    // MARK: Changes of the language

    private mutating func visit(_ id: NodeID) {
        switch tree.kind(id) {
        case .assignment, .prefixUpdate, .postfixUpdate: visitTargets(tree.child(id, 0), of: id)
        case .forInStatement where tree.kind(tree.child(id, 0)) != .variableDeclaration:
            visitTargets(tree.child(id, 0), of: id)
        case .unary where tree.operation(id) == .delete: visitDelete(id)
        case .unary where tree.operation(id) == .typeof: tested.insert(tree.unwrapped(tree.child(id, 0)))
        case .binary where tree.operation(id) == .in && isGlobalObject(tree.child(id, 1)):
            stop(id, "the script asks whether the global object has a member")
        case .classDeclaration, .classExpression: hasHeritage = hasHeritage || !tree.child(id, 1).isAbsent
        case .privateName: privateMember = privateMember ?? id
        case .call: visitCall(id)
        case .member, .index: visitStatics(id)
        case .identifier where tree.name(id) == "WeakRef" && names.free.contains { $0.node == id }:
            stop(id, "the script uses WeakRef")
        case .identifier where tree.name(id) == "eval" && names.free.contains { $0.node == id }:
            stop(id, "the script uses eval")
        case .importCall,
            .metaProperty where tree.text(id).hasPrefix("import"):
            stop(id, "the script uses import")
        case .functionDeclaration, .functionExpression, .arrowFunction, .method:
            if tree.functionTraits(id).contains(.async) { stop(id, "the script has an async function") }
        default: break
        }
    }

    private mutating func visitTargets(_ target: NodeID, of id: NodeID) {
        var pending = [target]
        while let next = pending.popLast() {
            let node = tree.unwrapped(next)
            switch tree.kind(node) {
            case .member, .index: visitMember(node, of: id)
            case .arrayPattern, .objectPattern: pending.append(contentsOf: tree.children(node))
            case .propertyPattern: pending.append(tree.child(node, 1))
            case .assignmentPattern, .restElement: pending.append(tree.child(node, 0))
            default: break
            }
        }
    }

    /// `String.prototype.trim = …`, `list.map = …`, `List.prototype = []`, `this.name = …`
    private mutating func visitMember(_ node: NodeID, of id: NodeID) {
        // Each scope has its own settings of XML.
        if Self.settingsOfXML.contains(tree.text(node)) { return }
        if let root = realmRoot(of: node) {
            return stop(node, "the script changes '\(tree.text(root))', which all sessions use")
        }
        guard let name = memberName(node) else { return }
        let owner = tree.unwrapped(tree.child(node, 0))
        if tree.kind(owner) == .thisExpression, tree.kind(node) == .member, name != "__proto__" {
            membersOfThis.append(name)
        }
        let isClass = tree.kind(owner) == .member && memberName(owner) == "prototype"
        if Self.methodsOfArrays.contains(name), !isClass {
            stop(node, "the script assigns the member '\(name)', which arrays inherit as a read-only one")
        }
        guard name == "prototype", tree.kind(id) == .assignment else { return }
        let value = tree.unwrapped(tree.child(id, 1))
        let isArray =
            tree.kind(value) == .arrayLiteral
            || tree.kind(value) == .new
                && ["Array", "String", "RegExp"].contains(tree.text(tree.unwrapped(tree.child(value, 0))))
        if isArray { stop(node, "the script makes a class of arrays, strings or regular expressions") }
    }

    private static let settingsOfXML: Set<String> = [
        "XML.ignoreComments", "XML.ignoreProcessingInstructions", "XML.ignoreWhitespace", "XML.prettyIndent",
        "XML.prettyPrinting",
    ]

    /// The methods that `ScriptContext.lock()` leaves read-only.
    private static let methodsOfArrays: Set<String> = [
        "concat", "every", "filter", "forEach", "indexOf", "join", "lastIndexOf", "map", "pop", "push", "reduce",
        "reduceRight", "reverse", "shift", "slice", "some", "sort", "splice", "unshift",
    ]

    private func memberName(_ node: NodeID) -> String? {
        let key = tree.unwrapped(tree.child(node, 1))
        if tree.kind(key) == .privateName { return nil }
        return tree.kind(node) == .member || tree.kind(key) == .stringLiteral ? tree.key(key) : nil
    }

    /// The name at the beginning of `Date.prototype.toJSON`, if its value may be the realm's.
    private func realmRoot(of node: NodeID) -> NodeID? {
        var node = node
        while tree.kind(node) == .member || tree.kind(node) == .index { node = tree.unwrapped(tree.child(node, 0)) }
        return tree.kind(node) == .identifier && realmValues.contains(node) && tree.name(node) != "globalThis"
            ? node : nil
    }

    private func isGlobalObject(_ id: NodeID) -> Bool { globalObjects.contains(tree.unwrapped(id)) }

    private mutating func visitDelete(_ id: NodeID) {
        let target = tree.unwrapped(tree.child(id, 0))
        switch tree.kind(target) {
        case .identifier: stop(id, "the script deletes a variable")
        case .member, .index:
            if isGlobalObject(tree.child(target, 0)) {
                stop(id, "the script deletes a member of the global object")
            } else if let root = realmRoot(of: target) {
                stop(id, "the script changes '\(tree.text(root))', which all sessions use")
            }
        default: break
        }
    }

    /// `Object.defineProperty(String.prototype, …)`, `Date.prototype.__defineGetter__(…)`, `extend(Array.prototype, …)`
    private mutating func visitCall(_ id: NodeID) {
        let callee = tree.unwrapped(tree.child(id, 0))
        let isMember = tree.kind(callee) == .member || tree.kind(callee) == .index
        let name = isMember ? memberName(callee) : nil
        if let name, ["__defineGetter__", "__defineSetter__"].contains(name), let root = realmRoot(of: callee) {
            return stop(id, "the script changes '\(tree.text(root))', which all sessions use")
        }
        let owner = isMember ? tree.unwrapped(tree.child(callee, 0)) : .absent
        if name == "hasOwnProperty", isGlobalObject(owner) {
            return stop(id, "the script asks whether the global object has a member")
        }
        let isReflective =
            !owner.isAbsent && realmValues.contains(owner) && ["Object", "Reflect"].contains(tree.text(owner))
        if isReflective, name == "create", let parent = tree.children(id).dropFirst().first {
            return visitParent(tree.unwrapped(parent))
        }
        if isReflective, let name, !Self.changing.contains(name) { return }
        for argument in tree.children(id).dropFirst() {
            let value = tree.unwrapped(argument)
            if isReflective, isGlobalObject(value) {
                return stop(id, "the script defines members of the global object")
            }
            let isPrototype = tree.kind(value) == .member && tree.text(tree.child(value, 1)) == "prototype"
            let isRealms = tree.kind(value) == .identifier && isReflective && realmValues.contains(value)
            if isPrototype || isRealms, let root = realmRoot(of: value) {
                return stop(id, "the script may change '\(tree.text(root))', which all sessions use")
            }
            if isReflective { return }
        }
    }

    /// `Object.create(Array.prototype)`, `Object.create(WL.Logger)`: an object that inherits read-only members, which it may replace.
    private mutating func visitParent(_ value: NodeID) {
        guard let root = realmRoot(of: value) else { return }
        let isClass = tree.kind(value) == .member && memberName(value) == "prototype" && tree.child(value, 0) == root
        if isClass, Self.overridable.contains(tree.name(root)) { return }
        stop(value, "the script makes an object that inherits from '\(tree.text(value))', whose members are read-only")
    }

    /// The classes of whose prototypes `ScriptContext.lock()` lets objects replace members.
    private static let overridable: Set<String> = [
        "Object", "Function", "Boolean", "Number", "Date", "Error", "EvalError", "RangeError", "ReferenceError",
        "SyntaxError",
        "TypeError", "URIError",
    ]

    /// The functions of `Object` and `Reflect` that change their first argument.
    private static let changing: Set<String> = [
        "assign", "defineProperties", "defineProperty", "deleteProperty", "set", "setPrototypeOf",
    ]

    /// `RegExp.$1`
    private mutating func visitStatics(_ id: NodeID) {
        let owner = tree.unwrapped(tree.child(id, 0))
        let name = memberName(id)
        if name == "captureStackTrace" {
            return stop(id, "the script uses Error.captureStackTrace, which changes objects")
        }
        guard tree.kind(owner) == .identifier, tree.name(owner) == "RegExp", realmValues.contains(owner) else { return }
        let isStatic = name.map { $0.hasPrefix("$") || Self.statics.contains($0) } ?? true
        if isStatic { stop(id, "the script reads the last match from RegExp") }
    }

    private static let statics: Set<String> = [
        "input", "lastMatch", "lastParen", "leftContext", "multiline", "rightContext",
    ]
}
