import JavaScriptEngine

extension AdapterScope {
    /// Gives the scope its `WL` object and the roots of Java's packages.
    ///
    /// Each part is in a file of its own: `LoggerBinding`, `EventSourceBinding`, `SubscriptionBinding`,
    /// `NotificationBinding`, `HTTPBinding`, `ConfigurationBinding`, `JavaBinding`.
    func installBindings() throws {
        let server = context.makeObject()
        let logger = context.makeObject()
        try installLogger(in: logger)
        try installEventSources(in: server)
        try installSubscriptions(in: server)
        try installNotifications(in: server)
        try installHTTP(in: server)
        try installConfiguration(in: server)

        let root = context.makeObject()
        try root.set("Server", server, .permanent)
        try root.set("Logger", logger, .permanent)
        try context.global.set("WL", root, .permanent)
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
