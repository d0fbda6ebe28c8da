import CJavaScriptCore
import Foundation

/// The names of members that an object seems to have from the start, although each is created at its first use. Created once for a
/// process, and used for any number of objects.
///
/// The engine calls back only for these names. Scripts can neither replace nor remove a member nor add one.
public final class LazyMembers: @unchecked Sendable {
    // Unchecked for the class: an opaque pointer that is written once, here, and only ever handed to the engine, which
    // locks for itself.

    /// In the order in which scripts see them.
    fileprivate let names: [String]
    fileprivate let classReference: JSClassRef?

    public init(_ names: [String]) {
        self.names = names
        let keys = names.map { strdup($0) }
        defer { for key in keys { free(key) } }
        var values = keys.map { key in
            JSStaticValue(
                name: UnsafePointer(key),
                getProperty: { LazyMembersBox.get($0, $1, $2, $3) }, setProperty: nil,
                attributes: ([.readOnly, .permanent] as MemberAttributes).rawValue)
        }
        values.append(JSStaticValue())
        classReference = values.withUnsafeBufferPointer { values in
            "Object".withCString { className in
                var definition = JSClassDefinition()
                definition.version = 0
                definition.attributes = JSClassAttributes(kJSClassAttributeNoAutomaticPrototype)
                definition.className = className
                definition.parentClass = Self.baseClass
                definition.staticValues = values.baseAddress
                definition.getPropertyNames = { LazyMembersBox.addNames(of: $1, to: $2) }
                definition.finalize = { HostBox.release($0) }
                return JSClassCreate(&definition)
            }
        }
    }

    deinit {
        JSClassRelease(classReference)
    }

    private static let base = EngineClass(
        reference: {
            var definition = JSClassDefinition()
            definition.version = 0
            definition.attributes = JSClassAttributes(kJSClassAttributeNoAutomaticPrototype)
            return withUnsafePointer(to: &definition) { JSClassCreate($0) }
        }())

    /// The class from which those of all objects with lazy members inherit.
    static var baseClass: JSClassRef? { base.reference }
}

extension ScriptContext {
    /// Makes a new object with `members`.
    ///
    /// - Parameter make: makes the member of that name, at most once. An error that it throws reaches the code that reads the member.
    public func makeObject(
        _ members: LazyMembers, _ make: @escaping (String) throws -> ScriptValue
    ) -> ScriptValue {
        let box = LazyMembersBox(members, in: self, make)
        let data = Unmanaged.passRetained(box as HostBox).toOpaque()
        let object = ScriptValue(JSObjectMake(reference, members.classReference, data), in: self)
        _ = try? call(builtIns.preventExtensions, object)
        return object
    }
}

/// The Swift data of an object with lazy members.
private final class LazyMembersBox: HostBox {
    private let members: LazyMembers
    private unowned let context: ScriptContext
    private let make: (String) throws -> ScriptValue
    /// The members that have been created.
    private var settled: Set<String> = []

    init(_ members: LazyMembers, in context: ScriptContext, _ make: @escaping (String) throws -> ScriptValue) {
        self.members = members
        self.context = context
        self.make = make
        super.init(data: nil, releases: context.engine.releases)
    }

    private static func box(_ object: JSObjectRef?) -> LazyMembersBox? {
        HostBox.box(of: object) as? LazyMembersBox
    }

    /// Returns the member, which the object holds as a private one, since it takes no others.
    static func get(
        _ reference: JSContextRef?, _ object: JSObjectRef?, _ name: JSStringRef?,
        _ exception: UnsafeMutablePointer<JSValueRef?>?
    ) -> JSValueRef? {
        guard let box = box(object), let name else { return nil }
        let key = JSText.string(name)
        guard box.settled.insert(key).inserted else { return JSObjectGetPrivateProperty(reference, object, name) }
        do {
            let value = try box.make(key)
            JSObjectSetPrivateProperty(reference, object, name, value.reference)
            return value.reference
        } catch {
            box.settled.remove(key)
            exception?.pointee = box.context.errorObject(for: error)
        }
        return nil
    }

    /// The engine knows them, but not their order.
    static func addNames(of object: JSObjectRef?, to names: JSPropertyNameAccumulatorRef?) {
        for name in box(object)?.members.names ?? [] {
            let text = JSText.make(name)
            JSPropertyNameAccumulatorAddName(names, text)
            JSStringRelease(text)
        }
    }
}
