import JavaScriptEngine
import WorklightProject

extension AdapterScope {
    /// Installs in the scope its `WL` object, `MFP` as another name of it, `console`, and the roots of Java's packages.
    func installBindings() throws {
        let root = context.makeObject()
        try root.set("Server", Self.server.makeObject(in: self), .permanent)
        try root.set("Logger", Self.loggers.makeObject(in: self), .permanent)
        try root.set("Geo", Self.geo.makeObject(in: self), .permanent)
        try context.global.set("WL", root, .permanent)
        // Adapters written for 8.0 use this name, and some mix both (server-api 1).
        try context.global.set("MFP", root, .permanent)
        // Not Worklight's: the engine's own console goes nowhere, and a script that uses it means this.
        try context.global.set("console", Self.consoles.makeObject(in: self), .hidden)
        try installJavaPackages()
        if adapter.script.usesRhinoLibrary { try installRhinoLibrary() }
        if adapter.settings.movesScriptClock { try moveClock() }
    }

    /// Each part is in a separate file, named after the part.
    private static let server = BindingTable("WL.Server") { table in
        declareEventSources(in: &table)
        declareSubscriptions(in: &table)
        declareNotifications(in: &table)
        declareHTTP(in: &table)
        declareSQL(in: &table)
        declareConfiguration(in: &table)
        declareProcedures(in: &table)
        declareRequest(in: &table)
        declareIdentity(in: &table)
        declareEventHandlers(in: &table)
        declareBroadcasts(in: &table)
        declareSMS(in: &table)
        declareUnavailable(in: &table)
    }

    private static let loggers = BindingTable("WL.Logger") { declareLogger(in: &$0) }
    private static let consoles = BindingTable("console") { declareConsole(in: &$0) }
    private static let geo = BindingTable("WL.Geo") { declareGeo(in: &$0) }

    /// Adds a native function to a binding's object.
    ///
    /// The body gets the scope as an argument. A closure that captured it, or a value of it, would keep it alive.
    func add(
        _ name: String, to object: ScriptValue, _ body: @escaping (AdapterScope, HostCall) throws -> ScriptValue
    ) throws {
        try object.set(name, try makeFunction(name, body), .permanent)
    }

    /// The native functions whose results do not depend on who calls. A script may call these while it is loaded and still have its scopes
    /// shared.
    private static let independent: Set = [
        "addResponseHeader", "createDefaultNotification", "createEventHandler", "createEventSource",
        "createSMSEventHandler",
        "createSQLStatement", "createUSSDEventHandler", "createUSSDResponse", "debug", "error", "formatted",
        "getDistanceBetweenCoordinates", "getDistanceToCircle", "getDistanceToPolygon", "getPropertyValue", "info",
        "isInsideCircle", "isInsidePolygon", "isOutsideCircle", "isOutsidePolygon", "log", "place", "println",
        "setEventHandlers", "thread", "unavailable", "warn",
    ]

    /// A native function; see ``add(_:to:_:)``.
    ///
    /// - Parameter title: what traces call it, if not by its name.
    func makeFunction(
        _ name: String, title: String? = nil, _ body: @escaping (AdapterScope, HostCall) throws -> ScriptValue
    ) throws -> ScriptValue {
        try context.makeFunction(name) { [unowned self] call in
            if !Self.independent.contains(name) { noteCallerRead(title ?? name) }
            do {
                guard let tracer else { return try body(self, call) }
                return try trace(title ?? name, call, tracer, body)
            } catch {
                if !(error is ScriptError) { table.call.hostMessage = "\(error)" }
                throw error
            }
        }
    }
}

/// `WL.Server.configuration`: every key of worklight.properties (server-api 2.5).
extension AdapterScope {
    static func declareConfiguration(in table: inout BindingTable.Declarations) {
        // Of 8.0, which some adapters are half way to.
        table.add("getPropertyValue") { scope, call in
            scope.adapter.properties[try call[0].text()].map { call.context.make($0) } ?? call.context.null
        }
        table.addConstant("configuration") { scope in
            let configuration = scope.context.makeObject()
            for entry in scope.adapter.properties.entries {
                try configuration.set(entry.key, scope.context.make(entry.value), .readOnly)
            }
            return scope.context.freeze(configuration)
        }
    }
}
