import CJavaScriptCore

/// A script's call of a native function.
public struct HostCall {
    public let context: ScriptContext
    public let this: ScriptValue
    public let arguments: [ScriptValue]

    /// The argument at `index`; undefined when the script passed fewer.
    public subscript(index: Int) -> ScriptValue {
        index < arguments.count ? arguments[index] : context.undefined
    }
}

/// An error that a native function throws into the script on purpose, with a message written for the script's author.
public struct HostError: Error, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

extension ScriptContext {
    /// Makes a function for scripts to call.
    ///
    /// An error that `body` throws becomes a JavaScript Error with the error's description as message and the script's line as
    /// position; a ``ScriptError`` keeps its class.
    ///
    /// `body` must not hold a ``ScriptValue``: the engine would never find it unused.
    public func makeFunction(
        _ name: String, _ body: @escaping (HostCall) throws -> ScriptValue
    ) throws -> ScriptValue {
        let box = HostFunctionBox(context: self, body: body)
        let function = ScriptValue(HostObject.makeFunction(box, in: self), in: self)
        // Must come before the prototype, whose read-only `name` would prevent the definition.
        try function.set("name", make(name), [.readOnly, .hidden])
        // Objects of a C API class inherit from Object; a function has call, apply and bind as well.
        JSObjectSetPrototype(reference, function.object, builtIns.functionPrototype)
        // It may outlive a call.
        return try freeze(function)
    }

    /// Freezes an object of the server's, so that no script leaves anything in it, and returns it.
    ///
    /// - Throws: ``ScriptError`` at the end of the stack, and at a limit. The object can then be changed.
    @discardableResult
    public func freeze(_ object: ScriptValue) throws -> ScriptValue {
        _ = try call(builtIns.freeze, object)
        return object
    }

    /// Returns an object that carries `hostData`, which the script can neither see nor forge.
    public func makeObject(hostData: AnyObject) -> ScriptValue {
        ScriptValue(HostObject.makePlain(HostBox(data: hostData, releases: engine.releases), in: self), in: self)
    }
}

/// The Swift data of a host function.
final class HostFunctionBox: HostBox {
    private unowned let context: ScriptContext
    private let body: (HostCall) throws -> ScriptValue

    init(context: ScriptContext, body: @escaping (HostCall) throws -> ScriptValue) {
        self.context = context
        self.body = body
        super.init(data: nil, releases: context.engine.releases)
    }

    static func call(
        _ reference: JSContextRef?, _ function: JSObjectRef?, _ this: JSObjectRef?, _ count: Int,
        _ arguments: UnsafePointer<JSValueRef?>?, _ exception: UnsafeMutablePointer<JSValueRef?>?
    ) -> JSValueRef? {
        guard let box = HostBox.box(of: function) as? HostFunctionBox else { return nil }
        let context = box.context
        let call = HostCall(
            context: context, this: ScriptValue(this, in: context),
            arguments: (0..<count).map { ScriptValue(arguments?[$0], in: context) })
        do {
            return try box.body(call).reference
        } catch {
            exception?.pointee = context.errorObject(for: error)
            return JSValueMakeUndefined(context.reference)
        }
    }
}

extension ScriptContext {
    /// Returns a JavaScript Error for a Swift one.
    func errorObject(for error: any Error) -> JSValueRef? {
        let exception = error as? ScriptError
        let message = make(exception?.message ?? "\(error)")
        var argument: JSValueRef? = message.reference
        let object = withExtendedLifetime(message) { JSObjectMakeError(reference, 1, &argument, nil) }
        guard let object else { return message.reference }
        if let name = exception?.name, name != "Error" {
            try? ScriptValue(object, in: self).set("name", make(name), .hidden)
        }
        return object
    }
}
