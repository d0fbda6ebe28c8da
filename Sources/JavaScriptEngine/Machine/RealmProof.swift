/// A script that searches for ways to change a locked realm. It evaluates to an object with functions that return their findings as arrays of
/// strings. The arrays are empty if the realm is locked.
package enum RealmProof {
    /// - `size()`: the number of objects that scripts reach.
    /// - `openings()`: objects that are extensible, and members that can be written or configured.
    /// - `slots()`: objects with a state outside their members, such as a Map.
    /// - `attempts()`: the changes after writing, adding, deleting and defining members of each object, and after setting its prototype.
    /// - `calls(part, parts)`: the changes after one of so many parts of the functions was called and constructed with each object as `this`
    ///   and as an argument.
    /// - `results()`: the objects that two calls of one function both lead to, with new arguments each time, and that scripts can change. The
    ///   methods of such results are called, too.
    ///
    /// - Parameter more: an expression for an array of further objects that scripts reach.
    package static func source(with more: String = "[]") -> String { "\(EmbeddedText.realm_proof_js)(\(more))" }
}
