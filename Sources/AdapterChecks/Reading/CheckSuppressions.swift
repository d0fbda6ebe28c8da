import Foundation
import WorklightProject

/// The lines on which a comment suppresses a check: `// lamplighter:allow shared-global` in a script,
/// `<!-- lamplighter:allow missing-security-test -->` in XML, on the line itself or on the line before.
///
/// Several ids are separated by commas or blanks; words that follow the last one are a reason, for readers.
struct CheckSuppressions: Sendable {
    /// The allowed checks, by file and line.
    private var places: [String: [Int: Set<String>]] = [:]

    init(_ project: Project) {
        for adapter in project.adapters {
            places[adapter.descriptor.scriptPath] = Self.read(adapter.script)
            places[adapter.descriptor.path] = Self.read(file: adapter.descriptor.path, in: project)
        }
        for script in project.realmScripts { places[script.descriptor.scriptPath] = Self.read(script.script) }
        places[AuthenticationConfiguration.path] = Self.read(file: AuthenticationConfiguration.path, in: project)
    }

    private static func read(file: String, in project: Project) -> [Int: Set<String>] {
        guard let data = try? Data(contentsOf: project.folder.appending(path: file)) else { return [:] }
        return read(FileText(markup: data).text)
    }

    private static func read(_ text: String) -> [Int: Set<String>] {
        guard text.contains(mark) else { return [:] }
        var result: [Int: Set<String>] = [:]
        // A CR LF is one character to Swift.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            guard let found = line.range(of: mark) else { continue }
            let comment = line[found.upperBound...].split(separator: /-->|\*\//).first ?? ""
            let words = comment.split { $0 == "," || $0.isWhitespace }
            result[index + 1] = Set(words.map(String.init).prefix { CheckID(rawValue: $0) != nil })
        }
        return result
    }

    private static let mark = "lamplighter:allow "

    func allow(_ problem: ProjectError) -> Bool {
        guard let id = problem.id.flatMap(CheckID.init), let line = problem.line else { return false }
        return allow(id, problem.file, line)
    }

    func allow(_ id: CheckID, _ file: String, _ line: Int) -> Bool {
        guard let allowed = places[file] else { return false }
        return [line, line - 1].contains { allowed[$0]?.contains(id.rawValue) ?? false }
    }
}
