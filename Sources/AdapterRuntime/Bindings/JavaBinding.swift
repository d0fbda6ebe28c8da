import JavaScriptEngine
import Logging

/// The roots of Java's packages, which scripts could reach on Worklight's engine (server-api 1).
///
/// Two methods are there: `java.lang.System.out.println`, and `JSObjectConverter.toFormattedString` under both of its packages.
/// Every other name can be spoken but not used: calling it is an error, at the time of the call. While the script is being loaded it is only a
/// warning and gives another such name, since real adapters call Java at their top level.
extension AdapterScope {
    func installJavaPackages() throws {
        let install = try context.evaluate(Self.packages, file: "lamplighter:java")
        _ = try install.call([context.global, Self.hooks.makeObject(in: self)])
    }

    private static let hooks = BindingTable("Java") { table in
        table.add("println") { scope, call in
            try scope.write(.info) { try scope.line(call[0]) }
            return call.context.undefined
        }
        table.add("unavailable") { scope, call in
            let path = try call[0].text()
            let message =
                "the Java class or method \(path) is not available: Lamplighter has no Java; of its classes only "
                + "java.lang.System.out.println and com.worklight.common.js.util.JSObjectConverter.toFormattedString work"
            guard scope.isLoading else { throw HostError(message) }
            if scope.adapter.once.isFirst("java \(path)") { scope.logger.warning("\(message); ignored while loading") }
            return call.context.undefined
        }
    }

    private static let packages = """
        (function (global, hooks) {
            "use strict";
            var works = {
                get "java.lang.System.out.println"() { return hooks.println; },
                "com.worklight.common.js.util.JSObjectConverter.toFormattedString": formatted,
                "com.worklight.server.integration.api.JSObjectConverter.toFormattedString": formatted
            };
            function formatted(object) { return JSON.stringify(object, null, 4); }
            function name(path) {
                return new Proxy(function () {}, {
                    get: function (target, key) {
                        if (typeof key === "symbol") return undefined;
                        if (key === "toString") return function () { return "[Java " + path + "]"; };
                        // Of a class, as in String.valueOf(5), it is a method like any other.
                        if (key === "toJSON" || (key === "valueOf" && !/\\.[A-Z]\\w*$/.test(path))) return undefined;
                        var next = path + "." + key;
                        return works[next.replace(/^Packages\\./, "")] || name(next);
                    },
                    apply: function () { hooks.unavailable(path); return name(path + "()"); },
                    construct: function () { hooks.unavailable("new " + path); return name("new " + path + "()"); }
                });
            }
            ["java", "javax", "com", "org", "Packages"].forEach(function (root) { global[root] = name(root); });
        })
        """
}
