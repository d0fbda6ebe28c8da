import AdapterSyntax
import JavaScriptEngine
import Logging

/// The roots of Java's packages, which scripts could reach on Worklight's engine (server-api 1).
///
/// What is there says `JavaLibrary`. Every other name can be spoken but not used: calling it is an error, at the time of the
/// call. While the script is being loaded it is only a warning and gives another such name, since real adapters call Java at
/// their top level.
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
            let message = unavailable(path)
            guard scope.isLoading else { throw HostError(message) }
            if scope.adapter.once.isFirst("java \(path)") { scope.logger.warning("\(message); ignored while loading") }
            return call.context.undefined
        }
    }

    private static func unavailable(_ path: String) -> String {
        let name = path.replacing("Packages.", with: "")
        let mend =
            name.contains("JavaAdapter")
            ? "write a JavaScript object with these functions" : "use what JavaScript and WL.Server have"
        return "the Java class or method \(name) is not available: \(JavaLibrary.summary); \(mend)"
    }

    /// Every scope has these names, so there is little to each: one handler's worth of traps for all.
    private static let packages = """
        (function (global, hooks) {
            "use strict";
            var works = {\(works)};
            var stringify = JSON.stringify;
            function formatted(object) { return stringify(object, null, 4); }
            function target() {}
            var traps = {
                get: function (target, key) {
                    var path = this.path;
                    var isText = key === "toString" || key === Symbol.toPrimitive;
                    if (isText) return function () { return "[Java " + path.replace(/\\bPackages\\./, "") + "]"; };
                    if (typeof key === "symbol") return undefined;
                    // Of a class, as in String.valueOf(5), it is a method like any other.
                    if (key === "toJSON" || (key === "valueOf" && !/\\.[A-Z]\\w*$/.test(path))) return undefined;
                    var next = path + "." + key;
                    var kind = works[next.replace(/^Packages\\./, "")];
                    return kind === "println" ? hooks.println : kind === "formatted" ? formatted : name(next);
                },
                apply: function () { hooks.unavailable(this.path); return name(this.path + "()"); },
                construct: function () { hooks.unavailable("new " + this.path); return name("new " + this.path + "()"); }
            };
            function name(path) { return new Proxy(target, { __proto__: traps, path: path }); }
            [\(roots)].forEach(function (root) { global[root] = name(root); });
        })
        """

    private static let works = JavaLibrary.Method.allCases
        .map { "\"\($0.rawValue)\": \"\($0 == .println ? "println" : "formatted")\"" }.joined(separator: ", ")

    private static let roots = JavaLibrary.roots.map { "\"\($0)\"" }.joined(separator: ", ")
}
