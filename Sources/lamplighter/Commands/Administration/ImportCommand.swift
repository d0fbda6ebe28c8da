import ArgumentParser
import Core
import Foundation
import ProjectImport

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a project of the files of an old Worklight server.",
        discussion: """
            Reads the project's .war file, .wlapp files of applications, .adapter files, Liberty's server.xml and keystores, and writes a \
            project that 'check' and 'serve' take. All files are read before anything is written. In an existing project no file is overwritten: a file that differs is \
            written beside it as NAME.imported. Push certificates and passwords are written to .lamplighter/secrets, which only their owner may read.
            """)

    @Argument(
        help: ArgumentHelp(
            ".war, .wlapp and .adapter files, server.xml, and keystores (.jks, .p12).", valueName: "file"),
        completion: .file(extensions: ["war", "wlapp", "adapter", "xml", "jks", "p12"]))
    var files: [String]

    @Option(
        name: .customLong("to"), help: ArgumentHelp("The project's folder.", valueName: "folder"),
        completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp("The password of the keystores, if server.xml does not have it.", valueName: "file"),
        completion: .file())
    var keystorePasswordFile: String?

    @Flag(help: "Print the report as JSON.")
    var json = false

    func validate() throws {
        if files.isEmpty { throw ValidationError("name the files to import: .war, .wlapp, .adapter and server.xml") }
        if folder.isEmpty { throw ValidationError("--to is empty; name the project's folder") }
    }

    func run() async throws {
        let report = try ProjectImport.run(
            files.map { URL(fileURLWithPath: $0) }, to: URL(fileURLWithPath: folder, isDirectory: true),
            keystorePassword: try keystorePasswordFile.map(Self.password))
        if CommandOutput.isJSON {
            CommandOutput.writeResult(Self.json(of: report).text)
        } else {
            for line in Self.lines(of: report) { CommandOutput.writeResult(line.printableLine) }
        }
        for remark in report.remarks { CommandOutput.note(remark.printableLine) }
        CommandOutput.note("next: lamplighter check --strict \(folder)")
    }

    private static func password(in path: String) throws -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ValidationError("--keystore-password-file \(path): there is no such file, or it cannot be read")
        }
        return text.trimmingCharacters(in: .newlines)
    }

    /// A heading for each given file, and a line for each part of it.
    private static func lines(of report: ImportReport) -> [String] {
        var lines: [String] = []
        var source: String?
        for item in report.items {
            if item.source != source {
                lines.append(item.source)
                source = item.source
            }
            let part = item.part.isEmpty ? "" : "\(item.part) "
            let text =
                switch item.outcome {
                case .written(let path): "-> \(path)"
                case .unchanged(let path): "= \(path), which is the same"
                case .different(let path):
                    "differs from \(path), which is kept: see \(path)\(ImportReport.differentSuffix)"
                case .leftOut(let reason): "left out: \(reason)"
                }
            lines.append("  \(part)\(text)")
        }
        return lines
    }

    private static func json(of report: ImportReport) -> JSONValue {
        let items = report.items.map { item in
            let (outcome, text) =
                switch item.outcome {
                case .written(let path): ("written", path)
                case .unchanged(let path): ("unchanged", path)
                case .different(let path): ("different", path)
                case .leftOut(let reason): ("leftOut", reason)
                }
            let key = outcome == "leftOut" ? "reason" : "path"
            return JSONValue(
                dictionaryLiteral: ("source", .string(item.source)), ("part", .string(item.part)),
                ("outcome", .string(outcome)),
                (key, .string(text)))
        }
        return JSONValue(dictionaryLiteral: ("items", .array(items)))
    }
}
