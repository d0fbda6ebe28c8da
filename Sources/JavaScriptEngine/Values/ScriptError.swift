import CJavaScriptCore

/// An exception that a script threw and did not catch.
public struct ScriptError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error's class, for example "TypeError"; `nil` when something other than an Error was thrown.
    public let name: String?
    /// The error's message, or the thrown value as a string.
    public let message: String
    /// The position of the throw; `nil` when the thrown value does not record it.
    public let location: ScriptLocation?
    /// The calls that led there, innermost first, one to a line: `function@file:line:column`.
    public let stack: String?

    public init(name: String?, message: String, location: ScriptLocation?, stack: String?) {
        self.name = name
        self.message = message
        self.location = location
        self.stack = stack
    }

    /// "TypeError: x is not a function", as `String(error)` has it.
    public var summary: String {
        switch name {
        case nil: message
        case let name? where message.isEmpty: name
        case let name?: "\(name): \(message)"
        }
    }

    /// The summary, the position, and the stack indented below.
    public var description: String {
        var text = location.map { "\($0): \(summary)" } ?? summary
        for line in ScriptStack.folded(stack?.split(separator: "\n").map(String.init) ?? []) {
            text += "\n    at \(line)"
        }
        return text
    }
}

/// Lines of a JavaScript stack.
public enum ScriptStack {
    /// Returns the lines for users: equal ones in a row are written once, `go@adapters/A/A-impl.js:3:10 (97 more like it)`, and code
    /// outside of named functions is `(anonymous)` or `(top level)`.
    public static func folded(_ lines: [String]) -> [String] {
        let lines = lines.map { line in
            if line.hasPrefix("@") { return "(anonymous)\(line)" }
            return line.hasPrefix("global code@") ? "(top level)\(line.dropFirst("global code".count))" : line
        }
        var folded: [String] = []
        var index = lines.startIndex
        while index < lines.endIndex {
            let line = lines[index]
            let end = lines[index...].firstIndex { $0 != line } ?? lines.endIndex
            let others = end - index - 1
            folded.append(others == 0 ? line : "\(line) (\(others) more like it)")
            index = end
        }
        return folded
    }
}

/// A position in a script.
public struct ScriptLocation: Sendable, Hashable, CustomStringConvertible {
    public let file: String
    /// Counted from 1.
    public let line: Int
    /// The column, counted from 1; `nil` if the engine does not say.
    public let column: Int?

    public init(file: String, line: Int, column: Int?) {
        self.file = file
        self.line = line
        self.column = column
    }

    public var description: String { "\(file):\(line)" + (column.map { ":\($0)" } ?? "") }

    /// Reads the position in a line of a stack, `function@file:line:column`; `nil` when the line has none.
    public init?(stackFrame frame: some StringProtocol) {
        guard let match = String(frame).wholeMatch(of: /[^@]*@(.+):(\d+):(\d+)/), let line = Int(match.2),
            let column = Int(match.3)
        else { return nil }
        self.init(file: String(match.1), line: line, column: column)
    }
}

extension ScriptError {
    /// Reads a thrown value. Everything read may be the script's own getter, so failures in reading count as absent.
    ///
    /// - Parameter builtIns: the scope's, so that members which a script added to all objects do not count.
    init(thrown value: JSValueRef, in context: JSContextRef, _ builtIns: PristineBuiltIns? = nil) {
        guard JSValueIsObject(context, value), let object = JSValueToObject(context, value, nil) else {
            self.init(name: nil, message: Self.text(of: value, context), location: nil, stack: nil)
            return
        }
        func property(_ key: String) -> JSValueRef? {
            let name = JSText.make(key)
            defer { JSStringRelease(name) }
            var thrown: JSValueRef?
            if let builtIns, !builtIns.isOfItsOwn(name, of: object, in: context) { return nil }
            let value = JSObjectGetProperty(context, object, name, &thrown)
            return thrown == nil && !JSValueIsUndefined(context, value) ? value : nil
        }
        func number(_ key: String) -> Int? {
            guard let value = property(key), JSValueIsNumber(context, value) else { return nil }
            return Int(exactly: JSValueToNumber(context, value, nil))
        }
        func string(_ key: String) -> String? {
            guard let value = property(key), JSValueIsString(context, value) else { return nil }
            return Self.text(of: value, context)
        }
        var location: ScriptLocation?
        if let file = string("sourceURL"), let line = number("line") {
            location = ScriptLocation(file: file, line: line, column: number("column"))
        }
        let name = string("name")
        let message = string("message") ?? Self.text(of: value, context)
        self.init(name: name, message: message, location: location, stack: string("stack"))
    }

    private static func text(of value: JSValueRef, _ context: JSContextRef) -> String {
        if JSValueIsObject(context, value), !JSObjectIsFunctionSafely(context, value),
            let json = JSValueCreateJSONString(context, value, 0, nil)
        {
            let text = JSText.takeBeginning(json)
            if text != "{}" { return text }
        }
        guard let text = JSValueToStringCopy(context, value, nil) else { return "(a value without text)" }
        return JSText.takeBeginning(text)
    }

    private static func JSObjectIsFunctionSafely(_ context: JSContextRef, _ value: JSValueRef) -> Bool {
        guard let object = JSValueToObject(context, value, nil) else { return false }
        return JSObjectIsFunction(context, object)
    }
}

extension ScriptValue {
    /// True if it is an Error of the language's, or of a class that inherits from it.
    public var isError: Bool {
        isObject && JSValueIsInstanceOfConstructor(context.reference, reference, context.builtIns.error, nil)
    }

    /// The calls that were running when ``ScriptContext/markStack()`` made this, in the form of ``ScriptContext/stack()``.
    public var markedStack: String? {
        guard let stack = asThrown.stack else { return nil }
        let lines = stack.split(separator: "\n").filter { !$0.hasSuffix("@[native code]") }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// The error that throwing the value would cause.
    public var asThrown: ScriptError { ScriptError(thrown: reference, in: context.reference, context.builtIns) }
}

extension ScriptContext {
    /// Remembers the calls that are running, for ``ScriptValue/markedStack``: cheaper than their description, which may not be needed.
    public func markStack() -> ScriptValue { ScriptValue(JSObjectMakeError(reference, 0, nil, nil), in: self) }

    /// Returns the calls that are running, innermost first, one to a line as `function@file:line:column`; those of native functions
    /// are left out. `nil` when no script is running.
    public func stack() -> String? { markStack().markedStack }
}
