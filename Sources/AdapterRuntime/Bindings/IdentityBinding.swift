import Core
import JavaScriptEngine
import Logging

/// The functions about the caller: `getActiveUser`, `setActiveUser`, `getCurrentUserIdentity`, `getCurrentDeviceIdentity`,
/// `getClientId`, `getClientDeviceContext`, `setApplicationContext`, `logActivity` (server-api 2.5, 2.6).
extension AdapterScope {
    static func declareIdentity(in table: inout BindingTable.Declarations) {
        table.add("getActiveUser") { scope, call in
            try scope.identity(in: scope.realm(named: call[0], function: "getActiveUser"))
        }
        table.add("setActiveUser") { scope, call in
            try scope.setActiveUser(realm: call[0], identity: call[1])
            return call.context.undefined
        }
        // Real code passes the realm as well (findings 8), as getActiveUser takes it.
        table.add("getCurrentUserIdentity") { scope, call in
            try scope.identity(in: scope.realm(named: call[0], function: "getCurrentUserIdentity"))
        }
        table.add("getCurrentDeviceIdentity") { scope, _ in
            scope.value(scope.table.call.caller.session?.deviceIdentity)
        }
        table.add("getClientId") { scope, call in
            guard let session = scope.table.call.caller.session else {
                throw HostError(
                    "getClientId: this call comes from no client: a poll, a back end or the command line made it")
            }
            return call.context.make(session.clientID)
        }
        table.add("getClientDeviceContext") { scope, _ in
            scope.value(scope.table.call.caller.session?.deviceContext)
        }
        table.add("setApplicationContext") { scope, call in
            scope.table.call.caller.session?.applicationContext = try scope.json(
                of: call[0], for: "setApplicationContext")
            return call.context.undefined
        }
        table.add("logActivity") { scope, call in
            guard let type = call[0].string else {
                throw HostError("logActivity: the activity's type must be a string, got \(call[0].kind)")
            }
            let given = try scope.json(of: call[1], for: "logActivity")
            let context = given ?? scope.table.call.caller.session?.deviceContext
            scope.logger.info("activity '\(type)'\(context.map { " \($0.text)" } ?? "")")
            return call.context.undefined
        }
    }

    private func setActiveUser(realm: ScriptValue, identity: ScriptValue) throws {
        guard let name = realm.string, !name.isEmpty else {
            throw HostError("setActiveUser: expected the realm's name first, got \(realm.kind)")
        }
        let new = try json(of: identity, for: "setActiveUser")
        guard new == nil || new?.object != nil else {
            throw HostError(
                "setActiveUser: expected an object with 'userId' second, or null to log out, got \(identity.kind)")
        }
        try table.call.setIdentity(new, in: name)
    }

    /// Returns the realm that a script named, else the user realm of the test that guards the procedure. If that is not known, returns the
    /// realm of the last login.
    private func realm(named value: ScriptValue, function: String) throws -> String? {
        if value.isNullOrUndefined { return table.call.userRealm ?? table.call.realms.last }
        guard let name = value.string else {
            throw HostError("\(function): a realm is named by a string, got \(value.kind)")
        }
        return name
    }

    private func identity(in realm: String?) -> ScriptValue {
        guard let realm, let identity = table.call.identity(in: realm) else { return context.null }
        guard var object = identity.object, let credentials = table.call.credentials(in: realm) else {
            return value(identity)
        }
        object["credentials"] = credentials
        return value(.object(object))
    }
}

extension AdapterScope {
    /// Returns the script's copy of a value; `null` for none.
    func value(_ json: JSONValue?) -> ScriptValue {
        json.flatMap { context.parse(json: $0.text) } ?? context.null
    }

    /// Returns a copy of the script's value as JSON; `nil` for `null` and nothing.
    func json(of value: ScriptValue, for function: String) throws -> JSONValue? {
        guard !value.isNullOrUndefined, let text = try value.json() else { return nil }
        do {
            return try JSONValue(parsing: text)
        } catch {
            throw HostError("\(function): \(error)")
        }
    }
}
