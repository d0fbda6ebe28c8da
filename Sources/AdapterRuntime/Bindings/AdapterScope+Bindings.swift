import JavaScriptEngine
import WorklightProject

extension ScriptRealm {
    /// Installs in the realm its `WL` object, `MFP` as another name of it, `console`, and the roots of Java's packages.
    ///
    /// - Parameter isShared: whether scopes share the realm.
    func installBindings(isShared: Bool = false) throws {
        let root = context.makeObject()
        try root.set("Server", Self.server.makeObject(in: self, isShared: isShared), .permanent)
        try root.set("Logger", Self.loggers.makeObject(in: self, isShared: isShared), .permanent)
        try root.set("Geo", Self.geo.makeObject(in: self, isShared: isShared), .permanent)
        try context.global.set("WL", root, .permanent)
        // Adapters written for 8.0 use this name, and some mix both (server-api 1).
        try context.global.set("MFP", root, .permanent)
        // Not Worklight's: the engine's own console goes nowhere, and a script that uses it means this.
        try context.global.set("console", Self.consoles.makeObject(in: self, isShared: isShared), .hidden)
        try installJavaPackages()
    }

    /// Each part is in a separate file, named after the part.
    private static let server = BindingTable("WL.Server") { table in
        AdapterScope.declareEventSources(in: &table)
        AdapterScope.declareSubscriptions(in: &table)
        AdapterScope.declareNotifications(in: &table)
        AdapterScope.declareHTTP(in: &table)
        AdapterScope.declareSQL(in: &table)
        AdapterScope.declareConfiguration(in: &table)
        AdapterScope.declareProcedures(in: &table)
        AdapterScope.declareRequest(in: &table)
        AdapterScope.declareIdentity(in: &table)
        AdapterScope.declareEventHandlers(in: &table)
        AdapterScope.declareBroadcasts(in: &table)
        AdapterScope.declareSMS(in: &table)
        AdapterScope.declareUnavailable(in: &table)
    }

    private static let loggers = BindingTable("WL.Logger") { AdapterScope.declareLogger(in: &$0) }
    private static let consoles = BindingTable("console") { AdapterScope.declareConsole(in: &$0) }
    private static let geo = BindingTable("WL.Geo") { AdapterScope.declareGeo(in: &$0) }
}

extension ScriptRealm {
    /// Adds a native function to a binding's object.
    func add(
        _ name: String, to object: ScriptValue, _ body: @escaping (AdapterScope, HostCall) throws -> ScriptValue
    ) throws {
        try object.set(name, try makeFunction(name, body), .permanent)
    }
}

/// `WL.Server.configuration`: every key of worklight.properties (server-api 2.5).
extension AdapterScope {
    static func declareConfiguration(in table: inout BindingTable.Declarations) {
        // Of 8.0, which some adapters are half way to.
        table.add("getPropertyValue") { scope, call in
            scope.adapter.properties[try call[0].text()].map { call.context.make($0) } ?? call.context.null
        }
        table.addValue("configuration") { scope in
            if let known = scope.configuration { return known }
            let configuration = scope.context.makeObject()
            for entry in scope.adapter.properties.entries {
                try configuration.set(entry.key, scope.context.make(entry.value), .readOnly)
            }
            scope.configuration = configuration
            return try scope.context.freeze(configuration)
        }
    }
}
