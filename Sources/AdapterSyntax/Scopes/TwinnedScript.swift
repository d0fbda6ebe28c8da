/// A script in which each function that waits for a back end has a twin: a generator with the same code, which yields where the function itself
/// would hold up its thread.
///
/// The twin is where the function was, so that lines stay. The function itself is a copy behind the script, for all uses but a call by its name
/// in another twin: as a value, as a callback, in a nested function. In a twin
///
/// - `WL.Server.invokeHttp(options)` is `__twinAfter(yield __twinBefore(WL.Server.invokeHttp)(options))`: `__twinBefore(function)` returns the
///   function's first part, the generator yields the result of that, and `__twinAfter(result)` returns the result of the call or throws;
/// - a call of another function that has a twin is `__twinValue(yield* __twin_name(…))`, where `__twinValue` returns its argument: a call, so that
///   no line before it continues in it.
///
/// A function has a twin if it is declared exactly once, as a statement of the top level itself; its name is nowhere assigned; and it calls a
/// back end, or such a function by its name, directly and not in a nested function. ``blocking`` lists the other calls of back ends in functions,
/// and the other uses of functions that have a twin, with the reasons. While the script is loaded, all calls wait on their thread.
///
/// The script must be valid for the engine: translate and instrument it first. Streamline.js translates in the same way.
public struct TwinnedScript: Sendable {
    /// The names of the functions that the script calls.
    public static let before = "__twinBefore"
    public static let after = "__twinAfter"
    public static let value = "__twinValue"

    public static let functionNames: Set = [before, after, value]

    /// The beginning of the twins' names.
    static let prefix = "__twin_"

    public let source: String
    /// The map from positions in ``source`` to those in the script.
    public let map: SourceMap
    /// The names of the functions that have a twin, in the order of the script.
    public let functions: [String]
    /// The calls in functions for which the thread has to wait, and the uses of functions as values that may be called so, in the order of the
    /// script.
    public let blocking: [ScriptState]

    /// - Parameter isValid: returns whether the engine accepts a script.
    public init(_ tree: SyntaxTree, isValid: (String) -> Bool) {
        let finder = TwinFinder(tree)
        var refused: Set<NodeID> = []
        var twins = finder.twins(without: refused)
        // The engine decides.
        if !twins.isEmpty, !isValid(TwinMaker(tree, finder, twins).make().source) {
            while let wrong = twins.first(where: { !isValid(TwinMaker(tree, finder, twins).twin(of: $0)) }) {
                refused.insert(wrong)
                twins = finder.twins(without: refused)
            }
        }
        functions = twins.map { tree.name(tree.child($0, 0)) }
        blocking = finder.blocking(with: twins, refused: refused)
        guard !twins.isEmpty else {
            source = tree.source.text
            map = EditList(tree.source).apply().map
            return
        }
        (source, map) = TwinMaker(tree, finder, twins).make()
    }

    /// Returns the name of a function's twin.
    public static func twin(of name: String) -> String { prefix + name }

    /// Returns a message of the engine as it would be for the script: it quotes the code that runs.
    public static func original(message: String) -> String {
        var text = message
        while let found = text.firstRange(of: "\(after)(yield \(before)(") {
            for _ in 0..<2 {
                if let end = closing(text, after: found.upperBound) { text.remove(at: end) }
            }
            text.removeSubrange(found)
        }
        while let found = text.firstRange(of: "\(value)(yield* \(prefix)") {
            if let end = closing(text, after: found.upperBound) { text.remove(at: end) }
            text.removeSubrange(found)
        }
        return text
    }

    /// Returns the position of the parenthesis that closes one before `start`; `nil` if the message ends before.
    private static func closing(_ text: String, after start: String.Index) -> String.Index? {
        var depth = 1
        return text[start...].indices.first { index in
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            return depth == 0
        }
    }

    /// Returns a stack without the twins: with the names of their functions, and without the engine's calls that resume them.
    public static func original(stack: String) -> String {
        guard stack.contains(prefix) else { return stack }
        var lines: [Substring] = []
        for line in stack.split(separator: "\n", omittingEmptySubsequences: false) {
            let isResuming = line.hasPrefix("next@") || line.hasPrefix("generatorResume@")
            if isResuming, lines.last?.hasPrefix(prefix) == true { continue }
            lines.append(line)
        }
        return lines.map { $0.hasPrefix(prefix) ? $0.dropFirst(prefix.count) : $0 }.joined(
            separator: "\n")
    }
}

/// Finds the functions that can have twins.
private struct TwinFinder {
    /// A call that waits.
    struct Site {
        let call: NodeID
        /// The function of the script that it calls; `nil` for one of the server's.
        let callee: NodeID?
    }

    private let tree: SyntaxTree
    private let names: NameTable
    /// The uses of `arguments` and `yield` as variables.
    private let argumentsNames: Set<NodeID>
    private let yieldNames: Set<NodeID>
    /// The functions that can have a twin if they call something that waits, in the order of the script.
    private var candidates: [NodeID] = []
    private var sites: [NodeID: [Site]] = [:]
    /// The reasons why functions at the top level can have no twin.
    private var reasons: [NodeID: String] = [:]
    /// The candidate that a binding declares.
    private var candidateOf: [Int: NodeID] = [:]
    /// The reason why the script can have no twins at all.
    private var reasonForAll: String?

    init(_ tree: SyntaxTree) {
        self.tree = tree
        let names = NameTable(tree)
        self.names = names
        let uses = { (name: String) in Set(names.references.filter { $0.name == name }.map(\.node)) }
        (argumentsNames, yieldNames) = (uses("arguments"), uses("yield"))
        let assigned = namesAssignedAsMembers
        readScript(assigned)
        for id in tree.children(tree.root) where tree.kind(id) == .functionDeclaration {
            guard let binding = names.binding(of: tree.child(id, 0)) else { continue }
            if let reason = reason(against: id, names.bindings[binding], assigned) {
                reasons[id] = reason
            } else {
                candidates.append(id)
                candidateOf[binding] = id
            }
        }
        for id in candidates { sites[id] = findSites(in: id) }
    }

    /// The server's functions that wait for a back end.
    private static let waiting: Set<String> = [
        "invokeHttp", "invokeProcedure", "invokeSQLStatement", "invokeSQLStoredProcedure",
    ]

    /// Returns the functions that have a twin, in the order of the script.
    func twins(without refused: Set<NodeID>) -> [NodeID] {
        guard reasonForAll == nil else { return [] }
        var found: Set<NodeID> = []
        var count = -1
        while found.count != count {
            count = found.count
            for id in candidates
            where !refused.contains(id) && sites(of: id, with: found).isEmpty == false {
                found.insert(id)
            }
        }
        return candidates.filter(found.contains)
    }

    /// Returns the calls in a function at which its twin yields.
    func sites(of id: NodeID, with twins: Set<NodeID>) -> [Site] {
        (sites[id] ?? []).filter { site in site.callee.map(twins.contains) ?? true }
    }

    /// Returns the calls that wait in a function, but in no twin, and the uses as values of functions that wait.
    func blocking(with twins: [NodeID], refused: Set<NodeID>) -> [ScriptState] {
        let all = Set(twins)
        let handled = Set(twins.flatMap { sites(of: $0, with: all) }.map(\.call))
        let functions = tree.all.filter(tree.isFunction).map(tree.range)
        func isInFunction(_ id: NodeID) -> Bool {
            functions.contains { $0.start <= tree.range(id).start && tree.range(id).end <= $0.end }
        }
        var found: [NodeID: String] = [:]
        var callees: Set<NodeID> = []
        // The server calls the twins of functions that it gets when the script is loaded.
        var given: Set<NodeID> = []
        for call in tree.all where tree.kind(call) == .call {
            let callee = tree.child(call, 0)
            callees.insert(callee)
            if tree.kind(callee) == .member, isServer(tree.child(callee, 0)), !isInFunction(call) {
                given.formUnion(tree.all(in: call))
            }
            guard !handled.contains(call), isInFunction(call) else { continue }
            if isBackEndCall(call) || site(call)?.callee.map(all.contains) == true {
                found[call] = "\(tree.text(tree.child(call, 0))) \(reason(forBlocking: call, refused))"
            }
        }
        for reference in names.references where reference.binding.flatMap({ candidateOf[$0] }).map(all.contains) == true
        {
            guard !callees.contains(reference.node), !given.contains(reference.node),
                !all.contains(where: { tree.child($0, 0) == reference.node })
            else {
                continue
            }
            found[reference.node] = "\(reference.name), which calls a back end, is used as a value"
        }
        for server in usesOfServerAsValue {
            found[server] = "\(tree.text(server)) is used as a value, by which a back end may be called"
        }
        return found.map { id, description in
            ScriptState(position: tree.source.position(at: tree.range(id).start), description: description)
        }.sorted { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
    }

    /// The uses of `WL.Server` other than as `WL.Server.name`.
    private var usesOfServerAsValue: [NodeID] {
        let read = Set(tree.all.filter { tree.kind($0) == .member }.map { tree.child($0, 0) })
        return tree.all.filter { isServer($0) && !read.contains($0) }
    }

    private func reason(forBlocking call: NodeID, _ refused: Set<NodeID>) -> String {
        if let reasonForAll { return reasonForAll }
        let top = tree.children(tree.root).first { statement in
            tree.range(statement).start <= tree.range(call).start
                && tree.range(call).end <= tree.range(statement).end
        }
        guard let top, tree.kind(top) == .functionDeclaration else {
            return "is not called in a function that is declared at the top level"
        }
        if let reason = reasons[top] {
            return "is called in '\(tree.name(tree.child(top, 0)))', \(reason)"
        }
        if refused.contains(top) {
            return
                "is called in '\(tree.name(tree.child(top, 0)))', which the engine refuses as a generator"
        }
        return
            "is called in a nested function, a class, a 'with' statement or the default of a parameter"
    }

    // MARK: The script

    private mutating func readScript(_ assignedMembers: Set<String>) {
        if tree.source.text.contains("__twin") {
            reasonForAll = "is in a script that uses names of the server"
        }
        for id in tree.all where tree.kind(id) == .member {
            let name = tree.text(tree.child(id, 1))
            if ["callee", "caller"].contains(name) || name == "arguments" {
                reasonForAll = reasonForAll ?? "is in a script that mentions '.\(name)'"
            }
        }
        for root in ["WL", "MFP"]
        where names.bindings.contains(where: { $0.name == root && $0.scope == 0 }) {
            reasonForAll = reasonForAll ?? "is in a script that declares '\(root)'"
        }
        for root in ["WL", "MFP"] where assignedMembers.contains(root) {
            reasonForAll = reasonForAll ?? "is in a script that assigns '\(root)'"
        }
        for reference in names.free where reference.isWrite && ["WL", "MFP"].contains(reference.name) {
            reasonForAll = reasonForAll ?? "is in a script that assigns '\(reference.name)'"
        }
    }

    /// The names in `this.name = value`.
    private var namesAssignedAsMembers: Set<String> {
        var result: Set<String> = []
        for id in tree.all {
            guard [.assignment, .prefixUpdate, .postfixUpdate, .forInStatement].contains(tree.kind(id))
            else { continue }
            for target in tree.all(in: tree.child(id, 0)) where tree.kind(target) == .member {
                result.insert(tree.text(tree.child(target, 1)))
            }
        }
        return result
    }

    // MARK: A function

    private func reason(
        against id: NodeID, _ binding: NameTable.Binding, _ assignedMembers: Set<String>
    ) -> String? {
        if tree.functionTraits(id).intersection([.generator, .async, .plainGenerator]) != [] {
            return "which is a generator or async"
        }
        if binding.isDeclaredAgain { return "which is declared twice" }
        if binding.references.contains(where: { names.references[$0].isWrite })
            || assignedMembers.contains(binding.name)
        {
            return "which is assigned, too"
        }
        // The engine refuses all other uses of the name.
        if tree.all(in: id).contains(where: yieldNames.contains) { return "in which 'yield' is a name" }
        if usesArgumentsAsValue(id) { return "which uses 'arguments' as a value" }
        // The engine's generators have one scope for parameters and body.
        if tree.all(in: tree.child(id, 1)).contains(where: tree.isFunction) {
            return "which has a function in the default of a parameter"
        }
        return nil
    }

    /// Returns whether a function uses `arguments` other than as `arguments[…]` and `arguments.length`.
    private func usesArgumentsAsValue(_ id: NodeID) -> Bool {
        var allowed: Set<NodeID> = []
        for node in tree.all(in: id) {
            switch tree.kind(node) {
            case .index: allowed.insert(tree.child(node, 0))
            case .member where tree.text(tree.child(node, 1)) == "length":
                allowed.insert(tree.child(node, 0))
            case .call:
                // `arguments[0](…)` passes the object as `this`.
                let callee = tree.unwrapped(tree.child(node, 0))
                if tree.kind(callee) == .index, argumentsNames.contains(tree.child(callee, 0)) { return true }
            case .assignment, .prefixUpdate, .postfixUpdate:
                let target = tree.unwrapped(tree.child(node, 0))
                if tree.kind(target) == .member, argumentsNames.contains(tree.child(target, 0)) { return true }
            default: break
            }
        }
        return tree.all(in: id).contains { argumentsNames.contains($0) && !allowed.contains($0) }
    }

    private func findSites(in function: NodeID) -> [Site] {
        var result: [Site] = []
        let body = tree.child(function, 2)
        tree.walk(
            from: body,
            enter: { id in
                switch tree.kind(id) {
                case .functionDeclaration, .functionExpression, .arrowFunction, .method, .classDeclaration,
                    .classExpression, .withStatement:
                    return false
                case .call:
                    if let site = site(id) { result.append(site) }
                    return true
                default: return true
                }
            }, leave: { _ in })
        return result
    }

    private func site(_ call: NodeID) -> Site? {
        if isBackEndCall(call) { return Site(call: call, callee: nil) }
        let callee = tree.child(call, 0)
        guard tree.detail(call) == 0, tree.kind(callee) == .identifier,
            let binding = names.binding(of: callee),
            let function = candidateOf[binding]
        else { return nil }
        return Site(call: call, callee: function)
    }

    /// Returns whether a node is a call such as `WL.Server.invokeHttp(…)`.
    private func isBackEndCall(_ id: NodeID) -> Bool {
        guard tree.kind(id) == .call, tree.detail(id) == 0 else { return false }
        let callee = tree.child(id, 0)
        guard tree.kind(callee) == .member, tree.detail(callee) == 0,
            Self.waiting.contains(tree.text(tree.child(callee, 1)))
        else { return false }
        return isServer(tree.child(callee, 0))
    }

    /// Returns whether a node is `WL.Server`.
    private func isServer(_ server: NodeID) -> Bool {
        guard tree.kind(server) == .member, tree.detail(server) == 0, tree.text(tree.child(server, 1)) == "Server"
        else {
            return false
        }
        let root = tree.child(server, 0)
        return tree.kind(root) == .identifier && ["WL", "MFP"].contains(tree.text(root))
            && names.binding(of: root) == nil
    }
}

/// Writes the twins.
private struct TwinMaker {
    private let tree: SyntaxTree
    private let finder: TwinFinder
    private let twins: [NodeID]
    private let all: Set<NodeID>

    init(_ tree: SyntaxTree, _ finder: TwinFinder, _ twins: [NodeID]) {
        self.tree = tree
        self.finder = finder
        self.twins = twins
        all = Set(twins)
    }

    /// Returns the source of a twin alone.
    func twin(of function: NodeID) -> String {
        var edits = EditList(tree.source)
        write(function, to: &edits)
        let range = tree.range(function)
        let outside = [SourceRange(0, range.start), SourceRange(range.end, tree.source.bytes.count)]
        for part in outside where part.start < part.end { edits.replace(part, "") }
        return edits.apply().text.text
    }

    func make() -> (source: String, map: SourceMap) {
        var edits = EditList(tree.source)
        for function in twins { write(function, to: &edits) }
        let (text, map) = edits.apply(followedBy: twins.map(tree.range))
        return (text.text, map)
    }

    private func write(_ function: NodeID, to edits: inout EditList) {
        edits.close(tree.range(function).start + "function".utf8.count, "*")
        let name = tree.child(function, 0)
        edits.replace(tree.range(name), TwinnedScript.twin(of: tree.text(name)))
        for site in finder.sites(of: function, with: all) { write(site, to: &edits) }
    }

    private func write(_ site: TwinFinder.Site, to edits: inout EditList) {
        let callee = tree.child(site.call, 0)
        let range = tree.range(callee)
        // The engine's position of a call is the end of the called expression.
        if site.callee != nil {
            edits.open(range.start, "\(TwinnedScript.value)(yield* ", origin: range.end)
            edits.replace(range, TwinnedScript.twin(of: tree.text(callee)), origin: range.end)
        } else {
            edits.open(range.start, "\(TwinnedScript.after)(yield \(TwinnedScript.before)(", origin: range.end)
            edits.close(range.end, ")")
        }
        edits.close(tree.range(site.call).end, ")")
    }
}
