import CJavaScriptCore

/// A class of objects in the engine, which keeps it for the process's lifetime and never changes it.
struct EngineClass: @unchecked Sendable {
    // An opaque pointer that is written once, here, and only ever handed to the engine, which locks for itself.
    let reference: JSClassRef?
}

/// Plain objects that carry a Swift object, invisibly to the script.
enum HostObject {
    private static let plain = EngineClass(
        reference: {
            var definition = JSClassDefinition()
            definition.version = 0
            // The class would have a separate prototype, which all of its objects share.
            definition.attributes = JSClassAttributes(kJSClassAttributeNoAutomaticPrototype)
            definition.finalize = { object in HostBox.release(object) }
            return withUnsafePointer(to: &definition) { JSClassCreate($0) }
        }())

    private static let function = EngineClass(
        reference: {
            var definition = JSClassDefinition()
            definition.version = 0
            // The class would have a separate prototype, which all of its objects share.
            definition.attributes = JSClassAttributes(kJSClassAttributeNoAutomaticPrototype)
            definition.finalize = { object in HostBox.release(object) }
            definition.callAsFunction = { context, function, this, count, arguments, exception in
                HostFunctionBox.call(context, function, this, count, arguments, exception)
            }
            return withUnsafePointer(to: &definition) { JSClassCreate($0) }
        }())

    static func makePlain(_ box: HostBox, in context: ScriptContext) -> JSObjectRef? {
        JSObjectMake(context.reference, plain.reference, Unmanaged.passRetained(box).toOpaque())
    }

    static func makeFunction(_ box: HostFunctionBox, in context: ScriptContext) -> JSObjectRef? {
        JSObjectMake(context.reference, function.reference, Unmanaged.passRetained(box as HostBox).toOpaque())
    }

    /// Returns the Swift object of a plain host object; `nil` for every other object.
    static func data(of object: JSObjectRef, in context: ScriptContext) -> AnyObject? {
        guard JSValueIsObjectOfClass(context.reference, object, plain.reference) else { return nil }
        return HostBox.box(of: object)?.data
    }
}

/// The Swift data of a host object.
class HostBox {
    let data: AnyObject?
    private let releases: ReleaseQueue

    init(data: AnyObject?, releases: ReleaseQueue) {
        self.data = data
        self.releases = releases
    }

    static func box(of object: JSObjectRef?) -> HostBox? {
        guard let object, let data = JSObjectGetPrivate(object) else { return nil }
        return Unmanaged<HostBox>.fromOpaque(data).takeUnretainedValue()
    }

    /// Called by the garbage collector; see ``ReleaseQueue``.
    static func release(_ object: JSObjectRef?) {
        guard let object, let data = JSObjectGetPrivate(object) else { return }
        let box = Unmanaged<HostBox>.fromOpaque(data)
        box.takeUnretainedValue().releases.append(Unmanaged<AnyObject>.fromOpaque(data))
    }
}
