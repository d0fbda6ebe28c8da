import CArchive
import Core
import Crypto
import Foundation
import Storage

/// A copy of a project with its store, keys, accounts and settings: a compressed tar file.
///
/// The project's files are below `project/`, those of the data folder below `data/`. Databases are copied as they are at one moment. The last
/// entry, `checksums.txt`, has the SHA-256 of each file, as `sha256sum --check` reads it.
struct BackupArchive {
    static let checksums = "checksums.txt"

    private let file: URL
    private let writer: OpaquePointer
    private let workspace: URL
    private var sums: [(path: String, sum: String)] = []

    /// Files that a running server keeps for itself, and those beside a database, whose contents are in its copy.
    private static func isLeftOut(_ name: String) -> Bool {
        ["lock", "server.json"].contains(name) || name.hasSuffix("-wal") || name.hasSuffix("-shm")
            || name.hasPrefix(".import-")
    }

    /// Makes the archive, and reads it back.
    ///
    /// - Parameters:
    ///   - file: a new file, which only this user can read.
    ///   - data: the data folder, inside of the project or not.
    /// - Returns: the number of files.
    /// - Throws: ``CommandError``, `StoreError`. No file is left then.
    static func write(_ file: URL, project: URL, data: URL) throws -> Int {
        guard !FileManager.default.fileExists(atPath: file.path) else {
            throw CommandError(description: "\(file.path) exists already; name a new file")
        }
        for folder in [project, data]
        where file.standardizedFileURL.path.hasPrefix(folder.standardizedFileURL.path + "/") {
            throw CommandError(
                description: "\(file.path) is inside of \(folder.path), which is copied; name a file outside of it")
        }
        let workspace = file.deletingLastPathComponent().appending(path: ".backup-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: workspace, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw failure(file, "its folder cannot be written: \(error.localizedDescription)")
        }
        defer { try? FileManager.default.removeItem(at: workspace) }
        let part = workspace.appending(path: file.lastPathComponent)
        var archive = try BackupArchive(writing: part, workspace)
        try archive.add(project, as: "project", without: data)
        try archive.add(data, as: "data", without: nil)
        let count = try archive.finish()
        try check(part)
        guard rename(part.path, file.path) == 0 else { throw failure(file, String(cString: strerror(errno))) }
        return count
    }

    private init(writing file: URL, _ workspace: URL) throws {
        guard let writer = archive_write_new() else { throw Self.failure(file, "out of memory") }
        (self.file, self.writer, self.workspace) = (file, writer, workspace)
        archive_write_add_filter_gzip(writer)
        archive_write_set_format_pax_restricted(writer)
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(file, String(cString: strerror(errno))) }
        close(descriptor)
        guard archive_write_open_filename(writer, file.path) == ARCHIVE_OK else {
            throw Self.failure(file, Self.reason(writer))
        }
    }

    /// Adds the files below a folder.
    ///
    /// - Parameter other: a folder that is added separately.
    private mutating func add(_ folder: URL, as name: String, without other: URL?) throws {
        let keys: [URLResourceKey] = [.isRegularFileKey, .isSymbolicLinkKey, .isDirectoryKey]
        let root = folder.resolvingSymlinksInPath().path
        let left = other?.resolvingSymlinksInPath().path
        guard
            let files = FileManager.default.enumerator(
                at: URL(fileURLWithPath: root, isDirectory: true), includingPropertiesForKeys: keys, options: [],
                errorHandler: nil)
        else { throw CommandError(description: "\(folder.path) cannot be read") }
        for case let url as URL in files {
            let values = try url.resourceValues(forKeys: Set(keys))
            if values.isDirectory == true, values.isSymbolicLink != true {
                if url.standardizedFileURL.path == left || Self.isLeftOut(url.lastPathComponent) {
                    files.skipDescendants()
                }
                continue
            }
            guard !Self.isLeftOut(url.lastPathComponent), url.path.hasPrefix(root + "/") else {
                continue
            }
            let path = name + url.path.dropFirst(root.count)
            if values.isSymbolicLink == true {
                try addLink(to: try FileManager.default.destinationOfSymbolicLink(atPath: url.path), at: path)
            } else if values.isRegularFile == true {
                try url.pathExtension == "sqlite" ? addDatabase(url, at: path) : addFile(url, at: path)
            }
        }
    }

    private mutating func addDatabase(_ url: URL, at path: String) throws {
        let copy = workspace.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: copy) }
        try SQLStore.copyFile(at: url.path, to: copy.path)
        try addFile(copy, at: path)
    }

    private mutating func addFile(_ url: URL, at path: String) throws {
        let input: FileHandle
        let facts: [FileAttributeKey: Any]
        do {
            input = try FileHandle(forReadingFrom: url)
            facts = try FileManager.default.attributesOfItem(atPath: url.path)
        } catch {
            throw Self.failure(url, "it cannot be read: \(error.localizedDescription)")
        }
        defer { try? input.close() }
        var left = facts[.size] as? Int ?? 0
        try writeHeader(path) { entry in
            archive_entry_set_filetype(entry, S_IFREG as mode_t)
            archive_entry_set_perm(entry, mode_t(facts[.posixPermissions] as? Int ?? 0o600))
            archive_entry_set_size(entry, Int64(left))
            archive_entry_set_mtime(
                entry, Int((facts[.modificationDate] as? Date ?? Date()).timeIntervalSince1970), 0)
        }
        var hash = SHA256()
        while left > 0 {
            guard let bytes = try input.read(upToCount: min(1 << 16, left)), !bytes.isEmpty else {
                throw Self.failure(url, "it became shorter while it was read; try again")
            }
            hash.update(data: bytes)
            let written = bytes.withUnsafeBytes { archive_write_data(writer, $0.baseAddress, $0.count) }
            guard written == bytes.count else { throw Self.failure(file, Self.reason(writer)) }
            left -= bytes.count
        }
        sums.append((path, Self.text(hash.finalize())))
    }

    private func addLink(to target: String, at path: String) throws {
        try writeHeader(path) { entry in
            archive_entry_set_filetype(entry, S_IFLNK as mode_t)
            archive_entry_set_symlink(entry, target)
        }
    }

    private func writeHeader(_ path: String, _ describe: (OpaquePointer?) -> Void) throws {
        let entry = archive_entry_new()
        defer { archive_entry_free(entry) }
        describe(entry)
        archive_entry_set_pathname(entry, path)
        guard archive_write_header(writer, entry) == ARCHIVE_OK else { throw Self.failure(file, Self.reason(writer)) }
    }

    /// - Returns: the number of files.
    private func finish() throws -> Int {
        let lines = sums.map { "\($0.sum)  \($0.path)\n" }.joined()
        let bytes = Array(lines.utf8)
        try writeHeader(Self.checksums) { entry in
            archive_entry_set_filetype(entry, S_IFREG as mode_t)
            archive_entry_set_perm(entry, 0o600)
            archive_entry_set_size(entry, Int64(bytes.count))
        }
        guard archive_write_data(writer, bytes, bytes.count) == bytes.count,
            archive_write_close(writer) == ARCHIVE_OK
        else { throw Self.failure(file, Self.reason(writer)) }
        archive_write_free(writer)
        return sums.count
    }

    /// Reads an archive, and compares each file with its checksum.
    ///
    /// - Throws: ``CommandError`` for the first file that is missing or differs.
    static func check(_ file: URL) throws {
        var found: [String: String] = [:]
        var listed = ""
        try forEachEntry(of: file) { reader, header, path in
            guard archive_entry_filetype(header) == S_IFREG else { return }
            var hash = SHA256()
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = archive_read_data(reader, &buffer, buffer.count)
                guard count >= 0 else { throw failure(file, "it is damaged at \(path): \(reason(reader))") }
                if count == 0 { break }
                hash.update(data: buffer[..<count])
                if path == checksums { listed += String(decoding: buffer[..<count], as: UTF8.self) }
            }
            found[path] = text(hash.finalize())
        }
        guard found[checksums] != nil else { throw failure(file, "it has no \(checksums) at its end; it is cut off") }
        for line in listed.split(separator: "\n") {
            let (sum, path) = (String(line.prefix(64)), String(line.dropFirst(66)))
            guard found[path] == sum else { throw failure(file, "\(path) in it is missing or damaged") }
        }
    }

    /// Unpacks an archive into a folder: the project's files, and those of the data folder into `.lamplighter`.
    ///
    /// - Parameter folder: an existing empty folder.
    /// - Throws: ``CommandError``.
    static func unpack(_ file: URL, into folder: URL) throws {
        guard let disk = archive_write_disk_new() else { throw failure(folder, "out of memory") }
        defer { archive_write_free(disk) }
        let flags =
            ARCHIVE_EXTRACT_PERM | ARCHIVE_EXTRACT_TIME | ARCHIVE_EXTRACT_SECURE_NODOTDOT
            | ARCHIVE_EXTRACT_SECURE_SYMLINKS | ARCHIVE_EXTRACT_NO_OVERWRITE
        archive_write_disk_set_options(disk, Int32(flags))
        let root = folder.resolvingSymlinksInPath().path
        try forEachEntry(of: file) { reader, header, path in
            let target: String
            if path.hasPrefix("project/") {
                target = String(path.dropFirst("project/".count))
            } else if path.hasPrefix("data/") {
                target = ".lamplighter/" + path.dropFirst("data/".count)
            } else {
                return
            }
            archive_entry_set_pathname(header, "\(root)/\(target)")
            guard archive_read_extract2(reader, header, disk) == ARCHIVE_OK else {
                throw failure(file, "\(path) cannot be unpacked: \(reason(reader))")
            }
        }
    }

    private static func forEachEntry(
        of file: URL, _ body: (_ reader: OpaquePointer, _ header: OpaquePointer, _ path: String) throws -> Void
    ) throws {
        guard let reader = archive_read_new() else { throw failure(file, "out of memory") }
        defer { archive_read_free(reader) }
        archive_read_support_filter_gzip(reader)
        archive_read_support_format_tar(reader)
        guard archive_read_open_filename(reader, file.path, 1 << 16) == ARCHIVE_OK else {
            throw failure(file, "it is not a backup: \(reason(reader))")
        }
        var header: OpaquePointer?
        while true {
            let status = archive_read_next_header(reader, &header)
            if status == ARCHIVE_EOF { return }
            guard status == ARCHIVE_OK, let header, let name = archive_entry_pathname_utf8(header) else {
                throw failure(file, "it is damaged: \(reason(reader))")
            }
            try body(reader, header, String(cString: name))
        }
    }

    private static func text(_ digest: SHA256.Digest) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func reason(_ archive: OpaquePointer) -> String {
        archive_error_string(archive).map { String(cString: $0) } ?? "no reason known"
    }

    private static func failure(_ file: URL, _ reason: String) -> CommandError {
        CommandError(description: "\(file.path): \(reason)")
    }
}
