import AdapterChecks
import AdapterSyntax
import ArgumentParser
import Core
import Foundation
import Installation
import PushModel
import Storage
import SubscriptionImport
import WorklightProject

struct ImportDevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-devices", abstract: "Import devices and subscriptions of an old Worklight server.",
        discussion: """
            Reads CSV or JSON in the columns application, device, platform, token, user, realm, adapter, eventSource, alias, options, state, tags, \
            phoneNumber and gateway; or a dump of the old database (.sql), or CSV exports of its tables. For these it writes a mapping, \
            which you check and confirm: before that nothing is imported. Records that the store has are left as they are, so the command can be \
            run again after an interruption. A server may run meanwhile.
            """)

    @Argument(
        help: ArgumentHelp("Files: .csv, .del, .json, .jsonl or .sql.", valueName: "file"),
        completion: .file(extensions: ["csv", "tsv", "del", "json", "jsonl", "sql"]))
    var files: [String]

    @Option(
        help: ArgumentHelp("The mapping; default: the first file's name with .mapping.yaml.", valueName: "file"),
        completion: .file(extensions: ["yaml"]))
    var mapping: String?

    @Flag(help: "Only count, and show the first rows.")
    var dryRun = false

    @OptionGroup var options: ProjectOptions

    func validate() throws {
        if files.isEmpty { throw ValidationError("name the files with the devices: .csv, .json or .sql") }
    }

    private var mappingFile: URL {
        if let mapping { return URL(fileURLWithPath: mapping) }
        return URL(fileURLWithPath: files[0]).deletingPathExtension().appendingPathExtension("mapping.yaml")
    }

    func run() async throws {
        let settings = try options.settings().installation
        let project = Project(reading: settings.project)
        let imported = try SubscriptionImport(
            files.map { URL(fileURLWithPath: $0) }, target: Self.target(project)
        ) { file, rows in Self.show("reading \(file): \(rows.grouped) rows") }
        Self.show(nil)
        if let own = imported.ownMappings {
            for mapping in own {
                try run(imported, mapping, named: files[0], settings, isDry: dryRun)
            }
            return
        }
        let path = mapping ?? mappingFile.lastPathComponent
        guard let data = FileManager.default.contents(atPath: mappingFile.path) else {
            guard mapping == nil else {
                throw ValidationError("--mapping \(path): there is no such file, or it cannot be read")
            }
            return try propose(imported, to: path)
        }
        let known = try ImportMapping(reading: String(decoding: data, as: UTF8.self), named: path)
        try run(imported, known, named: path, settings, isDry: dryRun || !known.isConfirmed)
        if !known.isConfirmed {
            CommandOutput.note(
                "nothing was imported: check \(mappingFile.path), set 'confirmed: true' in it, and run the command again"
            )
        }
    }

    /// The parts of a project that rows may name.
    private static func target(_ project: Project) -> ImportTarget {
        ImportTarget(
            applications: Dictionary(
                project.applications.map { ($0.id, $0.tags.map(\.name)) }, uniquingKeysWith: { first, _ in first }),
            adapters: Dictionary(
                project.adapters.map { adapter in
                    let facts = (try? SyntaxTree(adapter.script, file: adapter.descriptor.scriptPath)).map(
                        ScriptFacts.init)
                    return (adapter.descriptor.name, Set((facts?.eventSources ?? []).compactMap(\.name)))
                }, uniquingKeysWith: { first, _ in first }))
    }

    private func propose(_ imported: SubscriptionImport, to path: String) throws {
        let (mapping, text) = try imported.proposal()
        do {
            try Data(text.utf8).write(to: mappingFile, options: .withoutOverwriting)
        } catch {
            throw CommandError(description: "\(mappingFile.path) cannot be written: \(error.localizedDescription)")
        }
        for table in imported.summaries {
            CommandOutput.note("\(table.source): \(table.name), \(table.rows.grouped) rows")
        }
        CommandOutput.note("the first rows as \(mappingFile.path) maps them:")
        Self.writeSamples(try imported.samples(mapping, named: path))
        CommandOutput.note(
            "nothing was imported: check \(mappingFile.path), set 'confirmed: true' in it, and run the command again")
    }

    private static func writeSamples(_ rows: [[ImportField: String]]) {
        let fields = ImportField.allCases.filter { field in rows.contains { $0[field] != nil } }
        let items = rows.map { row in
            JSONValue.object(
                fields.reduce(into: JSONObject()) { $0[$1.rawValue] = .string(String((row[$1] ?? "").prefix(100))) })
        }
        CommandOutput.writeList(items, columns: fields.map { .init($0.rawValue, isFlexible: true) })
    }

    // MARK: Importing

    private func run(
        _ imported: SubscriptionImport, _ mapping: ImportMapping, named name: String,
        _ settings: InstallationSettings, isDry: Bool
    ) throws {
        if isDry { Self.writeSamples(try imported.samples(mapping, named: name)) }
        let total = imported.summaries.map(\.rows).reduce(0, +).grouped
        let report = try imported.run(mapping, named: name, into: isDry ? nil : try store(settings)) { rows in
            Self.show("importing: \(rows.grouped) of \(total) rows")
        }
        Self.show(nil)
        if CommandOutput.isJSON {
            CommandOutput.writeResult(Self.json(of: report).text)
        } else {
            for line in Self.lines(of: report, isDry: isDry) { CommandOutput.writeResult(line.printableLine) }
        }
        for (source, rows) in report.unknownEventSources.sorted(by: { $0.key < $1.key }) {
            CommandOutput.note(
                "no script names the event source \("\(source)".printableLine) literally (rows: \(rows.grouped)); check that \(source.adapter) creates it"
            )
        }
    }

    /// Opens the store, beside a server that may run.
    private func store(_ settings: InstallationSettings) throws -> SQLStore {
        if let address = settings.store { return try SQLStore(address) }
        // Makes the folder. A server that holds the lock has made it.
        do {
            try DataFolder(locking: settings.dataFolder).unlock()
        } catch DataFolderError.inUse {
        }
        return try SQLStore(folder: settings.dataFolder.path, busyTimeout: .seconds(60))
    }

    private static func show(_ text: String?) {
        guard StandardError.isTerminal, !CommandOutput.isJSON else { return }
        StandardError.show(text.map { "… \($0)" })
    }

    private static func lines(of report: SubscriptionImportReport, isDry: Bool) -> [String] {
        func line(_ label: String, _ count: SubscriptionImportReport.Count, _ reason: String) -> String {
            let more = count.rows > count.lines.count ? ", …" : ""
            let unit = (report.dumpedTable.map { "\($0): row" } ?? "line") + (count.rows == 1 ? "" : "s")
            let places = count.lines.map(String.init).joined(separator: ", ")
            return "\(label) \(count.rows.grouped): \(reason) (\(unit) \(places)\(more))"
        }
        var lines = ["rows: \(report.rows.grouped)"]
        if isDry {
            lines.append("can be imported: \(report.accepted.grouped)")
        } else {
            lines.append("imported: \(report.added.grouped)")
            if report.known > 0 { lines.append("known already: \(report.known.grouped)") }
        }
        lines += report.kept.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            line("left as it is:", $0.value, $0.key.rawValue)
        }
        lines += report.refused.sorted { ($1.value.rows, $0.key) < ($0.value.rows, $1.key) }.map {
            line("refused:", $0.value, $0.key)
        }
        return lines
    }

    private static func json(of report: SubscriptionImportReport) -> JSONValue {
        func counts(_ counts: [(String, SubscriptionImportReport.Count)]) -> JSONValue {
            .array(
                counts.sorted { $0.0 < $1.0 }.map { reason, count in
                    [
                        "reason": .string(reason), "rows": .number(Double(count.rows)),
                        report.dumpedTable == nil ? "lines" : "rowNumbers": .array(
                            count.lines.map { .number(Double($0)) }),
                    ]
                })
        }
        return [
            "rows": .number(Double(report.rows)), "accepted": .number(Double(report.accepted)),
            "imported": .number(Double(report.added)), "known": .number(Double(report.known)),
            "kept": counts(report.kept.map { ($0.key.rawValue, $0.value) }),
            "refused": counts(report.refused.map { ($0.key, $0.value) }),
        ]
    }
}

extension Int {
    /// With a comma between thousands.
    fileprivate var grouped: String {
        let digits = Array(String(self))
        return digits.enumerated().map { index, digit in
            (index > 0 && (digits.count - index).isMultiple(of: 3) ? "," : "") + String(digit)
        }.joined()
    }
}
