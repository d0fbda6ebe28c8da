import Foundation
import ProjectTemplates
import TestSupport

/// A run of TypeScript's compiler over several programs, under the settings that editors use or under stricter ones.
struct TypeScriptRun {
    enum Settings: String, Sendable, CaseIterable {
        /// Those of the generated jsconfig.json.
        case generated
        /// All of `strict`, parameters without a type included.
        case strict
    }

    /// A line that TypeScript reports.
    struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// Relative to the run's folder; empty for a problem that is in no file.
        let file: String
        let line: Int
        /// With further lines for the details.
        var text: String

        var description: String { "\(file):\(line): \(text)" }
    }

    private static let declarations = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../adapters").standardized

    private let settings: Settings
    /// Has the declarations, and a folder with a jsconfig.json for each program.
    private let folder: TemporaryFolder
    private var configurations: [String] = []

    init(_ settings: Settings) throws {
        self.settings = settings
        folder = try TemporaryFolder()
        _ = try Templates.adapter(named: "Base", kind: .plain, tests: .init()).write(to: folder.url)
    }

    /// Adds a program: the files that a generated jsconfig.json lists.
    mutating func add(configuration: String) throws {
        try write("", extending: configuration)
    }

    /// Adds a program: files that share their global names, as those of an adapter do, and the declarations.
    mutating func add(files: [String]) throws {
        // The repository's own, which the generated ones are copies of: scripts there may refer to them.
        let names = ["worklight.d.ts", "harness.d.ts"].map { Self.declarations.appending(path: $0).path } + files
        let list = String(decoding: try JSONEncoder().encode(names), as: UTF8.self)
        try write(#", "files": \#(list), "include": []"#, extending: folder.path("adapters/Base/jsconfig.json"))
    }

    /// Adds a program: scripts by the names of their files.
    mutating func add(scripts: [String: String]) throws {
        for (name, script) in scripts { try folder.write(script, to: "scripts/\(name)") }
        try add(files: scripts.keys.sorted().map { folder.path("scripts/\($0)") })
    }

    private mutating func write(_ files: String, extending base: String) throws {
        let options =
            switch settings {
            case .generated: #""noEmit": true"#
            case .strict:
                #""noEmit": true, "noImplicitAny": true, "noImplicitThis": true, "alwaysStrict": true, "#
                    + #""useUnknownInCatchVariables": true, "skipLibCheck": false"#
            }
        // TypeScript reads JavaScript where the configuration has this name.
        let configuration = "programs/\(configurations.count)/jsconfig.json"
        try folder.write(
            #"{ "extends": "\#(base)", "compilerOptions": { \#(options) }\#(files) }"#, to: configuration)
        configurations.append(configuration)
    }

    /// Checks all programs.
    func problems() async throws -> [Problem] {
        let output = Pipe()
        // As a build of several projects, which starts TypeScript once. Without --force it takes a script for an
        // output that already exists, and does not check it.
        let process = try ChildProcess(
            "tsc", ["--build", "--force"] + configurations, folder: folder.url, output: output, errors: output)
        async let text = output.fileHandleForReading.allText()
        let status = await process.exitStatus
        var problems: [Problem] = []
        for line in await text.split(separator: "\n") {
            if line.hasPrefix(" "), !problems.isEmpty {
                problems[problems.count - 1].text += "\n\(line)"
            } else if let match = line.wholeMatch(of: /(.+)\(([0-9]+),[0-9]+\): error (.+)/) {
                problems.append(
                    Problem(file: String(match.1), line: Int(match.2) ?? 0, text: String(match.3)))
            } else {
                problems.append(Problem(file: "", line: 0, text: String(line)))
            }
        }
        guard problems.isEmpty, status != 0 else { return problems }
        return [Problem(file: "", line: 0, text: "tsc ended with exit status \(status)")]
    }
}
