import AdapterSyntax
import Core
import JavaScriptEngine
import Logging

/// The roots of Java's packages, which scripts could reach on Worklight's engine (server-api 1).
///
/// What is there says `JavaLibrary`. Every other name can be spoken but not used: calling it is an error, at the time of the
/// call. While the script is being loaded it is only a warning and gives another such name, since real adapters call Java at
/// their top level.
extension AdapterScope {
    func installJavaPackages() throws {
        let hooks = Self.hooks.makeObject(in: self)
        let members = try context.evaluate(JavaStandIns.script, file: "lamplighter:java").call([hooks])
        let install = try context.evaluate(Self.packages, file: "lamplighter:java")
        // Names of Java are Proxies of it.
        let target = try install.call([context.global, hooks, members])
        image?.skip(target)
    }

    private static let hooks = BindingTable("Java") { table in
        table.add("println") { scope, call in
            try scope.write(.info) { try scope.line(call[0]) }
            return call.context.undefined
        }
        table.add("formatted") { _, call in
            try call[0].json(indent: 4).map { call.context.make($0) } ?? call.context.undefined
        }
        table.add("thread") { _, call in call.context.make(JavaStandIns.threadName) }
        table.add("unavailable") { scope, call in
            let path = try call[0].text()
            let message = unavailable(path)
            guard scope.isLoading else { throw HostError(message) }
            scope.adapter.log.warnOnce(
                "java \(path)", to: scope.logger, scope.atCall("\(message); ignored while the script is loaded"))
            return call.context.undefined
        }
    }

    private static func unavailable(_ path: String) -> String {
        "\(path) is not available: Lamplighter has no Java; \(JavaLibrary.replacement(for: path))"
    }

    /// Every scope has these names, so there is little to each: one handler's worth of traps for all.
    ///
    /// A script may replace the language's own objects and functions, so those that run later are kept here.
    private static let packages = """
        (function (global, hooks, members) {
            "use strict";
            var Engine = Proxy, toPrimitive = Symbol.toPrimitive;
            function target() {}
            Object.freeze(target.prototype);
            function refuse() { return false; }
            // A class, as in String.valueOf(5), has a method valueOf; a value has the one of all objects.
            function isClass(name) {
                return name[0] >= "A" && name[0] <= "Z" && name[name.length - 1] !== ")";
            }
            var traps = {
                __proto__: null,
                get: function (target, key) {
                    var path = this.path;
                    if (key === "toString" || key === toPrimitive) return function () { return "[Java " + path + "]"; };
                    if (typeof key === "symbol") return undefined;
                    if (key === "toJSON" || (key === "valueOf" && !isClass(this.last))) return undefined;
                    var next = path === "Packages" ? key : path + "." + key;
                    return members[next] || name(next, key);
                },
                apply: function () { hooks.unavailable(this.path); return name(this.path + "()", ")"); },
                // No script leaves anything in it: it is not part of the scope's image.
                set: refuse, defineProperty: refuse, deleteProperty: refuse, setPrototypeOf: refuse, preventExtensions: refuse,
                construct: function () { hooks.unavailable("new " + this.path); return name("new " + this.path + "()", ")"); }
            };
            function name(path, last) { return new Engine(target, { __proto__: traps, path: path, last: last }); }
            [\(roots)].forEach(function (root) { global[root] = name(root, ""); });
            return target;
        })
        """

    private static let roots = JavaLibrary.roots.map { "\"\($0)\"" }.joined(separator: ", ")
}
