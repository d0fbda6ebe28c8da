import JavaScriptEngine
import Synchronization

/// The state of a call of a back end after the first part of its native function.
enum BackEndCall {
    /// It has a result without a wait.
    case result(ScriptValue)
    case wait(BackEndWait)
    /// It calls another procedure. `start` adds that to the running call, and passes the native function's second part on when it has ended.
    case procedure(start: (@escaping (@escaping () throws -> ScriptValue) -> Void) -> Void)
}

/// A response of a back end for which a call waits.
struct BackEndWait {
    private let perform: @Sendable () -> Void
    private let start: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// The second part of the native function, which makes the result or throws.
    let secondPart: () throws -> ScriptValue

    /// - Parameters:
    ///   - perform: waits on the calling thread.
    ///   - begin: waits elsewhere, and passes the outcome on, once, on any thread.
    ///   - finish: makes the native function's result, on the machine's thread.
    init<Outcome: Sendable>(
        perform: @escaping @Sendable () -> Outcome,
        begin: @escaping @Sendable (@escaping @Sendable (Outcome) -> Void) -> Void,
        finish: @escaping (Outcome) throws -> ScriptValue
    ) {
        let box = OutcomeBox<Outcome>()
        self.perform = { box.set(perform()) }
        start = { resume in
            begin { outcome in
                box.set(outcome)
                resume()
            }
        }
        secondPart = { try finish(box.take()) }
    }

    /// Waits on this thread.
    ///
    /// - Returns: the second part.
    func onThread() -> () throws -> ScriptValue {
        perform()
        return secondPart
    }

    /// Waits elsewhere, and then calls `resume` once, on any thread.
    func begin(_ resume: @escaping @Sendable () -> Void) { start(resume) }
}

/// The outcome of a wait.
private final class OutcomeBox<Outcome: Sendable>: Sendable {
    private let outcome = Mutex<Outcome?>(nil)

    func set(_ value: Outcome) { outcome.withLock { $0 = value } }

    func take() throws -> Outcome {
        guard let value = outcome.withLock({ $0 }) else { throw HostError("the wait has not ended") }
        return value
    }
}

/// The first part of a native function that waits for a back end.
typealias WaitBeginner = @Sendable (AdapterScope, HostCall) throws -> BackEndCall

/// The members of one script object, such as `WL.Server`, collected once for all realms. The realm of one scope makes a member when its
/// script first reads it: there are sixty, of which a script uses five.
struct BindingTable: Sendable {
    fileprivate typealias FunctionMaker = @Sendable (ScriptRealm) throws -> ScriptValue
    fileprivate typealias ValueMaker = @Sendable (AdapterScope) throws -> ScriptValue

    private let names: [String]
    private let functions: [String: FunctionMaker]
    private let values: [String: ValueMaker]
    private let waits: [String: WaitBeginner]
    private let members: LazyMembers

    /// - Parameters:
    ///   - path: what scripts call the object.
    ///   - declare: adds the members, in the order in which scripts see them.
    init(_ path: String, _ declare: (inout Declarations) -> Void) {
        var declarations = Declarations(path: path)
        declare(&declarations)
        (names, functions, values) = (declarations.names, declarations.functions, declarations.values)
        waits = declarations.waits
        members = LazyMembers(names)
    }

    /// Returns the object for a realm.
    ///
    /// - Parameter isShared: whether scopes share the realm. Then it is an ordinary object with all members, which the lock freezes.
    func makeObject(in realm: ScriptRealm, isShared: Bool) throws -> ScriptValue {
        guard isShared else {
            return realm.context.makeObject(members) { [unowned realm, functions, values] name in
                if let make = functions[name] { return try make(realm) }
                guard let make = values[name], let scope = realm.table.call.scope else {
                    return realm.context.undefined
                }
                return try make(scope)
            }
        }
        let object = realm.context.makeObject()
        for name in names {
            if let make = functions[name] {
                let function = try make(realm)
                try object.set(name, function, .permanent)
                if let begin = waits[name] { try realm.add(begin, asFirstPartOf: function, name) }
            }
            guard let make = values[name] else { continue }
            let getter = try realm.context.makeFunction(name) { [unowned realm] call in
                try realm.table.call.scope.map(make) ?? call.context.undefined
            }
            _ = try realm.context.evaluate(Self.getterMaker, file: AdapterScript.helperFile)
                .call([object, realm.context.make(name), getter])
        }
        return object
    }

    private static let getterMaker = """
        (function (object, name, get) { Object.defineProperty(object, name, { __proto__: null, get: get, enumerable: true }); })
        """

    /// The builder of a table's members.
    struct Declarations {
        fileprivate let path: String
        fileprivate private(set) var names: [String] = []
        fileprivate private(set) var functions: [String: FunctionMaker] = [:]
        fileprivate private(set) var values: [String: ValueMaker] = [:]
        fileprivate private(set) var waits: [String: WaitBeginner] = [:]

        fileprivate init(path: String) { self.path = path }

        /// Adds a native function.
        mutating func add(
            _ name: String, _ body: @escaping @Sendable (AdapterScope, HostCall) throws -> ScriptValue
        ) {
            let title = "\(path).\(name)"
            names.append(name)
            functions[name] = { try $0.makeFunction(name, title: title, body) }
        }

        /// Adds a native function that waits for a back end. A twin calls its first part, `begin`, alone; see `TwinnedScript`.
        mutating func addWaiting(_ name: String, begin: @escaping WaitBeginner) {
            waits[name] = begin
            add(name) { scope, call in
                switch try begin(scope, call) {
                case .result(let value): return value
                case .wait(let wait): return try scope.waiting { wait.onThread() }()
                case .procedure(let start):
                    let table = scope.table
                    let depth = table.call.functions.count
                    var secondPart: (() throws -> ScriptValue)?
                    start { secondPart = $0 }
                    table.complete(above: depth)
                    return try secondPart?() ?? call.context.undefined
                }
            }
        }

        /// Adds a value, of which each scope has its own; see ``ScriptContext/freeze(_:)``.
        mutating func addValue(_ name: String, _ make: @escaping @Sendable (AdapterScope) throws -> ScriptValue) {
            names.append(name)
            values[name] = make
        }
    }
}
