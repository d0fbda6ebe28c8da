extension ScriptValue {
    /// What an object stands for by its `valueOf`, as that of `new String("a")` does for `"a"`; any other value, and a date,
    /// as it is.
    ///
    /// - Throws: ``ScriptError`` when a `valueOf` of the script's throws.
    public func unboxed() throws -> ScriptValue {
        guard isObject, !isArray, !isFunction, !isDate else { return self }
        let method = try get("valueOf")
        guard method.isFunction else { return self }
        let value = try method.call(this: self)
        return value.isObject || value.isNullOrUndefined ? self : value
    }
}
