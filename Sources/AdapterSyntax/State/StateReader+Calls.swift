extension StateReader {
    /// An argument of a call.
    struct Argument {
        let node: NodeID
        let value: Node
        /// The function that it is.
        let function: Int?
        /// The variable that it is, which may hold functions.
        let variable: Variable?
    }

    /// A call of something that the script may define later in its text.
    struct PendingCall {
        enum Target {
            case variable(Variable)
            case function(Int)
            case method(String, receiver: Node, object: NodeID)
            case unknown(receiver: Node)
        }

        let node: NodeID
        let target: Target
        let arguments: [Argument]
        let hasSpread: Bool
        let caller: Int
        let isNew: Bool
        let result: Node
    }

    func readCall(_ id: NodeID) throws(Doubt) -> Value {
        let callee = tree.unwrapped(tree.child(id, 0))
        switch tree.kind(callee) {
        case .identifier:
            let variable = variable(callee)
            if case .undeclared(let name) = variable, !isAssigned(variable) {
                return try readNativeCall(id, name, try readArguments(id))
            }
            return call(id, .variable(variable), try readArguments(id))
        case .functionExpression, .arrowFunction:
            try readFunction(callee)
            noteOwnName(callee)
            guard let index = functionIndices[callee] else {
                throw Doubt(node: id, reason: "a function is not analysed")
            }
            return call(id, .function(index), try readArguments(id))
        case .member: return try readMethodCall(id, callee, tree.name(tree.child(callee, 1)))
        case .index:
            let key = tree.unwrapped(tree.child(callee, 1))
            if tree.kind(key) == .stringLiteral { return try readMethodCall(id, callee, tree.key(key)) }
            let object = tree.unwrapped(tree.child(callee, 0))
            let receiver = isArguments(object) ? Value(node: functions[current].arguments) : try read(object)
            _ = try read(key)
            readsAnyField = true
            // The name may be `push`.
            note(changeOf: object, receiver.node, at: id, verb: "calls a method, by a computed name, of")
            return call(id, .unknown(receiver: receiver.node), try readArguments(id))
        default:
            _ = try read(callee)
            return call(id, .unknown(receiver: ValueGraph.shared), try readArguments(id))
        }
    }

    func readNew(_ id: NodeID) throws(Doubt) -> Value {
        let callee = tree.unwrapped(tree.child(id, 0))
        let arguments = try readArguments(id)
        if tree.kind(callee) == .identifier {
            let variable = variable(callee)
            guard case .undeclared(let name) = variable, !isAssigned(variable) else {
                return call(id, .variable(variable), arguments, isNew: true)
            }
            if name == "Date" {
                if arguments.isEmpty { noteMoment(id, "the date") }
                return .fresh
            }
            if NativeNames.refusedNames.contains(name) { throw Doubt(node: id, reason: "'\(name)' is not analysed") }
            return try readNativeCall(id, name, arguments)
        }
        if let path = nativePath(callee) {
            // A class of Java's.
            guard JavaLibrary.roots.contains(String(path.prefix { $0 != "." })) else {
                throw Doubt(node: id, reason: "'\(path)' is not analysed")
            }
            return Value(node: graph.join(arguments.map(\.value)))
        }
        guard tree.kind(callee) == .member else {
            _ = try read(callee)
            return call(id, .unknown(receiver: ValueGraph.fresh), arguments, isNew: true)
        }
        let object = tree.unwrapped(tree.child(callee, 0))
        _ = try read(object)
        return call(
            id, .method(tree.name(tree.child(callee, 1)), receiver: ValueGraph.fresh, object: object), arguments,
            isNew: true)
    }

    private func readArguments(_ id: NodeID) throws(Doubt) -> [Argument] {
        var result: [Argument] = []
        for child in tree.children(id).dropFirst() {
            let expression = tree.unwrapped(child)
            let value = try read(expression)
            result.append(
                Argument(
                    node: expression, value: value.node,
                    function: tree.isFunction(expression) ? functionIndices[expression] : nil,
                    variable: tree.kind(expression) == .identifier ? variable(expression) : nil))
        }
        return result
    }

    func call(_ id: NodeID, _ target: PendingCall.Target, _ arguments: [Argument], isNew: Bool = false) -> Value {
        let result = graph.makeNode()
        pendingCalls.append(
            PendingCall(
                node: id, target: target, arguments: arguments,
                hasSpread: tree.children(id).dropFirst().contains { tree.kind($0) == .spread }, caller: current,
                isNew: isNew,
                result: result))
        return Value(node: result)
    }

    private func readMethodCall(_ id: NodeID, _ callee: NodeID, _ name: String) throws(Doubt) -> Value {
        let object = tree.unwrapped(tree.child(callee, 0))
        if name == "call" || name == "apply", functionsOfField[name] == nil {
            return try readIndirectCall(id, object, isApply: name == "apply")
        }
        if let path = nativePath(callee) { return try readStaticCall(id, path) }
        if isArguments(object) { return .shared }
        if name == "constructor" { throw Doubt(node: id, reason: "'constructor' hides which function runs") }
        let receiver = try read(object)
        return call(id, .method(name, receiver: receiver.node, object: object), try readArguments(id))
    }

    /// `f.call(receiver, …)` and `f.apply(receiver, list)`, where `f` is a method of the runtime or a function of the script.
    private func readIndirectCall(_ id: NodeID, _ function: NodeID, isApply: Bool) throws(Doubt) -> Value {
        let given = Array(tree.children(id).dropFirst())
        var values: [Argument] = []
        for argument in given {
            let expression = tree.unwrapped(argument)
            let value = isArguments(expression) ? Value(node: functions[current].arguments) : try read(expression)
            values.append(
                Argument(
                    node: expression, value: value.node,
                    function: tree.isFunction(expression) ? functionIndices[expression] : nil, variable: nil))
        }
        let receiver = values.first?.value ?? ValueGraph.shared
        if isApply, let list = values.dropFirst().first {
            // Each parameter may be any element.
            let element = graph.join(list.value, anyNamed)
            values =
                values.prefix(1)
                + (0..<8).map { _ in Argument(node: list.node, value: element, function: nil, variable: nil) }
        }
        let arguments = Array(values.dropFirst())
        if tree.kind(function) == .member {
            let name = tree.name(tree.child(function, 1))
            let owner = tree.unwrapped(tree.child(function, 0))
            let isPrototypes = nativePath(owner).map { $0.hasSuffix(".prototype") } ?? false
            if isPrototypes || [.arrayLiteral, .objectLiteral, .stringLiteral].contains(tree.kind(owner)),
                let object = given.first
            {
                return call(id, .method(name, receiver: receiver, object: tree.unwrapped(object)), arguments)
            }
            if let path = nativePath(function), path.hasPrefix("Math.") || path.hasPrefix("String.fromCharCode") {
                return .primitive
            }
        }
        if tree.kind(function) == .identifier, isAssigned(variable(function)) {
            variablesReadAsValues.insert(variable(function))
            if let object = given.first {
                note(changeOf: object, receiver, at: id, verb: "calls \(tree.name(function)) for")
            }
            graph.connect(receiver, to: unknownThis)
            return call(id, .variable(variable(function)), arguments)
        }
        throw Doubt(node: id, reason: "'\(isApply ? "apply" : "call")' hides which function runs")
    }

    // MARK: Functions of the runtime

    /// `a.b.c` where the runtime has `a`; `nil` for anything else.
    func nativePath(_ id: NodeID) -> String? {
        guard let root = tree.root(ofPath: id), freeReferences.contains(root), !isAssigned(variable(root)),
            tree.name(root) != "arguments"
        else { return nil }
        return tree.path(id)
    }

    /// Notes that a value of the moment would be the same for all calls.
    private func noteMoment(_ id: NodeID, _ value: String) {
        note(id, if: functions[current].load, "the script takes \(value) while it is loaded")
    }

    /// A call, with or without `new`, of a function of the global object.
    private func readNativeCall(_ id: NodeID, _ name: String, _ arguments: [Argument]) throws(Doubt) -> Value {
        receive(arguments, from: [])
        if NativeNames.freshFunctions.contains(name) { return .fresh }
        if NativeNames.wrappers.contains(name) {
            for argument in arguments { graph.connect(graph.join(argument.value, anyNamed), to: anyNamed) }
            return Value(node: graph.join(arguments.map(\.value)))
        }
        switch name {
        case "Date":
            noteMoment(id, "the date")
            return .primitive
        case "RegExp":
            graph.connect(functions[current].load, to: sharedMatcher)
            return .fresh
        case "Iterator":
            note(id, if: functions[current].load, "an iterator made while the script is loaded keeps its place")
            return Value(node: graph.join([anyField] + arguments.map(\.value)))
        case "importPackage", "importClass":
            if current != 0 { refuse(id, "\(place) calls \(name)(), which defines names of the top level") }
            return .primitive
        case "JavaImporter": return .fresh
        default: throw Doubt(node: id, reason: "\(place) calls \(name)(), which the script does not define")
        }
    }

    /// A call of `JSON.parse` or another path of the runtime.
    private func readStaticCall(_ id: NodeID, _ path: String) throws(Doubt) -> Value {
        let arguments = try readArguments(id)
        let parts = path.split(separator: ".").map(String.init)
        let (owner, name) = (parts[0], parts[parts.count - 1])
        let all = graph.join(arguments.map(\.value))
        if parts.count == 3, owner == "WL" || owner == "MFP", parts[1] == "Server" {
            return readServerCall(id, name, arguments)
        }
        if owner == "console" || (owner == "WL" && parts.count == 3 && parts[1] == "Logger") { return .fresh }
        if owner == "WL" || owner == "MFP" || JavaLibrary.roots.contains(owner) {
            if !["java.net.URLEncoder.encode", "java.net.URLDecoder.decode", "java.lang.System.out.println"].contains(
                path)
            {
                noteMoment(id, "the result of \(path)()")
            }
            receive(arguments, from: [all])
            return .fresh
        }
        receive(arguments, from: [graph.join(all, anyField)])
        guard parts.count == 2 else { throw Doubt(node: id, reason: "'\(path)' is not analysed") }
        if path == "Math.random" || path == "Date.now" {
            noteMoment(id, path == "Date.now" ? "the date" : "a random number")
            return .primitive
        }
        if NativeNames.freshStatics[owner]?.contains(name) == true { return .fresh }
        if NativeNames.wrappingStatics[owner]?.contains(name) == true {
            readsAnyField = true
            graph.connect(all, to: anyNamed)
            return Value(node: graph.join(all, anyField))
        }
        if owner == "Object", ["assign", "freeze", "seal", "preventExtensions"].contains(name),
            let first = arguments.first
        {
            note(changeOf: first.node, first.value, at: id, verb: "changes")
            return Value(node: all)
        }
        if path == "Object.getPrototypeOf" { return .shared }
        if RuntimeHelper.genericNames[owner]?.contains(name) == true, let first = arguments.first {
            return call(id, .method(name, receiver: first.value, object: first.node), Array(arguments.dropFirst()))
        }
        throw Doubt(node: id, reason: "'\(path)' is not analysed")
    }

    private func readServerCall(_ id: NodeID, _ name: String, _ arguments: [Argument]) -> Value {
        if NativeNames.declarations.contains(name) {
            if current != 0 { refuse(id, "\(place) calls \(name)()") }
            return .fresh
        }
        if NativeNames.constantServerFunctions.contains(name) { return .fresh }
        // A statement may prepare the database. A request may log in: it has the cookies of the session for which the script is loaded.
        if id != unusedCall || !NativeNames.databaseFunctions.contains(name) {
            noteMoment(id, "the result of WL.Server.\(name)()")
        }
        receive(arguments, from: [])
        return .fresh
    }

    /// The runtime calls functions that it is given, with one of these values or with something new.
    private func receive(_ arguments: [Argument], from values: [Node]) {
        let value = graph.join(values)
        for argument in arguments {
            if let function = argument.function { callBack(function, value, caller: current) }
            if let variable = argument.variable {
                callBacks.append((variable, value, current))
            }
        }
    }

    func callBack(_ function: Int, _ value: Node, caller: Int) {
        let function = functions[function]
        for target in function.parameters + [function.arguments] {
            graph.connect(value, to: target)
            // What `reduce` is given next.
            graph.connect(function.result, to: target)
        }
        graph.connect(functions[caller].load, to: function.load)
    }
}
