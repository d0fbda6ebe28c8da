/// Connects calls with the functions that they may reach, once all functions are known.
extension StateReader {
    func resolveCalls() {
        for (name, variable) in pendingFields {
            let functions = functionsOfVariable[variable] ?? []
            if let name {
                functionsOfField[name, default: []].formUnion(functions)
            } else {
                functionsOfAnyField.formUnion(functions)
            }
            guard variablesOfUnknownFunctions.contains(variable) else { continue }
            if let name { fieldsOfUnknownFunctions.insert(name) } else { anyFieldHasUnknownFunctions = true }
            variablesReadAsValues.insert(variable)
        }
        for variable in variablesReadAsValues { escaping.formUnion(functionsOfVariable[variable] ?? []) }
        for (variable, value, caller) in callBacks {
            for function in functionsOfVariable[variable] ?? [] { callBack(function, value, caller: caller) }
            if variablesOfUnknownFunctions.contains(variable) {
                note(tree.root, if: functions[caller].load, "'\(name(variable))' is called while the script is loaded")
            }
        }
        for (name, target) in pendingReads {
            let functions = functionsOfField[name] ?? []
            escaping.formUnion(functions)
            // A method, which objects of a class share.
            if !functions.isEmpty { graph.connect(ValueGraph.shared, to: target) }
        }
        escaping.formUnion(functionsOfAnyField)
        if readsAnyField { for functions in functionsOfField.values { escaping.formUnion(functions) } }
        for call in pendingCalls { resolve(call) }
        connectEntryPoints()
        for function in escaping.map({ functions[$0] }) {
            for target in function.parameters + [function.arguments] { graph.connect(unknownArguments, to: target) }
            graph.connect(unknownThis, to: function.this)
            graph.connect(ValueGraph.shared, to: function.this)
            graph.connect(ValueGraph.shared, to: function.thisIsGlobal)
            graph.connect(function.result, to: unknownResult)
            graph.connect(unknownLoad, to: function.load)
        }
    }

    /// Functions that are called by name from outside, or by the language itself.
    private func connectEntryPoints() {
        let named = entryPoints.union(tree.callbackNames)
        let called = Set(
            pendingCalls.compactMap { call -> Variable? in
                if case .variable(let variable) = call.target { variable } else { nil }
            })
        // A function that the script does not call is called from outside.
        for (variable, indices) in functionsOfVariable
        where owner(variable) == 0 && (named.contains(name(variable)) || !called.contains(variable)) {
            for function in indices.map({ functions[$0] }) {
                graph.connect(ValueGraph.shared, to: function.this)
                graph.connect(ValueGraph.shared, to: function.thisIsGlobal)
            }
        }
        for name in NativeNames.implicitMethods {
            for function in (functionsOfField[name] ?? []).map({ functions[$0] }) {
                graph.connect(ValueGraph.shared, to: function.this)
                graph.connect(ValueGraph.shared, to: function.load)
            }
        }
    }

    private func resolve(_ call: PendingCall) {
        switch call.target {
        case .function(let index): bind(index, call, this: nil)
        case .variable(let variable):
            for index in functionsOfVariable[variable] ?? [] { bind(index, call, this: nil) }
            if variablesOfUnknownFunctions.contains(variable) { callUnknown(call, this: ValueGraph.shared) }
        case .unknown(let receiver): callUnknown(call, this: receiver)
        case .method(let name, let receiver, let object): resolve(call, name, receiver, object)
        }
    }

    private func bind(_ index: Int, _ call: PendingCall, this: Node?) {
        let function = functions[index]
        for (position, argument) in call.arguments.enumerated() {
            graph.connect(argument.value, to: function.arguments)
            if call.hasSpread {
                for parameter in function.parameters { graph.connect(argument.value, to: parameter) }
            } else if position < function.parameters.count {
                graph.connect(argument.value, to: function.parameters[position])
            }
        }
        if let this {
            graph.connect(this, to: function.this)
        } else if !call.isNew {
            graph.connect(ValueGraph.shared, to: function.this)
            graph.connect(ValueGraph.shared, to: function.thisIsGlobal)
        }
        graph.connect(functions[call.caller].load, to: function.load)
        graph.connect(function.result, to: call.result)
    }

    private func callUnknown(_ call: PendingCall, this: Node) {
        for argument in call.arguments { graph.connect(argument.value, to: unknownArguments) }
        note(
            call.node, if: functions[call.caller].load,
            "the script calls, while it is loaded, a function that is not known")
        graph.connect(this, to: unknownThis)
        graph.connect(unknownResult, to: call.result)
        graph.connect(functions[call.caller].load, to: unknownLoad)
    }

    private func resolve(_ call: PendingCall, _ name: String, _ receiver: Node, _ object: NodeID) {
        let own = (functionsOfField[name] ?? []).union(functionsOfAnyField)
        for index in own { bind(index, call, this: call.isNew ? ValueGraph.fresh : receiver) }
        let isUnknown = fieldsOfUnknownFunctions.contains(name) || anyFieldHasUnknownFunctions
        if isUnknown {
            callUnknown(call, this: receiver)
            if !call.isNew, own.isEmpty {
                note(changeOf: object, receiver, at: call.node, verb: "calls \(name)(), which may change it, of")
            }
        }
        guard !call.isNew else { return }
        current = call.caller
        defer { current = 0 }
        let isListed = noteNative(call, name, receiver, object)
        if !isListed, own.isEmpty || !functionsOfAnyField.isEmpty {
            note(changeOf: object, receiver, at: call.node, verb: "calls \(name)(), which may change it, of")
        }
        if !isListed, own.isEmpty {
            note(
                call.node, if: functions[call.caller].load,
                "the script calls, while it is loaded, a function that is not known")
        }
        if !isListed, own.isEmpty { for argument in call.arguments { graph.connect(argument.value, to: call.result) } }
    }

    /// Notes what a method of the runtime does.
    ///
    /// - Returns: whether the runtime has one that the analysis knows.
    private func noteNative(_ call: PendingCall, _ name: String, _ receiver: Node, _ object: NodeID) -> Bool {
        let arguments = graph.join(call.arguments.map(\.value))
        let isChanging = NativeNames.changingMethods.contains(name) || (usesXML && name == "replace")
        let isMatching = NativeNames.matchingMethods.contains(name)
        if isChanging {
            note(changeOf: object, receiver, at: call.node, verb: "calls \(name)() of")
            graph.connect(arguments, to: anyNamed)
        }
        if isMatching { note(changeOf: object, receiver, at: call.node, verb: "calls \(name)() of", if: sharedMatcher) }
        if NativeNames.iteratorMethods.contains(name) {
            note(
                call.node, if: functions[call.caller].load,
                "an iterator made while the script is loaded keeps its place")
        }
        let isPart = NativeNames.partMethods.contains(name) || NativeNames.iteratorMethods.contains(name)
        let isFresh = NativeNames.freshMethods.contains(name)
        guard isChanging || isMatching || isPart || isFresh else { return false }
        let part = graph.join(receiver, anyNamed, arguments)
        if isChanging || isPart { graph.connect(part, to: call.result) }
        for argument in call.arguments {
            if let function = argument.function { callBack(function, part, caller: call.caller) }
            for function in argument.variable.flatMap({ functionsOfVariable[$0] }) ?? [] {
                callBack(function, part, caller: call.caller)
            }
            // What a function returns is in the result of `map` and `reduce`.
            if argument.function != nil || argument.variable != nil { graph.connect(unknownResult, to: call.result) }
        }
        return true
    }
}

extension SyntaxTree {
    /// The texts that name a callback: those of properties whose name begins with `on`.
    var callbackNames: Set<String> {
        var result: Set<String> = []
        forEach { id in
            guard kind(id) == .property, kind(child(id, 1)) == .stringLiteral, key(child(id, 0)).hasPrefix("on") else {
                return
            }
            result.insert(key(child(id, 1)))
        }
        return result
    }
}
