import JavaScriptEngine

/// The library in the scope of scripts of authenticators and login modules: the classes of IBM's Java interfaces that they use, and the
/// function by which the server calls them.
enum RealmScriptLibrary {
    /// The function that the server calls, with one object:
    ///
    /// - `function`: which of the interface's functions; `options`: the parameters for `init`, which runs before the scope's first call;
    /// - `isAccess` for `processRequest`, `message` for `processAuthenticationFailure`, `data` and `module` for `login`, `realm` and `answer`
    ///   for `getRealmName` and `getChallengeResponse`.
    ///
    /// It returns `{realm: {status, json, written, response, data, isAccepted, message, identity}}`, each where it applies.
    static let entry = "lamplighterRealm"

    /// The names that scripts use.
    static let names = [
        "AuthenticationStatus", "AuthenticationResult", "UserIdentity", "getRealmName", "getChallengeResponse",
    ]

    /// Returns an object with the values of ``names`` and ``entry`` for one scope.
    ///
    /// - Parameter find: a function that returns the script's variable of a name.
    /// - Throws: `ScriptError` when the engine has no memory for it.
    static func make(in context: ScriptContext, find: ScriptValue) throws -> ScriptValue {
        let make = try context.evaluate(RuntimeScripts.realm, file: "lamplighter:realm")
        return try make.call([find, context.make(entry)])
    }
}

/// The script of an authenticator or a login module threw, met a limit, or is not loaded.
package struct RealmScriptError: Error, CustomStringConvertible {
    /// With the JavaScript stack where there is one.
    package let description: String
}
