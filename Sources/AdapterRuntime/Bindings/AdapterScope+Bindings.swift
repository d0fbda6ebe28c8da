import JavaScriptEngine

extension AdapterScope {
    /// Gives the scope its `WL` object, `MFP` as another name of it, and the roots of Java's packages.
    ///
    /// Each part is in a file of its own, named after the part.
    func installBindings() throws {
        let server = context.makeObject()
        let logger = context.makeObject()
        let geo = context.makeObject()
        try installGeo(in: geo)
        try installLogger(in: logger)
        try installEventSources(in: server)
        try installSubscriptions(in: server)
        try installNotifications(in: server)
        try installHTTP(in: server)
        try installSQL(in: server)
        try installConfiguration(in: server)
        try installProcedures(in: server)
        try installRequest(in: server)
        try installIdentity(in: server)
        try installEventHandlers(in: server)
        try installBroadcasts(in: server)
        try installSMS(in: server)
        try installUnavailable(in: server)

        let root = context.makeObject()
        try root.set("Server", server, .permanent)
        try root.set("Logger", logger, .permanent)
        try root.set("Geo", geo, .permanent)
        try context.global.set("WL", root, .permanent)
        // Adapters written for 8.0 call it so, and some mix both (server-api 1).
        try context.global.set("MFP", root, .permanent)
        try installJavaPackages()
    }

    /// Adds a native function to a binding's object.
    ///
    /// The body gets the scope anew with each call: a closure that held it, or a value of it, would keep it alive for ever.
    func add(
        _ name: String, to object: ScriptValue, _ body: @escaping (AdapterScope, HostCall) throws -> ScriptValue
    ) throws {
        let function = try context.makeFunction(name) { [unowned self] call in try body(self, call) }
        try object.set(name, function, .permanent)
    }
}
