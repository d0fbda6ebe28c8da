/// The names that an adapter's scope has before its script runs.
package enum RuntimeNames {
    /// The names that Lamplighter defines, as adapters/worklight.d.ts declares them.
    package static let bindings: Set<String> = Set(["WL", "MFP", "console"] + JavaLibrary.roots)

    /// The names that only Rhino had. Scripts that use these get them, or a problem that says so.
    private static let rhino: Set<String> = [
        "Iterator", "JavaAdapter", "JavaImporter", "Namespace", "QName", "StopIteration", "XML", "XMLList",
        "importClass",
        "importPackage", "isXMLName", "uneval",
    ]

    /// The names that each function defines for itself.
    private static let ofFunctions: Set<String> = ["arguments"]

    /// JavaScript's own, as the engine has them.
    package static let language: Set<String> = [
        "AggregateError", "Array", "ArrayBuffer", "Atomics", "BigInt", "BigInt64Array", "BigUint64Array",
        "Boolean", "DataView", "Date", "Error", "EvalError", "Float16Array",
        "Float32Array", "Float64Array", "Function", "Infinity", "Int16Array", "Int32Array", "Int8Array", "Intl",
        "Iterator", "JSON", "Map", "Math", "NaN", "Number", "Object", "Proxy", "RangeError",
        "ReferenceError", "Reflect", "RegExp", "Set", "String", "Symbol", "SyntaxError",
        "TypeError", "URIError", "Uint16Array", "Uint32Array", "Uint8Array", "Uint8ClampedArray", "WeakMap",
        "WeakRef", "WeakSet", "decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent", "escape", "eval",
        "globalThis", "isFinite", "isNaN", "parseFloat", "parseInt", "undefined", "unescape",
    ]

    package static let all = bindings.union(rhino).union(ofFunctions).union(language)

    /// The names that authors know from other environments, each with a replacement.
    package static let elsewhere: [String: String] = {
        let timers = "there are no timers: let an event source poll, or do it at once"
        let page = "it is of web pages, and an adapter runs in the server"
        let modules = "there are no modules: an adapter is one script"
        var table = [
            "fetch": "call WL.Server.invokeHttp", "XMLHttpRequest": "call WL.Server.invokeHttp",
            "alert": "\(page): write to WL.Logger", "print": "write to WL.Logger", "process": "this is not Node.js",
            "JSONRPC": page,
        ]
        table["Promise"] = "there are none: calls of WL.Server wait for their results"
        for name in ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval"] {
            table[name] = timers
        }
        for name in ["window", "document", "navigator", "localStorage", "sessionStorage", "jQuery", "$"] {
            table[name] = page
        }
        for name in ["require", "module", "exports"] { table[name] = modules }
        return table
    }()

    /// The functions of `WL.Server`.
    package static let server: Set<String> = [
        "addResponseHeader", "configuration", "createDefaultNotification", "createEventHandler", "createEventSource",
        "createNWBusinessObject", "createSMSEventHandler", "createSQLStatement", "createUSSDEventHandler",
        "createUSSDResponse", "deleteNWBusinessObject", "fetchNWBusinessObject", "getActiveUser",
        "getBeaconsAndTriggers", "getClientDeviceContext", "getClientId", "getClientRequest",
        "getCurrentDeviceIdentity", "getCurrentUserIdentity", "getPropertyValue", "getSMSSubscription",
        "getUserNotificationSubscription", "invokeCastIron", "invokeHttp", "invokeProcedure", "invokeSQLStatement",
        "invokeSQLStoredProcedure", "logActivity", "notifyAll", "notifyAllDevices", "notifyDevice",
        "notifyDeviceSubscription", "notifyDeviceToken", "readAllJMSMessages", "readSingleJMSMessage",
        "requestReplyJMSMessage", "sendMessage", "setActiveUser", "setApplicationContext", "setEventHandlers",
        "signSoapMessage", "submitNotification", "subscribeSMS", "unsubscribeSMS", "updateNWBusinessObject",
        "writeJMSMessage",
    ]

    /// The functions of `WL.Logger`.
    package static let logger: Set<String> = ["debug", "error", "info", "log", "warn"]

    /// The functions of `WL.Geo`.
    package static let geo: Set<String> = [
        "getDistanceBetweenCoordinates", "getDistanceToCircle", "getDistanceToPolygon", "isInsideCircle",
        "isInsidePolygon", "isOutsideCircle", "isOutsidePolygon",
    ]
}
