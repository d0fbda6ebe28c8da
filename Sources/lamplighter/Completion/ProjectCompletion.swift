import AdapterSyntax
import ArgumentParser
import Foundation
import WorklightProject

/// The shell completions from a project: its files are read, and nothing in them is run.
enum ProjectCompletion {
    /// `ADAPTER/PROCEDURE`.
    static let procedures = CompletionKind.custom { words, _, _ in
        project(words).adapters.flatMap { adapter in
            adapter.descriptor.procedures.map { "\(adapter.descriptor.name)/\($0.name)" }
        }
    }

    static let adapters = CompletionKind.custom { words, _, _ in project(words).adapters.map(\.descriptor.name) }

    /// `ADAPTER.EVENTSOURCE`, of event sources that scripts name literally.
    static let eventSources = CompletionKind.custom { words, _, _ in
        project(words).adapters.flatMap { adapter in
            let facts = (try? SyntaxTree(adapter.script, file: adapter.descriptor.scriptPath)).map(ScriptFacts.init)
            return (facts?.eventSources ?? []).compactMap(\.name).map { "\(adapter.descriptor.name).\($0)" }
        }
    }

    static let applications = CompletionKind.custom { words, _, _ in project(words).applications.map(\.id) }

    /// The project that the words of the line name, or else the folder that the shell is in.
    private static func project(_ words: [String]) -> Project {
        var path: String?
        for (index, word) in words.enumerated() {
            if word == "--project", index + 1 < words.count { path = words[index + 1] }
            // Some shells hand over `--project=PATH` in parts.
            if word == "=", index > 0, words[index - 1] == "--project", index + 1 < words.count {
                path = words[index + 1]
            }
            if let value = word.wholeMatch(of: /--project=(.*)/)?.1 { path = String(value) }
        }
        let folder = try? ProjectFolder.find(path.map(plain))
        return Project(reading: folder ?? URL(fileURLWithPath: ".", isDirectory: true))
    }

    /// A word without the quotes and backslashes that the shell has left in it, and with the home folder for `~`.
    private static func plain(_ word: String) -> String {
        var text = ""
        var isEscaped = false
        for character in word {
            if isEscaped || !["\\", "'", "\""].contains(character) {
                text.append(character)
                isEscaped = false
            } else {
                isEscaped = character == "\\"
            }
        }
        return (text as NSString).expandingTildeInPath
    }
}
