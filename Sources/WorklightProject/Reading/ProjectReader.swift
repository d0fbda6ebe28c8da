import Foundation

/// Finds a project's files and reads them.
struct ProjectReader {
    /// Larger files are taken for a mistake, in bytes.
    private static let largestFile = 16 << 20

    let folder: URL
    let problems: ProblemList

    /// - Parameter environment: overrides properties, and has the values of placeholders.
    func properties(_ environment: [String: String]) -> WorklightProperties {
        let path = WorklightProperties.path
        guard let data = readIfThere(path) else { return WorklightProperties(environment: environment) }
        // Java's format is Latin-1, today's editors write UTF-8, and a file in the one is hardly ever valid in the other.
        let text = FileText(plain: data).text
        if let conflict = ProjectError.mergeConflict(in: text, file: path) { problems.add(conflict) }
        let tell = { (line: Int, message: String) in
            problems.add(ProjectError(.warning, file: path, line: line, message))
        }
        var written = WorklightProperties(parsing: text, warn: tell)
        written.folder = folder
        let properties = written.overridden(by: environment)
            .expandingThemselves { entry, severity, reason in
                problems.add(ProjectError(severity, file: path, line: entry.line, "\(entry.key): \(reason)"))
            }
        properties.reportEncrypted { entry, advice in
            problems.add(ProjectError(.note, file: path, line: entry.line, advice))
        }
        return properties
    }

    func adapters(_ properties: WorklightProperties) -> [Project.Adapter] {
        guard let names = folders(in: "adapters") else {
            problems.add(
                ProjectError(
                    .error, file: "adapters",
                    "there is no such folder in \(folder.path); a Worklight project has its adapters there, each as "
                        + "adapters/<Name>/<Name>.xml with adapters/<Name>/<Name>-impl.js"))
            return []
        }
        return names.compactMap { adapter(named: $0, properties) }
    }

    /// - Parameter isWanted: whether the adapter was requested by name, so that a missing descriptor is an error.
    func adapter(
        named name: String, _ properties: WorklightProperties, isWanted: Bool = false
    ) -> Project.Adapter? {
        let path = "adapters/\(name)/\(name).xml"
        guard exists(path) else {
            let advice = advice(onMissing: path).map { "; \($0)" } ?? ""
            problems.add(
                isWanted
                    ? ProjectError(
                        .error, file: "adapters/\(name)",
                        "there is no adapter here; expected \(path) with adapters/\(name)/\(name)-impl.js\(advice)")
                    : ProjectError(
                        .warning, file: "adapters/\(name)",
                        "there is no \(name).xml here; this folder is ignored\(advice)"))
            return nil
        }
        guard let data = read(path),
            let descriptor = AdapterReader.read(data, path: path, properties: properties, problems: problems),
            let script = script(descriptor)
        else { return nil }
        return Project.Adapter(descriptor: descriptor, script: script)
    }

    private func script(_ descriptor: AdapterDescriptor) -> String? {
        let path = descriptor.scriptPath
        guard exists(path) else {
            problems.add(
                ProjectError(
                    .error, file: descriptor.path,
                    "its implementation \(path) is missing; \(advice(onMissing: path) ?? "create that file")"))
            return nil
        }
        guard let data = read(path) else { return nil }
        let script = FileText(plain: data)
        if let line = script.guessedFromLine {
            problems.add(
                ProjectError(
                    .note, file: path, line: line,
                    "the file is not UTF-8 and is read as Windows-1252, which includes Latin-1; save it as UTF-8"))
        }
        return script.text
    }

    func applications(_ properties: WorklightProperties) -> [ApplicationDescriptor] {
        var applications: [ApplicationDescriptor] = []
        for name in folders(in: "apps") ?? [] {
            let path = "apps/\(name)/application-descriptor.xml"
            guard exists(path) else {
                problems.add(
                    ProjectError(
                        .note, file: "apps/\(name)",
                        "ignored: there is no application-descriptor.xml here"))
                continue
            }
            guard let data = read(path),
                let application = ApplicationReader.read(
                    data, path: path, project: folder, properties: properties, problems: problems)
            else { continue }
            if let other = applications.first(where: { $0.id == application.id }) {
                problems.add(
                    ProjectError(
                        .error, file: path, line: 1,
                        "id=\"\(application.id)\" is the id of \(other.path) already; this application is ignored"))
            } else {
                applications.append(application)
            }
        }
        return applications
    }

    func authentication(_ properties: WorklightProperties) -> AuthenticationConfiguration {
        guard let data = readIfThere(AuthenticationConfiguration.path) else { return AuthenticationConfiguration() }
        return AuthenticationReader.read(data, properties: properties, problems: problems)
    }

    /// The scripts in `server/authentication` of the classes that realms and their login modules name.
    func realmScripts(_ authentication: AuthenticationConfiguration) -> [Project.Adapter] {
        authentication.realms.flatMap { realm -> [Project.Adapter] in
            let module = realm.loginModule.flatMap(authentication.loginModule(named:))
            return [realm.className, module?.className].compactMap { name in
                guard let name, let path = AuthenticationConfiguration.scriptPath(ofClass: name),
                    let data = readIfThere(path)
                else { return nil }
                return Project.Adapter(
                    descriptor: AdapterDescriptor(
                        name: AuthenticationConfiguration.scriptName(ofClass: name, realm: realm.name), procedures: [],
                        path: path, scriptPath: path, isRealmScript: true), script: FileText(plain: data).text)
            }
        }
    }

    func smsGateways(_ properties: WorklightProperties) -> [SMSGatewayDescriptor] {
        guard let data = readIfThere(SMSGatewayDescriptor.path) else { return [] }
        return SMSGatewayDescriptor.read(data, properties: properties, problems: problems)
    }

    private func readIfThere(_ path: String) -> Data? { exists(path) ? read(path) : nil }

    private func read(_ path: String) -> Data? {
        do {
            let file = folder.appending(path: path)
            let size = try FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)[.size]
            if let size = size as? Int, size > Self.largestFile {
                problems.add(
                    ProjectError(
                        .error, file: path,
                        "the file has \(size >> 20) MB; more than \(Self.largestFile >> 20) MB are not read"))
                return nil
            }
            return try Data(contentsOf: file)
        } catch {
            problems.add(ProjectError(.error, file: path, "cannot be read: \(error.localizedDescription)"))
            return nil
        }
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }

    /// The folders in a folder, sorted, hidden ones left out; `nil` when the folder does not exist.
    private func folders(in path: String) -> [String]? {
        guard exists(path) else { return nil }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path).sorted()
                .filter { !$0.hasPrefix(".") && isFolder("\(path)/\($0)") }
        } catch {
            problems.add(ProjectError(.error, file: path, "cannot be read: \(error.localizedDescription)"))
            return []
        }
    }

    private func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: folder.appending(path: path).path, isDirectory: &isFolder)
        return exists && isFolder.boolValue
    }

    /// A file whose name differs in case only: projects were made on systems where that does not matter.
    private func similar(to path: String) -> String? {
        let folder = (path as NSString).deletingLastPathComponent
        let name = (path as NSString).lastPathComponent.lowercased()
        let names = try? FileManager.default.contentsOfDirectory(atPath: self.folder.appending(path: folder).path)
        return names?.first { $0.lowercased() == name }.map { "\(folder)/\($0)" }
    }

    /// Returns the advice about a missing file; `nil` when no file has a similar name.
    private func advice(onMissing path: String) -> String? {
        let file = folder.appending(path: path).path
        if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file) {
            return "it is a link to \(target), which does not exist: fix the link or its target"
        }
        return similar(to: path).map { "\($0) exists: rename it, since case matters here" }
    }
}
