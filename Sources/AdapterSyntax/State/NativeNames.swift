/// The functions of the language and of the runtime, as far as the state analysis needs to know them. A name that is in no list
/// counts as a function that changes its receiver.
enum NativeNames {
    /// Functions of the global object that return a new value or a text, and change nothing.
    static let freshFunctions: Set<String> = [
        "parseInt", "parseFloat", "isNaN", "isFinite", "String", "Number", "Boolean", "encodeURI", "encodeURIComponent",
        "decodeURI", "decodeURIComponent", "escape", "unescape", "Error", "TypeError", "RangeError", "SyntaxError",
        "ReferenceError", "EvalError", "URIError", "QName", "Namespace", "print", "isXMLName", "uneval", "BigInt",
        "StopIteration",
    ]
    /// Functions and classes whose result can hold or be their arguments.
    static let wrappers: Set<String> = [
        "Object", "Array", "XML", "XMLList", "Map", "Set", "WeakMap", "WeakSet", "Int8Array", "Uint8Array",
        "Int16Array",
        "Uint16Array", "Int32Array", "Uint32Array", "Float32Array", "Float64Array", "ArrayBuffer", "DataView",
    ]
    static let primitives: Set<String> = ["undefined", "NaN", "Infinity"]

    /// Static functions that return a new value or a text, by the object that has them.
    static let freshStatics: [String: Set<String>] = [
        "JSON": ["parse", "stringify"],
        "Object": ["keys", "getOwnPropertyNames", "is", "isFrozen", "isSealed", "isExtensible", "hasOwn"],
        "Array": ["isArray"],
        "String": ["fromCharCode", "fromCodePoint", "raw"],
        "Number": ["isInteger", "isFinite", "isNaN", "isSafeInteger", "parseFloat", "parseInt"],
        "Date": ["parse", "UTC"],
        "Math": [
            "abs", "acos", "asin", "atan", "atan2", "cbrt", "ceil", "clz32", "cos", "exp", "floor", "fround", "hypot",
            "imul",
            "log", "log10", "log2", "max", "min", "pow", "round", "sign", "sin", "sqrt", "tan", "trunc",
        ],
    ]
    /// Static functions whose result can hold their arguments.
    static let wrappingStatics: [String: Set<String>] = [
        "Object": ["values", "entries", "create", "fromEntries", "getOwnPropertyDescriptor"],
        "Array": ["from", "of"],
    ]

    /// Functions of `WL.Server` that declare something while the script is loaded.
    static let declarations: Set<String> = ["createEventSource", "setEventHandlers"]
    /// Functions of `WL.Server` that depend on nothing of the session.
    static let databaseFunctions: Set<String> = ["invokeSQLStatement", "invokeSQLStoredProcedure"]
    /// Functions of `WL.Server` that return the same at any time and for every session.
    static let constantServerFunctions: Set<String> = [
        "createSQLStatement", "createEventHandler", "createSMSEventHandler", "createUSSDEventHandler",
        "createDefaultNotification",
    ]

    /// Methods that change their receiver.
    static let changingMethods: Set<String> = [
        "push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "copyWithin", "set", "add", "delete",
        "clear",
        "next", "return", "throw", "compile", "put", "putAll", "remove", "removeAll", "append", "appendChild",
        "prependChild", "insertChildAfter", "insertChildBefore", "setChildren", "setLocalName", "setName",
        "setNamespace",
        "addNamespace", "removeNamespace", "normalize", "setProperty", "load", "send", "close", "setSettings",
    ]
    /// Methods that change a regular expression with the flag `g` or `y`.
    static let matchingMethods: Set<String> = ["test", "exec"]
    /// Methods that change nothing and return a text, a number, a boolean, or a new list of texts.
    static let freshMethods: Set<String> = [
        "toString", "toLocaleString", "toJSON", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "indexOf",
        "lastIndexOf", "includes", "join", "every", "some", "findIndex", "has", "charAt", "charCodeAt", "codePointAt",
        "localeCompare", "match", "search", "split", "substr", "substring", "toLocaleLowerCase",
        "toLocaleUpperCase", "toLowerCase", "toUpperCase", "trim", "trimLeft", "trimRight", "trimStart", "trimEnd",
        "startsWith", "endsWith", "repeat", "padStart", "padEnd", "normalize", "toFixed", "toPrecision",
        "toExponential",
        "getDate", "getDay", "getFullYear", "getHours", "getMilliseconds", "getMinutes", "getMonth", "getSeconds",
        "getTime", "getTimezoneOffset", "getUTCDate", "getUTCDay", "getUTCFullYear", "getUTCHours",
        "getUTCMilliseconds",
        "getUTCMinutes", "getUTCMonth", "getUTCSeconds", "getYear", "toDateString", "toTimeString", "toISOString",
        "toUTCString", "toGMTString", "toLocaleDateString", "toLocaleTimeString", "toSource", "toXMLString", "length",
        "debug", "error", "info", "log", "warn", "nodeKind", "hasSimpleContent", "hasComplexContent", "childIndex",
        "localName", "containsKey", "isEmpty", "size",
    ]
    /// Methods that change nothing, and whose result can be a part of the receiver or of an argument.
    static let partMethods: Set<String> = [
        "valueOf", "concat", "slice", "filter", "map", "forEach", "reduce", "reduceRight", "find", "flat", "flatMap",
        "at",
        "get", "replace", "replaceAll", "child", "children", "elements", "descendants", "attribute", "attributes",
        "text", "parent",
        "name", "namespace", "copy", "comments", "processingInstructions", "getProperty", "elementAt",
    ]
    /// Methods that return an iterator, which a loop advances.
    static let iteratorMethods: Set<String> = ["keys", "values", "entries", "matchAll"]

    /// Names under which every object has something of the runtime's.
    static let inheritedMembers: Set<String> = ["constructor", "prototype", "__proto__", "callee", "caller"]
    /// Functions that the language calls by itself.
    static let implicitMethods: Set<String> = ["toString", "valueOf", "toJSON", "toLocaleString", "next"]
    /// Names that give access to what the analysis does not follow.
    static let refusedNames: Set<String> = [
        "eval", "Function", "globalThis", "Proxy", "Reflect", "Symbol", "JavaAdapter", "Promise", "__rhino",
        "GeneratorFunction",
    ]
    static let refusedMembers: Set<String> = [
        "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "callee", "caller", "bind",
        "watch",
        "unwatch", "__iterator__", "__noSuchMethod__", "__parent__",
    ]
}
