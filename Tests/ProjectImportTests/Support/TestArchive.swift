import CArchive
import Foundation

@testable import ProjectImport

/// A zip archive that a test makes.
struct TestArchive {
    /// Paths and contents, in the archive's order.
    var entries: [(path: String, content: Data)] = []

    init(_ texts: [(String, String)]) {
        entries = texts.map { ($0, Data($1.utf8)) }
    }

    var data: Data {
        let writer = archive_write_new()
        defer { archive_write_free(writer) }
        archive_write_set_format_zip(writer)
        var size = 0
        let capacity = entries.reduce(1 << 16) { $0 + $1.content.count + 2 * $1.path.utf8.count + 256 }
        var bytes = [UInt8](repeating: 0, count: capacity)
        archive_write_open_memory(writer, &bytes, capacity, &size)
        for (path, content) in entries {
            let entry = archive_entry_new()
            archive_entry_set_pathname(entry, path)
            archive_entry_set_filetype(entry, S_IFREG)
            archive_entry_set_perm(entry, 0o644)
            archive_entry_set_size(entry, Int64(content.count))
            archive_write_header(writer, entry)
            _ = content.withUnsafeBytes { archive_write_data(writer, $0.baseAddress, $0.count) }
            archive_entry_free(entry)
        }
        archive_write_close(writer)
        return Data(bytes.prefix(size))
    }

    /// A `.wlapp` file of an environment.
    static func application(
        _ id: String = "Shop", environment: String, version: String = "1.0", facts: [String] = [],
        files: [(String, String)] = []
    ) -> TestArchive {
        let data =
            ["app.id=\(id)", "app.environment=\(environment)", "app.version=\(version)", "app.displayname=The \(id)"]
            + facts
        return TestArchive([("meta/deployment.data", data.joined(separator: "\n"))] + files)
    }
}

/// A folder with archives and the project that is made of them.
final class ImportFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID().uuidString)")
    var project: URL { url.appending(path: "shop") }

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func add(_ name: String, _ archive: TestArchive) throws -> URL { try add(name, archive.data) }

    func add(_ name: String, _ data: Data) throws -> URL {
        let file = url.appending(path: name)
        try data.write(to: file)
        return file
    }

    func run(_ files: [URL]) throws -> ImportReport { try ProjectImport.run(files, to: project) }

    /// The paths of the project's files, sorted.
    var paths: [String] {
        let all = FileManager.default.enumerator(atPath: project.path)?.compactMap { $0 as? String } ?? []
        return all.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: project.appending(path: path).path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    func text(_ path: String) throws -> String {
        try String(contentsOf: project.appending(path: path), encoding: .utf8)
    }

    func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: project.appending(path: path).path)[.posixPermissions] as? Int
    }

    /// The names of all that is beside the given files.
    func others(than files: [URL]) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).filter { name in
            !files.contains { $0.lastPathComponent == name }
        }
    }
}

extension ImportReport {
    /// The parts that are not taken, each with its reason.
    var leftOut: [String] {
        items.compactMap { if case .leftOut(let reason) = $0.outcome { "\($0.part): \(reason)" } else { nil } }
    }
}
