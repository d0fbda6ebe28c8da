import AdapterSyntax
import Core
import Foundation
import JavaScriptEngine
import Logging

/// The roots of Java's packages, which scripts could reach on Worklight's engine (server-api 1).
///
/// `JavaLibrary` lists the available classes. A script may name any other class but not use it: calling it is an error at the time of
/// the call. While the script is being loaded, such a call is only a warning and returns another such name, since real adapters call
/// Java at their top level.
extension ScriptRealm {
    func installJavaPackages() throws {
        let hooks = try Self.hooks.makeObject(in: self, isShared: false)
        let members = try context.evaluate(RuntimeScripts.javaMembers, file: "lamplighter:java").call([hooks])
        let install = try context.evaluate(RuntimeScripts.javaPackages, file: "lamplighter:java")
        let roots = try context.makeArray(JavaLibrary.roots.map { context.make($0) })
        _ = try install.call([context.global, hooks, members, roots])
    }

    private static let hooks = BindingTable("Java") { table in
        table.add("println") { scope, call in
            try scope.write(.info) { try scope.line(call[0]) }
            return call.context.undefined
        }
        table.add("formatted") { _, call in
            try call[0].json(indent: 4).map { call.context.make($0) } ?? call.context.undefined
        }
        table.add("thread") { _, call in call.context.make(threadName) }
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

    /// The name of the calling thread, such as `js-3`; each virtual machine has its own thread.
    private static var threadName: String {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "js"
    }
}
