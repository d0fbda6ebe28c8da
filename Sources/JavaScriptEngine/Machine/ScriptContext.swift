import CJavaScriptCore
import Foundation

/// A global scope in a virtual machine: a fresh `this`, with scripts evaluated into it.
///
/// It has the language without its asynchronous half. The scripts that Lamplighter exists for are ES3 and ES5, and the
/// engine cannot be made to stop an endless chain of promise jobs, so no such job can come to be: there is no `Promise`
/// and nothing that makes one, ``check(_:file:)`` refuses `async` functions, and `eval` and `Function`, which could make
/// them later, are off.
public final class ScriptContext {
    public let id: ContextID
    public let name: String
    let engine: Engine
    let reference: JSGlobalContextRef

    let builtIns: PristineBuiltIns
    /// The names of functions that were called by name, as the engine's strings. Protected.
    var nameCache: [String: JSStringRef] = [:]

    /// Makes a scope without asynchrony, `eval` and `Function`.
    ///
    /// - Throws: ``EngineStartError``, ``ScriptError`` when the engine has no memory.
    init(id: ContextID, name: String, engine: Engine) throws {
        guard let reference = JSGlobalContextCreateInGroup(engine.group, nil) else {
            fatalError("JavaScriptCore could not make a global scope: out of memory")
        }
        self.id = id
        self.name = name
        self.engine = engine
        self.reference = reference
        let message = JSText.make(
            "eval and new Function() are turned off; write the code itself, or read data with JSON.parse")
        JSGlobalContextSetEvalEnabled(reference, false, message)
        JSStringRelease(message)
        do {
            builtIns = try PristineBuiltIns(in: reference)
        } catch {
            JSGlobalContextRelease(reference)
            throw error
        }
        let label = JSText.make(name)
        JSGlobalContextSetName(reference, label)
        JSStringRelease(label)
    }

    deinit {
        builtIns.release(in: reference)
        for name in nameCache.values { JSStringRelease(name) }
        JSGlobalContextRelease(reference)
        // The engine collects according to the memory allocated in its heap, and much of a scope is outside of it.
        JSReportExtraMemoryCost(engine.collector, Self.memoryOutsideHeap)
    }

    /// In bytes; see `benchmarks/README.md`.
    private static let memoryOutsideHeap = 65_536

    /// The wall-clock time left to the running call; `nil` when it has no such limit or none is running.
    ///
    /// A native function that waits must not wait longer.
    public var remainingTime: Duration? {
        guard let deadline = engine.limits.deadline else { return nil }
        let now = LimitEnforcer.nanoseconds(of: CLOCK_MONOTONIC)
        return .nanoseconds(Int64(deadline > now ? deadline - now : 0))
    }

    /// Returns whether the caller has cancelled the running call; `nil` when it cannot be cancelled.
    ///
    /// A native function that waits should check now and then, from any thread, and end.
    public var isGivenUp: @Sendable () -> Bool {
        let limits = engine.limits
        guard let callers = limits.callersInterruption else {
            return { [own = limits.interruption] in own.reason != nil }
        }
        return { [own = limits.interruption] in (own.reason ?? callers.reason) != nil }
    }

    /// ``willWait(computes:)`` of a function that waits, for code that knows only the closure. To be called on the machine's thread.
    public var beginWait: @Sendable () -> Void {
        { [answers = engine.answers] in answers.pause() }
    }

    /// Sends pending results. A native function calls it before it waits.
    ///
    /// - Parameter computes: whether it is work of this thread that may take long.
    public func willWait(computes: Bool = false) {
        engine.answers.pause(computes: computes)
    }

    /// Returns the bytes by which the machine's heap has grown since it was last measured, after a collection.
    public func heapGrowth() -> Int {
        JSSynchronousGarbageCollectForDebugging(reference)
        return HeapStatistics.size(of: reference) - engine.limits.measuredHeap
    }

    /// Evaluates a script at the top level.
    ///
    /// - Parameters:
    ///   - file: what errors call it.
    ///   - line: the number of its first line.
    /// - Throws: ``ScriptError``.
    @discardableResult
    public func evaluate(_ source: String, file: String, line: Int = 1) throws -> ScriptValue {
        let text = JSText.make(source)
        let url = JSText.make(file)
        defer {
            JSStringRelease(text)
            JSStringRelease(url)
        }
        let value = try checked { JSEvaluateScript(reference, text, nil, url, Int32(clamping: line), $0) }
        return ScriptValue(value, in: self)
    }

    /// The global object.
    public var global: ScriptValue { ScriptValue(JSContextGetGlobalObject(reference), in: self) }

    public var undefined: ScriptValue { ScriptValue(JSValueMakeUndefined(reference), in: self) }
    public var null: ScriptValue { ScriptValue(JSValueMakeNull(reference), in: self) }

    public func make(_ bool: Bool) -> ScriptValue { ScriptValue(JSValueMakeBoolean(reference, bool), in: self) }

    public func make(_ number: Double) -> ScriptValue { ScriptValue(JSValueMakeNumber(reference, number), in: self) }

    public func make(_ string: String) -> ScriptValue {
        let text = JSText.make(string)
        defer { JSStringRelease(text) }
        return ScriptValue(JSValueMakeString(reference, text), in: self)
    }

    /// Returns a new empty object.
    public func makeObject() -> ScriptValue { ScriptValue(JSObjectMake(reference, nil, nil), in: self) }

    /// Returns a new array.
    ///
    /// - Throws: ``ScriptError`` when the engine has no memory for it.
    public func makeArray(_ elements: [ScriptValue]) throws -> ScriptValue {
        let references: [JSValueRef?] = elements.map(\.reference)
        return ScriptValue(
            try withExtendedLifetime(elements) {
                try checked { JSObjectMakeArray(reference, references.count, references, $0) }
            }, in: self)
    }

    /// Returns the value of `JSON.parse(text)`; `nil` when `text` is not JSON.
    public func parse(json text: String) -> ScriptValue? {
        let string = JSText.make(text)
        defer { JSStringRelease(string) }
        return JSValueMakeFromJSONString(reference, string).map { ScriptValue($0, in: self) }
    }

    /// Returns the value of JSON in UTF-8 that ends with a zero byte; `nil` when the bytes are not JSON, not UTF-8, or have
    /// another zero byte.
    public func parse(terminatedJSON bytes: [UInt8]) -> ScriptValue? {
        let string = bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text -> JSStringRef? in
                guard let start = text.baseAddress, text.last == 0, strlen(start) == text.count - 1 else { return nil }
                return JSStringCreateWithUTF8CString(start)
            }
        }
        guard let string else { return nil }
        defer { JSStringRelease(string) }
        return JSValueMakeFromJSONString(reference, string).map { ScriptValue($0, in: self) }
    }

    /// Runs a piece of the C API that reports what was thrown through a pointer.
    func checked<Result>(_ body: (UnsafeMutablePointer<JSValueRef?>) -> Result) throws -> Result {
        var thrown: JSValueRef?
        let result = body(&thrown)
        if let thrown { throw ScriptError(thrown: thrown, in: reference, builtIns) }
        return result
    }
}
