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
        return paths.compactMap { path in
            guard let data = try? Data(contentsOf: folder.appending(path: "apps/\(path)")),
                let (root, line) = Self.serverContext(of: FileText(markup: data).text),
                Self.trimmed(root) != Self.trimmed(contextRoot)
            else { return nil }
            return ProjectError(
                .warning, file: "apps/\(path)", line: line,
                "the app sends its requests below the context root \(root), and contextRoot is \(contextRoot): they get "
                    + "404; set contextRoot: /\(Self.trimmed(root)) in lamplighter.yaml")
        }
    }

    /// Reads the root and its line; `nil` if the file names none, or has a placeholder of the build.
    private static func serverContext(of text: String) -> (root: String, line: Int)? {
        guard
            let match = text.firstMatch(of: /wlServerContext\s*=\s*([^\s]+)/)
                ?? text.firstMatch(of: /wlServerContext<\/key>\s*<string>([^<]+)<\/string>/),
            match.1.hasPrefix("/"), match.1.wholeMatch(of: /[A-Za-z0-9._~\/-]+/) != nil
        else { return nil }
        return (String(match.1), text[..<match.range.lowerBound].count { $0.isNewline } + 1)
    }

    private static func trimmed(_ root: String) -> String { root.trimmingCharacters(in: ["/"]) }
}
