extension ScriptContext {
    /// Locks the scope's language, so that closures of users who must not see each other's values can share it. Call it after the server's own
    /// code has run, and before any script does. Afterwards no script can declare anything at the top level.
    ///
    /// - Every object that scripts reach is frozen: from the global object, from prototypes, and from the hidden prototypes that only syntax
    ///   or calls lead to, such as those of generators and iterators.
    /// - `RegExp` is replaced, since the engine's own shows the last match of anybody, and `Error`, since its classes set a limit of the
    ///   engine. `Error.captureStackTrace`, which changes frozen objects,
    ///   and what is asynchronous or shared between threads are removed. `Math.random` draws from the system.
    /// - Members of the prototypes of ES5 are accessors that define a member of that name on the object that is assigned to: with read-only members,
    ///   `object.toString = f` would do nothing. Those of arrays, strings and regular expressions stay as they are, since they would become slower.
    ///
    /// The rules are those of Agoric's SES and of a sealed top-level scope in Rhino. `LockedRealmTests` has the proof.
    ///
    /// - Parameter objects: further objects that scripts will reach.
    /// - Throws: ``ScriptError`` when the engine has no memory.
    public func lock(with objects: [ScriptValue] = []) throws {
        let random = try makeFunction("random") { $0.context.make(Double.random(in: 0..<1)) }
        _ = try evaluate(EmbeddedText.lock_js, file: "lamplighter:lock").call([global, random, makeArray(objects)])
    }
}
