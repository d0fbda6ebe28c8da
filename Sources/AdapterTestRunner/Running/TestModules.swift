import Foundation
import JavaScriptEngine
import WorklightProject

/// The modules of tests: the files in the project's `adapters` and `tests` that `require` reads.
struct TestModules {
    private let project: URL
    /// The path of the test file in the project.
    private let file: String
    private let scripts: TestScripts

    init(project: URL, file: String, scripts: TestScripts) {
        self.project = project
        self.file = file
        self.scripts = scripts
    }

    /// Installs the function `require` in a test file's scope. Each scope has its own modules.
    ///
    /// - Throws: `ScriptError` when the engine has no memory for it.
    func install(in context: ScriptContext) throws {
        let find = try context.makeFunction("find") { call in
            call.context.make(try self.path(of: call[0].text(), from: call[1].text()))
        }
        let read = try context.makeFunction("read") { call in try self.read(call[0].text(), in: call.context) }
        let install = try context.evaluate(Self.source, file: "lamplighter:require")
        try context.global.set(
            "require", install.call([find, read, context.make(file)]), [.permanent])
    }

    private static let source = EmbeddedText.require_js

    /// Returns the path in the project for the argument of `require` in a file.
    ///
    /// - Throws: `HostError` when the path is not valid, or the file does not exist.
    private func path(of name: String, from file: String) throws -> String {
        guard name.hasPrefix("./") || name.hasPrefix("../") else {
            throw HostError(
                "require(\"\(name)\"): expected a path that begins with ./ or ../, from the file that requires it; there are no packages"
            )
        }
        var parts = file.split(separator: "/").dropLast().map(String.init)
        for part in name.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(String(part))
            } else if parts.popLast() == nil {
                parts = []
                break
            }
        }
        let path = parts.joined(separator: "/")
        guard ["adapters", "tests"].contains(parts.first), parts.count > 1 else {
            throw HostError("require(\"\(name)\"): \(path) is neither in the project's adapters nor in its tests")
        }
        for candidate in [path, path + ".js"] where isFile(candidate) { return candidate }
        throw HostError("require(\"\(name)\"): there is no \(path)")
    }

    private func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = true
        let place = project.appending(path: path).path
        return FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) && !isFolder.boolValue
    }

    /// Returns the code of a file as a function, or an object with the value of a JSON file as the member `value`.
    ///
    /// - Throws: `HostError` when the file cannot be read or has a syntax error.
    private func read(_ path: String, in context: ScriptContext) throws -> ScriptValue {
        let text: String
        do {
            text = try FileText(plain: Data(contentsOf: project.appending(path: path))).text
        } catch {
            throw HostError("\(path) cannot be read: \(error.localizedDescription)")
        }
        if path.hasSuffix(".json") {
            guard let value = context.parse(json: text) else { throw HostError("\(path) is no JSON") }
            let result = context.makeObject()
            try result.set("value", value)
            return result
        }
        do {
            // The function begins on the code's first line, so that the line numbers are those of the file.
            let marked = scripts.marked(text, file: path)
            return try context.evaluate("(function (exports, module, require) {\(marked)\n})", file: path)
        } catch let error as ScriptError where error.name == "SyntaxError" {
            do { try context.check(text, file: path) } catch {
                let error = TestSyntaxError(error, in: text)
                throw HostError("\(error.location): \(error.message)")
            }
            throw HostError("\(path): \(error.summary)")
        }
    }
}
