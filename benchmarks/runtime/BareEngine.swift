import CJavaScriptCore
import Foundation

/// The C API alone: JSON in, the function, JSON out, on the calling thread.
struct BareEngine {
    private let context: JSGlobalContextRef
    private let function: JSObjectRef

    init(script: String) throws {
        guard let context = JSGlobalContextCreate(nil) else { throw BenchmarkError(description: "no context") }
        self.context = context
        let source = JSStringCreateWithUTF8CString(script + "\nrun")
        defer { JSStringRelease(source) }
        guard let value = JSEvaluateScript(context, source, nil, nil, 1, nil),
            let function = JSValueToObject(context, value, nil)
        else { throw BenchmarkError(description: "no function") }
        JSValueProtect(context, function)
        self.function = function
    }

    /// Has the engine keep the time, as it must for scripts that may loop: each entry then costs more.
    func armTimeLimit() {
        JSContextGroupSetExecutionTimeLimit(JSContextGetGroup(context), 3600, { _, _ in false }, nil)
    }

    func call(_ parameters: String) -> Int {
        let text = JSStringCreateWithUTF8CString(parameters)
        defer { JSStringRelease(text) }
        guard let value = JSValueMakeFromJSONString(context, text), let list = JSValueToObject(context, value, nil)
        else { return 0 }
        var arguments: [JSValueRef?] = [
            JSObjectGetPropertyAtIndex(context, list, 0, nil), JSObjectGetPropertyAtIndex(context, list, 1, nil),
        ]
        guard let result = JSObjectCallAsFunction(context, function, nil, 2, &arguments, nil),
            let json = JSValueCreateJSONString(context, result, 0, nil)
        else { return 0 }
        defer { JSStringRelease(json) }
        let capacity = JSStringGetMaximumUTF8CStringSize(json)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            JSStringGetUTF8CString(json, buffer.baseAddress, capacity)
        }
    }
}
