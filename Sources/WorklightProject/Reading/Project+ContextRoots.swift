import Foundation

extension Project {
    /// Compares the context root with the ones that the applications' files name: `wlServerContext` of `wlclient.properties` and
    /// `worklight.plist`, from which native code takes the server's address.
    ///
    /// - Parameter contextRoot: the setting `contextRoot`.
    /// - Returns: a warning for each file that names another root. Blocks.
    public func contextRootProblems(_ contextRoot: String) -> [ProjectError] {
        let files = FileManager.default.enumerator(atPath: folder.appending(path: "apps").path)
        let paths = (files?.compactMap { $0 as? String } ?? []).sorted().filter {
            $0.hasSuffix("/wlclient.properties") || $0.hasSuffix("/worklight.plist")
        }
        let named = paths.compactMap { path -> (path: String, root: String, line: Int)? in
            guard let data = try? Data(contentsOf: folder.appending(path: "apps/\(path)")),
                let (root, line) = Self.serverContext(of: FileText(markup: data).text)
            else { return nil }
            return (path, Self.trimmed(root), line)
        }
        let roots = Set(named.map(\.root)).sorted()
        let advice =
            roots.count > 1
            ? " (a server has one context root, and the apps name \(roots.map { "/\($0)" }.joined(separator: ", ")))"
            : ""
        return named.filter { $0.root != Self.trimmed(contextRoot) }.map { file in
            ProjectError(
                .warning, file: "apps/\(file.path)", line: file.line,
                "the app sends its requests below the context root /\(file.root), and contextRoot is \(contextRoot): they get "
                    + "404; set contextRoot: /\(file.root) in lamplighter.yaml\(advice)")
        }
    }

    /// Reads the root and its line; `nil` if the file names none, or has a placeholder of the build.
    private static func serverContext(of text: String) -> (root: String, line: Int)? {
        let match =
            text.firstMatch(of: /(?m)^[ \t]*wlServerContext[ \t]*[=:][ \t]*([^\s]+)/)
            ?? text.firstMatch(of: /wlServerContext<\/key>\s*<string>([^<]+)<\/string>/)
        guard let match, match.1.wholeMatch(of: /\/[A-Za-z0-9._~\/-]*/) != nil else { return nil }
        return (String(match.1), text[..<match.range.lowerBound].count { $0.isNewline } + 1)
    }

    private static func trimmed(_ root: String) -> String { root.trimmingCharacters(in: ["/"]) }
}
