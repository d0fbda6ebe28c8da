import AdapterSyntax
import JavaScriptEngine
import WorklightProject

/// A function that files of the project name for others to call.
enum NamedFunction: Hashable, Sendable {
    /// A procedure of the descriptor.
    case procedure(String)
    /// A callback of an event source.
    case callback(EventSourceCallback, of: String)
    /// A realm's `login-function` or `logout-function`.
    case realm(String)
}

/// One that the script does not define. The script is loaded all the same, since real adapters name such functions, but not
/// deployed over a version that defines it.
struct MissingFunction: Sendable {
    let function: NamedFunction
    private let file: String
    private let line: Int?
    private let fact: String
    private let consequence: String
    private let remedy: String

    var warning: ProjectError { ProjectError(.warning, file: file, line: line, "\(fact); \(consequence)") }

    /// The error because of which the version is not deployed.
    var refusal: ProjectError {
        ProjectError(.error, file: file, line: line, "\(fact), and the version that runs has it; \(remedy)")
    }

    init(_ procedure: ProcedureDescriptor, in adapter: AdapterDescriptor) {
        function = .procedure(procedure.name)
        (file, line) = (adapter.path, procedure.line)
        fact =
            "procedure '\(procedure.name)' is declared, but \(adapter.scriptPath) has no function of that name"
        consequence = "calling it fails"
        remedy = "write it, or take the procedure out of \(adapter.path)"
    }

    /// - Parameter script: where the event source is declared.
    init(
        _ name: String, for callback: EventSourceCallback, of source: String, in adapter: AdapterDescriptor,
        _ script: AdapterScript
    ) {
        function = .callback(callback, of: source)
        (file, line) = (adapter.scriptPath, script.line(ofEventSource: source))
        fact = "event source '\(source)': \(callback.rawValue) names '\(name)', but there is no such function"
        consequence =
            callback == .onPoll ? "every poll fails" : "it works as if \(callback.rawValue) were not given"
        remedy = "write it, or take \(callback.rawValue) out"
    }

    /// - Parameter origin: see ``AdapterVersion/realmFunctions``.
    init(realmFunction name: String, _ origin: String, in adapter: AdapterDescriptor) {
        function = .realm(name)
        (file, line) = (adapter.scriptPath, nil)
        fact = "\(origin), but there is no such function"
        consequence = "the realm cannot call it"
        remedy = "write it"
    }
}

extension AdapterScope {
    /// Returns the functions that are named: those that the script defines, and those that it does not.
    func namedFunctions() throws -> (defined: Set<NamedFunction>, missing: [MissingFunction]) {
        var defined: Set<NamedFunction> = []
        var missing: [MissingFunction] = []
        for (name, source) in eventSources.sorted(by: { $0.key < $1.key }) {
            for callback in EventSourceCallback.allCases {
                guard let target = source.targets[callback] else { continue }
                if case .name(let function) = target, try self.function(named: function) == nil {
                    missing.append(
                        MissingFunction(function, for: callback, of: name, in: adapter.descriptor, adapter.script))
                } else {
                    defined.insert(.callback(callback, of: name))
                }
            }
        }
        for procedure in adapter.descriptor.procedures {
            if try function(named: procedure.name) == nil {
                missing.append(MissingFunction(procedure, in: adapter.descriptor))
            } else {
                defined.insert(.procedure(procedure.name))
            }
        }
        for (name, origin) in adapter.realmFunctions.sorted(by: { $0.key < $1.key }) {
            if try function(named: name) == nil {
                missing.append(MissingFunction(realmFunction: name, origin, in: adapter.descriptor))
            } else {
                defined.insert(.realm(name))
            }
        }
        return (defined, missing)
    }

    /// Returns the names of the parameters of the procedures that the script defines. A pattern is named by its source: `{a, b}`.
    func parameterNames() throws -> [String: [String]] {
        let read = try context.evaluate(
            "(function (f) { return Function.prototype.toString.call(f) })", file: "lamplighter")
        var names: [String: [String]] = [:]
        for procedure in adapter.descriptor.procedures {
            guard let function = try function(named: procedure.name) else { continue }
            names[procedure.name] = Self.parameterNames(of: try read.call([function]).string ?? "")
        }
        return names
    }

    /// - Parameter source: the function's source.
    private static func parameterNames(of source: String) -> [String] {
        guard let tree = try? SyntaxTree("(\(source))", file: "function") else { return [] }
        var names: [String]?
        tree.walk(
            from: tree.root,
            enter: { id in
                if names == nil, tree.kind(id) == .parameters { names = tree.children(id).map { tree.text($0) } }
                return names == nil
            }, leave: { _ in })
        return names ?? []
    }
}
