public import Foundation

/// Makes a project's folder of the files that an old server leaves: `.war`, `.wlapp` and `.adapter` archives, and `server.xml`.
public enum ProjectImport {
    /// Imports files into a project.
    ///
    /// All files are read before anything is written. A new project's folder appears whole, or not at all. In an existing one no file is
    /// overwritten: the report names those that differ.
    ///
    /// - Parameters:
    ///   - files: `.war`, `.wlapp` and `.adapter` files, Liberty's `server.xml`, and keystores (`.jks`, `.keystore`, `.p12`).
    ///   - project: the project's folder; it need not exist.
    ///   - keystorePassword: the password of the keystores that `server.xml` has no password for; `nil` if it is unknown.
    /// - Throws: ``ImportError`` when a file is not such a file or is damaged, or when the project cannot be written.
    public static func run(
        _ files: [URL], to project: URL, keystorePassword: String? = nil
    ) throws(ImportError) -> ImportReport {
        let project = project.standardizedFileURL
        try check(project)
        // A new project appears by one move. Beside an existing one there may be no right to write.
        let isNew = !FileManager.default.fileExists(atPath: project.path)
        if isNew { try make(folder: project.deletingLastPathComponent()) }
        let staging = try makeStagingFolder(in: isNew ? project.deletingLastPathComponent() : project)
        defer { try? FileManager.default.removeItem(at: staging) }
        var plan = ImportPlan()
        var settings = ImportedSettings()
        try ArchiveReader(folder: staging.appending(path: "archives"), keystorePassword: keystorePassword)
            .plan(files, in: &plan, &settings)
        if let text = settings.text {
            try plan.add(.text(text), of: settings.source, "settings", to: "lamplighter.yaml")
        }
        return try ImportWriter(plan: plan, staging: staging.appending(path: "project"), project: project).write()
    }

    /// - Throws: ``ImportError`` for a file, and for a folder with something else than a project.
    private static func check(_ project: URL) throws(ImportError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: project.path, isDirectory: &isFolder) else { return }
        guard isFolder.boolValue else {
            throw ImportError(project.path, "it is a file; expected the project's folder, which need not exist")
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: project.path)) ?? []
        guard names.isEmpty || !Set(names).isDisjoint(with: ["adapters", "apps", "server", "lamplighter.yaml"]) else {
            throw ImportError(
                project.path,
                "it is a folder without a project; name a new folder, or that of a project (with adapters, apps or server)"
            )
        }
    }

    /// Makes a new folder that only its owner can open, since it will hold secrets.
    private static func makeStagingFolder(in parent: URL) throws(ImportError) -> URL {
        var path = Array(parent.appending(path: ".import-XXXXXX").path.utf8CString)
        guard mkdtemp(&path) != nil else {
            throw ImportError(parent.path, "no folder can be created in it: \(String(cString: strerror(errno)))")
        }
        return URL(
            fileURLWithPath: path.withUnsafeBufferPointer {
                String(decoding: $0.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            }, isDirectory: true)
    }

    static func make(folder: URL) throws(ImportError) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw ImportError(folder.path, "cannot be created: \(error.localizedDescription)")
        }
    }
}

/// Unpacks the given archives, and plans their files.
private struct ArchiveReader {
    /// The folder of unpacked archives.
    let folder: URL
    let keystorePassword: String?

    func plan(_ files: [URL], in plan: inout ImportPlan, _ settings: inout ImportedSettings) throws(ImportError) {
        var limits = ZipArchive.Limits()
        var applications: [ApplicationArchive] = []
        var configurations: [ServerConfiguration] = []
        var keystores: [URL] = []
        for file in files {
            let name = file.lastPathComponent
            guard FileManager.default.isReadableFile(atPath: file.path) else {
                throw ImportError(file.path, "there is no such file, or it cannot be read; check the path")
            }
            switch file.pathExtension.lowercased() {
            case let kind where Keystore.extensions.contains(kind): keystores.append(file)
            case "war": try RuntimeArchive.plan(try unpack(file, name, &limits), in: &plan)
            case "adapter": try AdapterArchive.plan(try unpack(file, name, &limits), in: &plan)
            case "wlapp":
                let archive = try unpack(file, name, &limits)
                if let parts = ApplicationArchive.parts(of: archive) {
                    for part in parts {
                        applications.append(
                            try ApplicationArchive(try unpack(part.file, "\(name)/\(part.path)", &limits)))
                    }
                } else {
                    applications.append(try ApplicationArchive(archive))
                }
            case "xml":
                do {
                    configurations.append(try ServerConfiguration(reading: Data(contentsOf: file), named: name))
                } catch let error as ImportError {
                    throw error
                } catch {
                    throw ImportError(file.path, "cannot be read: \(error.localizedDescription)")
                }
            default:
                throw ImportError(
                    name,
                    "a file of this kind is not imported; expected .war, .wlapp, .adapter, server.xml or a keystore (.jks, .p12)"
                )
            }
        }
        try ApplicationArchive.plan(applications, in: &plan, &settings)
        let archives = files.map(\.lastPathComponent).filter { $0.lowercased().hasSuffix(".war") }
        // After the archives, whose properties they change.
        for configuration in configurations {
            try configuration.plan(
                archives: archives, keystores: keystores.map(\.lastPathComponent), in: &plan, &settings)
        }
        for file in keystores { try self.plan(keystore: file, configurations, in: &plan) }
    }

    private func plan(keystore file: URL, _ configurations: [ServerConfiguration], in plan: inout ImportPlan)
        throws(ImportError)
    {
        let name = file.lastPathComponent
        guard let password = configurations.lazy.compactMap({ $0.keystorePassword(of: name) }).first ?? keystorePassword
        else {
            throw ImportError(
                name,
                "its password is not known; pass --keystore-password-file FILE, or import server.xml, which has it, too"
            )
        }
        try ProjectImport.make(folder: folder)
        try Keystore(file: file, password: password).plan(in: &plan, workspace: folder)
    }

    /// - Parameter limits: those that the archives before have left.
    private func unpack(_ file: URL, _ name: String, _ limits: inout ZipArchive.Limits) throws(ImportError)
        -> ZipArchive
    {
        let target = folder.appending(path: UUID().uuidString)
        try ProjectImport.make(folder: target)
        return try ZipArchive(unpacking: file, named: name, into: target, limits: &limits)
    }
}

/// Writes the files of a plan: into a new folder that then gets the project's name, or one by one into an existing project.
private struct ImportWriter {
    let plan: ImportPlan
    let staging: URL
    let project: URL

    func write() throws(ImportError) -> ImportReport {
        let isNew = !FileManager.default.fileExists(atPath: project.path)
        let known = isNew ? [:] : try compare()
        try ProjectImport.make(folder: staging)
        if isNew { try ProjectImport.make(folder: staging.appending(path: "adapters")) }
        for file in plan.files where known[file.path] != true { try write(file) }
        if isNew {
            try move(staging, to: project)
        } else {
            for file in plan.files where known[file.path] != true {
                let isDifferent = known[file.path] == false
                let target = project.appending(path: file.path + (isDifferent ? ImportReport.differentSuffix : ""))
                // Of an earlier import.
                if isDifferent { try? FileManager.default.removeItem(at: target) }
                try ProjectImport.make(folder: target.deletingLastPathComponent())
                try move(staging.appending(path: file.path), to: target)
            }
        }
        return report(known)
    }

    /// The planned files that exist, and whether they are the same.
    ///
    /// - Throws: ``ImportError`` where the project has something else than folders and regular files on the way to a planned file.
    private func compare() throws(ImportError) -> [String: Bool] {
        var known: [String: Bool] = [:]
        for file in plan.files {
            var folder = project
            for name in file.path.split(separator: "/").dropLast() {
                folder.append(path: String(name))
                guard let type = Self.type(folder.path) else { break }
                guard type == S_IFDIR else { throw Self.obstacle(folder, file, expected: "a folder") }
            }
            let url = project.appending(path: file.path)
            let isSame: Bool
            switch Self.type(url.path) {
            case nil: continue
            case S_IFREG: isSame = (try? Data(contentsOf: url)) == (try? file.content.data())
            default: throw Self.obstacle(url, file, expected: "a file")
            }
            known[file.path] = isSame
            let beside = URL(fileURLWithPath: url.path + ImportReport.differentSuffix)
            if !isSame, ![nil, S_IFREG].contains(Self.type(beside.path)) {
                throw Self.obstacle(beside, file, expected: "a file of an earlier import, or none")
            }
        }
        return known
    }

    /// The type of a file, without following a link; `nil` if there is none.
    private static func type(_ path: String) -> mode_t? {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
    }

    private static func obstacle(_ url: URL, _ file: ImportPlan.File, expected: String) -> ImportError {
        ImportError(
            url.path,
            "it is a \(type(url.path) == S_IFLNK ? "link" : type(url.path) == S_IFDIR ? "folder" : "file of another kind"); expected \(expected), for \(file.path) of \(file.source); move it away"
        )
    }

    private func write(_ file: ImportPlan.File) throws(ImportError) {
        let url = staging.appending(path: file.path)
        try ProjectImport.make(folder: url.deletingLastPathComponent())
        do {
            try file.content.data().write(to: url)
            try FileManager.default.setAttributes(
                [.posixPermissions: file.isSecret ? 0o600 : 0o644], ofItemAtPath: url.path)
        } catch {
            throw ImportError(
                project.appending(path: file.path).path, "cannot be written: \(error.localizedDescription)")
        }
    }

    /// Fails if there is something at the target.
    private func move(_ source: URL, to target: URL) throws(ImportError) {
        do {
            try FileManager.default.moveItem(at: source, to: target)
        } catch {
            throw ImportError(target.path, "cannot be created: \(error.localizedDescription)")
        }
    }

    private func report(_ known: [String: Bool]) -> ImportReport {
        var report = ImportReport()
        let files = Dictionary(grouping: plan.files, by: \.item)
        for (number, item) in plan.items.enumerated() {
            guard let path = item.path else {
                report.items.append(.init(source: item.source, part: item.part, outcome: .leftOut(item.reason ?? "")))
                continue
            }
            // Lines that were appended to a file of another item.
            if files[number] == nil, let isSame = known[path] {
                report.items.append(
                    .init(source: item.source, part: item.part, outcome: isSame ? .unchanged(path) : .different(path)))
                continue
            }
            let existing = (files[number] ?? []).filter { known[$0.path] != nil }
            let different = existing.filter { known[$0.path] == false }
            for file in different {
                report.items.append(.init(source: item.source, part: item.part, outcome: .different(file.path)))
            }
            if different.isEmpty {
                let isUnchanged = !existing.isEmpty && existing.count == files[number]?.count
                report.items.append(
                    .init(
                        source: item.source, part: item.part, outcome: isUnchanged ? .unchanged(path) : .written(path)))
            }
        }
        report.remarks = plan.remarks
        return report
    }
}
