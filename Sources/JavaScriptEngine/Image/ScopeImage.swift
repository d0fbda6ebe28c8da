import CJavaScriptCore

/// The content of a global scope right after its script was loaded, and the comparison with its current content.
///
/// The image has every object that scripts reach from the global object, from top-level `let`, `const` and `class`, from variables that
/// closures captured while loading, and from functions that native code keeps; and the language's own objects. Of each: the prototype, the
/// own keys in order, and the values by `Object.is`; the time of a Date, the source, flags and `lastIndex` of a RegExp.
///
/// Keys, attributes and whether a value is an accessor are compared by the number of the object's shape where possible, which takes a
/// nanosecond, and otherwise one by one. Two objects of one shape have the same keys with the same attributes: the engine makes a new shape
/// for each change, except in a *dictionary*, a shape that belongs to one object and changes in place. An object of a script is compared
/// with a *witness* of the same shape that no script can reach; a shape that two objects share is never a dictionary. An object of the
/// language is compared with its own shape from before the script ran; ``probe()`` finds out, in another scope, which of them have shapes
/// that change. The layout of the engine's cells is verified in each scope.
///
/// Lives on its virtual machine's thread, as its context does.
public final class ScopeImage {
    /// The reason why a scope cannot be compared.
    public struct ScopeComparisonError: Error, Hashable {
        /// The global variable, or another location; empty when the reason concerns no location.
        public let place: String
        /// The reason, such as "holds a bound function".
        public let reason: String

        public init(place: String, reason: String) {
            self.place = place
            self.reason = reason
        }
    }

    private unowned let context: ScriptContext
    private let look: ScriptValue
    private let functions: [ScriptValue]
    /// The language's own objects that can change; ``knownReferences`` are the same, for the engine.
    private(set) var known: ScriptValue?
    private var knownReferences: [JSObjectRef] = []
    private var knownShapes: [UInt32] = []

    private var check: ScriptValue?
    /// Holds on to the objects below.
    private var kept: [ScriptValue] = []
    private var witnessed: [(object: JSObjectRef, witness: JSObjectRef)] = []
    private var shaped: [(object: JSObjectRef, shape: UInt32)] = []
    /// Objects of the server that scripts cannot change: these, and Proxies of these, are not part of the image.
    private var skipped: [ScriptValue] = []

    /// Prepares a scope: before anything else runs in it.
    ///
    /// - Throws: ``ScriptError`` when the engine has no memory.
    public init(in context: ScriptContext) throws {
        self.context = context
        look = ScriptValue(JSObjectMake(context.reference, Self.lookClass.reference, nil), in: context)
        let sloppyFunctions = try context.evaluate(
            "[function () {}, function* () {}, async function () {}, async function* () {}, async () => 1]",
            file: Self.file)
        let list = try context.evaluate(Self.text, file: Self.file).call([context.global, look, sloppyFunctions])
        functions = try (0..<6).map { try list.element(at: $0) }
        JSObjectSetPrivate(look.object, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        JSObjectSetPrivate(look.object, nil)
    }

    /// Keeps an object of the server out of the image. No script may be able to change it.
    public func skip(_ value: ScriptValue) {
        skipped.append(value)
    }

    /// Notes the language's own objects: after the server's own scripts and before the adapter's.
    ///
    /// - Parameter hidden: globals of the language that the adapter's script does not name; they are removed.
    /// - Throws: ``ScriptError`` when the engine has no memory.
    public func begin(hiding hidden: [String]) throws {
        let known = try functions[0].call([try context.makeArray(hidden.map { context.make($0) })])
        self.known = known
        knownReferences = try known.elements().compactMap(\.object)
        knownShapes = knownReferences.map { lamplighterShape($0) }
    }

    /// Changes each of the language's own objects, and returns which of them got another shape by that. The scope is useless afterwards.
    public func probe() throws -> [Bool] {
        _ = try functions[1].call()
        return zip(knownReferences, knownShapes).map { lamplighterShape($0) != $1 }
    }

    /// Makes the image: right after loading.
    ///
    /// - Parameters:
    ///   - shapesChange: what ``probe()`` returned in a scope that was made in the same way.
    ///   - kept: functions that native code keeps.
    ///   - captured: functions that return arrays of variables which closures captured.
    ///   - lexicalNames: what the script declares by `let`, `const` and `class` at its top level.
    ///   - temporaries: globals that each call assigns before it reads them.
    ///   - shadowed: further names that mean no property of the global object: the server's own lexical variables.
    /// - Throws: ``ScopeComparisonError``, ``ScriptError`` when the engine has no memory.
    public func take(
        shapesChange: [Bool], kept: [ScriptValue], captured: [ScriptValue], lexicalNames: [String],
        temporaries: [String], shadowed: [String] = []
    ) throws {
        let lexicals: ScriptValue
        if lexicalNames.isEmpty {
            lexicals = context.undefined
        } else {
            let reader = try context.evaluate(
                "(function () { return [\(lexicalNames.joined(separator: ", "))] })", file: Self.file)
            lexicals = try context.makeArray([reader, try context.makeArray(lexicalNames.map { context.make($0) })])
        }
        let unchanged = try context.makeArray(
            knownReferences.indices.map { index in
                context.make(
                    shapesChange.count == knownReferences.count && shapesChange[index]
                        && lamplighterShape(knownReferences[index]) == knownShapes[index])
            })
        let result = try functions[2].call([
            unchanged, try context.makeArray(kept), try context.makeArray(captured), lexicals,
            try context.makeArray(temporaries.map { context.make($0) }),
            try context.makeArray(shadowed.map { context.make($0) }),
        ])
        if let text = result.string {
            let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
            throw ScopeComparisonError(place: String(parts[0]), reason: String(parts.last ?? ""))
        }
    }

    /// Makes code for the comparison.
    private func makeCheck() throws {
        let result = try functions[5].call()
        let source = try result.element(at: 0).string ?? ""
        let check = try context.evaluate(source, file: Self.file).call([try result.element(at: 1)])
        kept = try (2..<4).map { try result.element(at: $0) }
        witnessed = zip(try kept[0].elements(), try kept[1].elements()).compactMap { object, witness in
            guard let object = object.object, let witness = witness.object else { return nil }
            return (object, witness)
        }
        shaped = try result.element(at: 4).elements().map { Int($0.number ?? 0) }.map {
            (knownReferences[$0], knownShapes[$0])
        }
        self.check = check
    }

    /// Returns whether the scope holds the values of the image. If so, resets temporaries to the image's values.
    ///
    /// Runs no code of scripts. The first comparison is slow: only a scope that was unchanged once gets code for it. So is one that finds
    /// another shape, since the code reads members, and some of them may have become accessors.
    public func isUnchanged() -> Bool {
        guard let check, shapesAreSame else {
            guard (try? functions[4].call())?.bool == true else { return false }
            if self.check == nil { try? makeCheck() }
            return true
        }
        let isEqual = try? context.checked {
            JSObjectCallAsFunction(context.reference, check.object, nil, 0, nil, $0)
        }
        return isEqual.map { JSValueToBoolean(context.reference, $0) } ?? false
    }

    private var shapesAreSame: Bool {
        witnessed.allSatisfy { lamplighterHaveSameShape($0.object, $0.witness) }
            && shaped.allSatisfy { lamplighterShape($0.object) == $0.shape }
    }

    /// Returns the global variables that have changed, or another location; empty when it is not known.
    public func difference() -> [String] {
        (try? functions[3].call())?.string?.split(separator: "\n").map(String.init) ?? []
    }

    /// Returns the globals of the language that ES5 did not have. A scope has only those that its script names, because each takes memory
    /// in the image. `Segmenter` is a member of `Intl`. `RegExp` is here for the results of the last match, such as `RegExp.$1`.
    public static func optionalGlobals(in context: ScriptContext) throws -> [String] {
        let all = try context.evaluate("Object.getOwnPropertyNames(this)", file: file).elements().compactMap(\.string)
        return all.filter { !core.contains($0) } + ["RegExp", "Segmenter"]
    }

    private static let core: Set = [
        "Array", "Boolean", "Date", "Error", "EvalError", "Function", "Infinity", "JSON", "Math", "NaN", "Number",
        "Object", "RangeError", "ReferenceError", "Reflect", "RegExp", "String", "SyntaxError", "TypeError",
        "URIError", "decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent", "escape", "eval",
        "globalThis", "isFinite", "isNaN", "parseFloat", "parseInt", "undefined", "unescape",
    ]

    /// The script that makes and compares images.
    private static let text = EmbeddedText.scope_image_js

    /// The file name of the script in errors.
    private static let file = "lamplighter:image"

    // MARK: Kinds and shapes

    /// The kinds of objects that the image distinguishes from those of the language; see ``text``.
    private enum Kind: Double {
        /// An object that carries Swift data, compared as a plain one.
        case host = 8
        /// One that scripts cannot change.
        case skipped = 9
    }

    /// The function `look`: with one object it returns its kind, with two whether they have the same shape, without one a random number.
    private static let lookClass = EngineClass(
        reference: {
            var definition = JSClassDefinition()
            definition.version = 0
            definition.attributes = JSClassAttributes(kJSClassAttributeNoAutomaticPrototype)
            definition.callAsFunction = { context, function, _, count, arguments, _ in
                guard count > 0, let first = arguments?[0] else {
                    return JSValueMakeNumber(context, Double.random(in: 0..<1))
                }
                if count > 1, let second = arguments?[1] {
                    return JSValueMakeBoolean(context, lamplighterHaveSameShape(first, second))
                }
                return JSValueMakeNumber(context, ScopeImage.kind(of: first, function, in: context))
            }
            return withUnsafePointer(to: &definition) { JSClassCreate($0) }
        }())

    private static func kind(of object: JSObjectRef, _ function: JSObjectRef?, in context: JSContextRef?) -> Double {
        if let kind = HostObject.imageKind(of: object, in: context) {
            return (kind == .data ? Kind.host : .skipped).rawValue
        }
        if let image = function.flatMap(JSObjectGetPrivate) {
            let target = JSObjectGetProxyTarget(object) ?? object
            let skipped = Unmanaged<ScopeImage>.fromOpaque(image).takeUnretainedValue().skipped
            if skipped.contains(where: { $0.reference == target }) { return Kind.skipped.rawValue }
        }
        return Double(lamplighterCellKind(object))
    }
}
