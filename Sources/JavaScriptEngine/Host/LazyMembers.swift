import CJavaScriptCore
import Foundation

/// The names of members that an object of a script seems to have from the start, although each is made when somebody first
/// looks at it. Made once for a process, used for any number of objects.
///
/// The engine asks back for these names alone, and as long as it finds nothing: what was made is put into the object as an
/// ordinary member, and so is what a script puts in its place. A look costs 0.2 microseconds more than at an ordinary one.
///
/// A script can tell the difference in one way only: when it freezes the object first, what it then looks at works and cannot
/// be replaced, but `Object.isFrozen` says no.
public final class LazyMembers: @unchecked Sendable {
    // Unchecked for the class: an opaque pointer that is written once, here, and only ever handed to the engine, which
    // locks for itself.

    fileprivate let attributes: [String: MemberAttributes]
    /// In the order in which scripts see them.
    fileprivate let names: [String]
    fileprivate let classReference: JSClassRef?

    public init(_ members: [(name: String, attributes: MemberAttributes)]) {
        names = members.map(\.name)
        attributes = Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.attributes) })
        let keys = members.map { strdup($0.name) }
        defer { for key in keys { free(key) } }
        var values = zip(keys, members).map { key, member in
            JSStaticValue(
                name: UnsafePointer(key),
                getProperty: { LazyMembersBox.get($0, $1, $2, $3) },
                // What is there is what the script replaces, or may not replace; the engine knows.
                setProperty: { context, object, name, _, exception in
                    _ = LazyMembersBox.get(context, object, name, exception)
                    return false
                },
                attributes: member.attributes.rawValue)
        }
        values.append(JSStaticValue())
        classReference = values.withUnsafeBufferPointer { values in
            "Object".withCString { className in
                var definition = JSClassDefinition()
                definition.version = 0
                definition.attributes = JSClassAttributes(kJSClassAttributeNoAutomaticPrototype)
                definition.className = className
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
}

extension ScriptContext {
    /// A new object with `members`.
    ///
    /// - Parameter make: makes the member of that name, at most once. What it throws is thrown at whoever looks.
    public func makeObject(
        _ members: LazyMembers, _ make: @escaping (String) throws -> ScriptValue
    ) -> ScriptValue {
        let box = LazyMembersBox(members, in: self, make)
        let data = Unmanaged.passRetained(box as HostBox).toOpaque()
        return ScriptValue(JSObjectMake(reference, members.classReference, data), in: self)
    }
}

/// What an object with lazy members points to.
private final class LazyMembersBox: HostBox {
    private let members: LazyMembers
    private unowned let context: ScriptContext
    private let make: (String) throws -> ScriptValue
    /// Those that have been made.
    private var settled: Set<String> = []
    /// Whether some were made after the script had frozen the object: these are hidden in it, and answered from there.
    private var isFrozen = false

    init(_ members: LazyMembers, in context: ScriptContext, _ make: @escaping (String) throws -> ScriptValue) {
        self.members = members
        self.context = context
        self.make = make
        super.init(data: nil, releases: context.engine.releases)
    }

    private static func box(_ object: JSObjectRef?) -> LazyMembersBox? {
        HostBox.box(of: object) as? LazyMembersBox
    }

    /// Answers nothing as a rule: the engine then looks among the object's ordinary members, where what was made is by now.
    static func get(
        _ reference: JSContextRef?, _ object: JSObjectRef?, _ name: JSStringRef?,
        _ exception: UnsafeMutablePointer<JSValueRef?>?
    ) -> JSValueRef? {
        guard let box = box(object), let name else { return nil }
        let key = JSText.string(name)
        // Noted before it is there: putting it in makes the engine look for it.
        guard box.settled.insert(key).inserted else {
            return box.isFrozen ? JSObjectGetPrivateProperty(reference, object, name) : nil
        }
        do {
            let value = try box.make(key)
            let attributes = box.members.attributes[key] ?? []
            try box.context.checked {
                JSObjectSetProperty(reference, object, name, value.reference, attributes.rawValue, $0)
            }
            if JSObjectHasProperty(reference, object, name) { return nil }
            box.isFrozen = true
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
