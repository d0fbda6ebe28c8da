/// The first value that a call of an adapter has left behind for its session.
public struct RetainedState: Sendable, Hashable, CustomStringConvertible {
    /// The variable of the top level that holds it; `nil` when it has no name.
    public let variable: String?
    /// The procedure or callback that was called.
    public let procedure: String
    /// True if it was a poll, which then keeps the value for its next runs.
    public let isPoll: Bool
    /// The line that declares the variable, or first assigns it.
    public let line: Int?
    /// The script, relative to the project's folder.
    public let file: String

    /// Such as `'step' for its session since login() was called; declared in adapters/Login/Login-impl.js:4`.
    public var description: String {
        let place = line.map { "; declared in \(file):\($0)" } ?? ""
        return
            "\(variable?.quotedName ?? "a value") for its \(isPoll ? "poll" : "session") since \(procedure)() was called\(place)"
    }
}

extension String {
    /// A variable's name in quotation marks. Other names, such as "a variable that a function captured", have blanks and are not quoted.
    var quotedName: String { contains(" ") ? self : "'\(self)'" }
}
