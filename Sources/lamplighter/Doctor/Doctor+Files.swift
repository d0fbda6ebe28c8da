import Core
import Foundation
import Installation
import Storage

/// The files of an installation: their owners, their permissions and their size.
extension Doctor {
    /// The user must be able to read the files that the server uses.
    func checkUser() -> [Diagnosis] {
        do {
            try DataFolder.checkAccess(to: data)
        } catch {
            return [.error("data folder", "\(error)", nil)]
        }
        guard let owner = Self.owner(of: data) else { return [] }
        if owner.number == 0, let other = Self.owner(of: settings.project), other.number != 0 {
            return [
                .error(
                    "data folder", "\(data.path) belongs to root, but the project to \(other.name)",
                    "run chown -R \(other.name): \(settings.project.path)")
            ]
        }
        guard owner.number != Int(geteuid()) else { return [] }
        return [
            .warning(
                "data folder",
                "\(data.path) belongs to the user \(owner.name), and this command runs as \(NSUserName())",
                "run it as \(owner.name), whose rights the server has")
        ]
    }

    /// A file that another user has written, such as a command that root ran, is closed to the server.
    func checkOwners() -> [Diagnosis] {
        guard let owner = Self.owner(of: data) else { return [] }
        var problems: [(path: String, text: String)] = []
        for url in [data] + Self.contents(of: data) {
            if let other = Self.owner(of: url), other.number != owner.number {
                problems.append((url.path, "belongs to \(other.name), but the data folder to \(owner.name)"))
            } else if access(url.path, R_OK) != 0 {
                problems.append((url.path, "cannot be read: \(String(cString: strerror(errno)))"))
            }
        }
        guard let first = problems.first else {
            return [.ok("owners", "all files in \(data.path) belong to \(owner.name)")]
        }
        return [
            .error(
                "owners",
                "\(first.path) \(first.text)" + (problems.count > 1 ? "; \(problems.count - 1) more are like it" : ""),
                "run chown -R \(owner.name): \(data.path); chmod -R u+rwX \(data.path)")
        ]
    }

    /// Private keys, passwords and the store are only for the server's user.
    func checkSecrets() -> [Diagnosis] {
        var files = all.secrets.keyFiles(project: settings.project)
        let secrets = all.secrets.texts(project: settings.project)
        for url in Settings.files(in: settings.project) {
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { continue }
            files += text.matches(of: /\$\{file:([^}]+)\}/).map {
                URL(fileURLWithPath: String($0.1), relativeTo: settings.project)
            }
            if secrets.contains(where: { text.contains($0) }) { files.append(url) }
        }
        files += Self.contents(of: data).filter { !$0.hasDirectoryPath }
        let open = Set(files.map(\.standardizedFileURL.path)).filter(Self.isOpenToAll).sorted()
        var lines = open.map {
            Diagnosis.error(
                "secrets", "every user of this machine can read \($0)", "run chmod o= on it, and consider a new secret")
        }
        let properties = settings.project.appending(path: "server/conf/worklight.properties").path
        if Self.isOpenToAll(properties) {
            lines.append(
                .warning(
                    "secrets", "every user of this machine can read \(properties), which may have passwords",
                    "run chmod o= on it"))
        }
        return lines.isEmpty
            ? [
                .ok(
                    "secrets",
                    "other users of this machine cannot read private keys, secrets of the settings and the store")
            ]
            : lines
    }

    func checkLogFile() -> [Diagnosis] {
        guard let path = all.log.file else { return [] }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isFolder.boolValue else {
            return [.error("log", "\(path) is a folder", "name a file in it with log.file")]
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard access(exists ? path : folder, W_OK) == 0 else {
            return [
                .error(
                    "log", "\(path) cannot be written: \(String(cString: strerror(errno)))",
                    "let the server's user write it, or correct log.file")
            ]
        }
        return [.ok("log", "\(path), \(Self.shown(Self.size(path)))")]
    }

    /// An upgrade copies the store first.
    func checkDisk() -> [Diagnosis] {
        guard !settings.ignoredChecks.contains(.disk), let free = Installation.freeSpace(of: data) else { return [] }
        let files = Self.contents(of: data).filter { !$0.hasDirectoryPath }
        let copies = files.filter { $0.lastPathComponent.contains(".version-") }
        let store = files.filter { $0.lastPathComponent.hasPrefix(SQLStore.fileName) && !copies.contains($0) }
        let size = Self.total(store)
        let text =
            "\(Self.shown(free)) free; the data folder has \(Self.shown(Self.total(files)))"
            + (copies.isEmpty ? "" : ", \(Self.shown(Self.total(copies))) of it copies from before upgrades")
        guard free < settings.leastFreeSpace + size else { return [.ok("disk", text)] }
        guard free >= 1 << 20 else {
            return [.error("disk", text, "free space: a server cannot start, and a running one stores nothing")]
        }
        return [
            .warning(
                "disk", text,
                "free space: an upgrade copies the store (\(Self.shown(size))), and health.freeSpace is \(Self.shown(settings.leastFreeSpace))"
            )
        ]
    }

    private static func total(_ files: [URL]) -> Int { files.reduce(0) { $0 + size($1.path) } }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    private static func shown(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\(bytes >> 10) KB" : bytes < 10 << 30 ? "\(bytes >> 20) MB" : "\(bytes >> 30) GB"
    }

    /// The files and folders in a folder.
    private static func contents(of folder: URL) -> [URL] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return found?.allObjects as? [URL] ?? []
    }

    private static func owner(of url: URL) -> (number: Int, name: String)? {
        let facts = try? FileManager.default.attributesOfItem(atPath: url.path)
        guard let number = facts?[.ownerAccountID] as? Int else { return nil }
        return (number, facts?[.ownerAccountName] as? String ?? "\(number)")
    }

    /// Returns whether every user of the machine can open a file: it and the folders on the way to it are open to others.
    private static func isOpenToAll(_ path: String) -> Bool {
        func others(_ path: String) -> Int {
            let facts = try? FileManager.default.attributesOfItem(atPath: path)
            return (facts?[.posixPermissions] as? Int ?? 0) & 0o7
        }
        let real = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        guard others(real.path) & 0o4 != 0 else { return false }
        var folder = real.deletingLastPathComponent()
        while folder.path != "/" {
            guard others(folder.path) & 0o1 != 0 else { return false }
            folder = folder.deletingLastPathComponent()
        }
        return true
    }
}
