import CJavaScriptCore

/// An array of numbers that a script raises and that native code reads without asking the script: a `Uint32Array`.
public final class ScriptCounters {
    public let array: ScriptValue
    private let count: Int

    /// An array of zeros.
    ///
    /// - Throws: ``ScriptError`` when memory is short.
    public init(_ count: Int, in context: ScriptContext) throws {
        self.count = count
        array = ScriptValue(
            try context.checked { JSObjectMakeTypedArray(context.reference, kJSTypedArrayTypeUint32Array, count, $0) },
            in: context)
    }

    /// Returns the counters and resets them to zero.
    ///
    /// - Throws: ``ScriptError``.
    public func take() throws -> [UInt32] {
        let context = array.context
        let bytes = try context.checked { JSObjectGetTypedArrayBytesPtr(context.reference, array.object, $0) }
        guard count > 0, let bytes else { return [] }
        // The bytes stay where they are until the engine runs again, and this is its thread.
        let numbers = UnsafeMutableBufferPointer(start: bytes.assumingMemoryBound(to: UInt32.self), count: count)
        defer { numbers.update(repeating: 0) }
        return Array(numbers)
    }
}
