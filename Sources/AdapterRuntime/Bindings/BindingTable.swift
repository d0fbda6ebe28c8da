import JavaScriptEngine

/// The members of one script object, such as `WL.Server`, collected once for all scopes. A scope makes a member when its script first
/// reads it: there are sixty, of which a script uses five.
struct BindingTable: Sendable {
    fileprivate typealias Maker = @Sendable (ScriptRealm) throws -> ScriptValue

    private let makers: [String: Maker]
    private let members: LazyMembers

    /// - Parameters:
    ///   - path: what scripts call the object.
    ///   - declare: adds the members, in the order in which scripts see them.
    init(_ path: String, _ declare: (inout Declarations) -> Void) {
        var declarations = Declarations(path: path)
        declare(&declarations)
        makers = Dictionary(uniqueKeysWithValues: declarations.list.map { ($0.name, $0.make) })
        members = LazyMembers(declarations.list.map(\.name))
    }

    /// Returns the object for a realm.
    func makeObject(in realm: ScriptRealm) -> ScriptValue {
        realm.context.makeObject(members) { [unowned realm, makers] name in
            try makers[name]?(realm) ?? realm.context.undefined
        }
    }

    /// The builder of a table's members.
    struct Declarations {
        fileprivate let path: String
        fileprivate private(set) var list: [(name: String, make: Maker)] = []

        /// Adds a native function.
        mutating func add(
            _ name: String, _ body: @escaping @Sendable (AdapterScope, HostCall) throws -> ScriptValue
        ) {
            let title = "\(path).\(name)"
            list.append((name, { try $0.makeFunction(name, title: title, body) }))
        }

        /// Adds something else; see ``ScriptContext/freeze(_:)``.
        mutating func addConstant(_ name: String, _ make: @escaping @Sendable (AdapterScope) throws -> ScriptValue) {
            list.append(
                (
                    name,
                    { realm in
                        guard let scope = realm.table.running else { return realm.context.undefined }
                        return try make(scope)
                    }
                ))
        }
    }
}
