import CArchive
import Core
import Crypto
import Foundation
import Storage

/// A copy of a project with its store, keys, accounts and settings: a compressed tar file.
///
/// The project's files are below `project/`, those of the data folder below `data/`. SQLite databases are copied as they are at one moment. The
/// last entry, `checksums.txt`, has the SHA-256 of each file, as `sha256sum --check` reads it. Links in the project stay links; in the data
/// folder, and in place of the settings file, their contents are copied.
struct BackupArchive {
    static let checksums = "checksums.txt"
    /// The longest list of checksums that is read, in bytes; enough for some 500,000 files.
    private static let longestList = 64 << 20

    private let file: URL
    private let writer: OpaquePointer
    private let workspace: URL
    private let data: String
    private var sums: [(path: String, sum: String)] = []
    /// The links in the project that lead out of it.
    private var foreignLinks: [String] = []

    /// The result of a copy.
    struct Outcome {
        let files: Int
        /// The links in the project whose targets are not in the copy.
        let foreignLinks: [String]
    }

    /// Makes the archive, and reads it back.
    ///
    /// - Parameters:
    ///   - file: a new file, which only this user can read.
    ///   - data: the data folder, inside of the project or not.
    /// - Throws: ``CommandError``, `StoreError`. No file is left then.
    static func write(_ file: URL, project: URL, data: URL) throws -> Outcome {
        setlocale(LC_CTYPE, "C.UTF-8")
        guard !FileManager.default.fileExists(atPath: file.path) else {
            throw CommandError(description: "\(file.path) exists already; name a new file")
        }
        let parent = file.deletingLastPathComponent()
        for folder in [project, data] where (real(parent.path) + "/").hasPrefix(real(folder.path) + "/") {
            throw CommandError(
                description: "\(file.path) is inside of \(folder.path), which is copied; name a file outside of it")
        }
        guard FileManager.default.fileExists(atPath: parent.path) else {
            throw failure(file, "its folder does not exist")
        }
        let workspace: ScratchFolder
        do {
            workspace = try ScratchFolder(parent.appending(path: ".backup-\(UUID().uuidString)"))
        } catch {
            throw failure(file, "its folder cannot be written: \(error.localizedDescription)")
        }
        defer { workspace.remove() }
        let part = workspace.url.appending(path: file.lastPathComponent)
        var archive = try BackupArchive(writing: part, workspace.url, data: real(data.path))
        try archive.add(real(project.path), as: "project", chain: [])
        try archive.add(archive.data, as: "data", chain: [])
        let outcome = try archive.finish()
        try check(part)
        guard rename(part.path, file.path) == 0 else { throw failure(file, String(cString: strerror(errno))) }
        return outcome
    }

    private init(writing file: URL, _ workspace: URL, data: String) throws {
        guard let writer = archive_write_new() else { throw Self.failure(file, "out of memory") }
        (self.file, self.writer, self.workspace, self.data) = (file, writer, workspace, data)
        archive_write_add_filter_gzip(writer)
        archive_write_set_format_pax_restricted(writer)
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(file, String(cString: strerror(errno))) }
        close(descriptor)
        guard archive_write_open_filename(writer, file.path) == ARCHIVE_OK else {
            throw Self.failure(file, Self.reason(writer))
        }
    }

    /// Returns a path without links.
    private static func real(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    /// Adds the files below a folder.
    ///
    /// - Parameters:
    ///   - name: its path in the archive.
    ///   - chain: the folders in which it is, without links.
    private mutating func add(_ folder: String, as name: String, chain: [String]) throws {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw CommandError(description: "\(folder.printable) cannot be read: \(error.localizedDescription)")
        }
        for entry in names where !isLeftOut(entry, in: name) {
            let (path, target) = ("\(folder)/\(entry)", "\(name)/\(entry)")
            guard !entry.unicodeScalars.contains("\u{FFFD}") else {
                throw CommandError(description: "\(path.printable): its name is not UTF-8; rename it")
            }
            guard let type = try Self.type(of: path) else { continue }
            switch type {
            case .typeDirectory where path == data && name.hasPrefix("project"): continue
            case .typeDirectory: try add(path, as: target, chain: chain + [folder])
            case .typeRegular: try addRegular(path, at: target)
            case .typeSymbolicLink: try addLinked(path, at: target, chain: chain + [folder])
            // Pipes and sockets have no contents.
            default: continue
            }
        }
    }

    /// Files that a running server keeps for itself, the working folder of an import, and those that the data folder has too.
    private func isLeftOut(_ entry: String, in folder: String) -> Bool {
        switch folder {
        case "project": entry.hasPrefix(".import-")
        case "data": ["lock", "server.json"].contains(entry)
        case "project/.lamplighter":
            ["lock", "server.json"].contains(entry) || FileManager.default.fileExists(atPath: "\(data)/\(entry)")
        default: false
        }
    }

    /// - Returns: `nil` if the file exists no longer.
    private static func type(of path: String) throws -> FileAttributeType? {
        do {
            return try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return nil
        } catch {
            throw CommandError(description: "\(path.printable) cannot be read: \(error.localizedDescription)")
        }
    }

    private mutating func addRegular(_ path: String, at target: String) throws {
        let url = URL(fileURLWithPath: path)
        guard !Self.isPartOfDatabase(url) else { return }
        // A store whose beginning is damaged must not be copied unnoticed.
        let isStore = target == "data/\(SQLStore.fileName)"
        try isStore || Self.isDatabase(url) ? addDatabase(url, at: target) : addFile(url, at: target)
    }

    private mutating func addLinked(_ path: String, at target: String, chain: [String]) throws {
        let found = Self.real(path)
        guard found != data || !target.hasPrefix("project/") else { return }
        guard target.hasPrefix("data/") || Self.isSettings(target) || target.hasPrefix("project/.lamplighter/") else {
            let link: String
            do {
                link = try FileManager.default.destinationOfSymbolicLink(atPath: path)
            } catch {
                throw CommandError(description: "\(path.printable) cannot be read: \(error.localizedDescription)")
            }
            let root = chain.first ?? ""
            if !found.hasPrefix(root + "/") { foreignLinks.append(path) }
            return try addLink(to: link, at: target)
        }
        switch try Self.type(of: found) {
        case .typeRegular: try addRegular(found, at: target)
        case .typeDirectory where !chain.contains(found): try add(found, as: target, chain: chain)
        default:
            throw CommandError(
                description:
                    "\(path.printable) is a link to \(found.printable), which cannot be copied")
        }
    }

    private static func isSettings(_ target: String) -> Bool {
        ["project/lamplighter.yaml", "project/lamplighter.yml"].contains(target)
    }

    /// Returns whether a file is a SQLite database, whatever its name.
    private static func isDatabase(_ url: URL) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }

    /// Returns whether a file holds transactions of the database beside it, which its copy contains.
    private static func isPartOfDatabase(_ url: URL) -> Bool {
        ["-wal", "-shm", "-journal"].contains { suffix in
            url.path.hasSuffix(suffix) && isDatabase(URL(fileURLWithPath: String(url.path.dropLast(suffix.count))))
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

    private func finish() throws -> Outcome {
        let bytes = Array(sums.map { Self.line($0.sum, $0.path) }.joined().utf8)
        guard bytes.count <= Self.longestList else {
            throw Self.failure(file, "\(sums.count) files are more than a copy can have")
        }
        try writeHeader(Self.checksums) { entry in
            archive_entry_set_filetype(entry, S_IFREG as mode_t)
            archive_entry_set_perm(entry, 0o600)
            archive_entry_set_size(entry, Int64(bytes.count))
        }
        guard archive_write_data(writer, bytes, bytes.count) == bytes.count,
            archive_write_close(writer) == ARCHIVE_OK
        else { throw Self.failure(file, Self.reason(writer)) }
        archive_write_free(writer)
        return Outcome(files: sums.count, foreignLinks: foreignLinks)
    }

    /// A line of `sha256sum`, which begins with a backslash if characters of the name are replaced.
    private static func line(_ sum: String, _ path: String) -> String {
        var name: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): name += Array("\\\\".utf8)
            case UInt8(ascii: "\n"): name += Array("\\n".utf8)
            case UInt8(ascii: "\r"): name += Array("\\r".utf8)
            default: name.append(byte)
            }
        }
        let shown = String(decoding: name, as: UTF8.self)
        return "\(name.count == path.utf8.count ? "" : "\\")\(sum)  \(shown)\n"
    }

    /// Reads an archive: each entry must be one that ``write(_:project:data:)`` makes, and each file have its checksum.
    ///
    /// - Throws: ``CommandError`` for the first that differs.
    static func check(_ file: URL) throws {
        setlocale(LC_CTYPE, "C.UTF-8")
        var lines: Set<String> = []
        var (targets, links): (Set<String>, Set<String>) = ([], [])
        var listed: Data?
        try forEachEntry(of: file) { reader, header, path in
            let shown = path.prefix(200).description.printable
            let type = archive_entry_filetype(header)
            guard listed == nil else { throw failure(file, "something follows its \(checksums)") }
            guard archive_entry_hardlink(header) == nil, [S_IFREG, S_IFLNK].contains(type) else {
                throw failure(file, "\(shown) in it is not a file: 'lamplighter backup' does not make such entries")
            }
            if path == checksums, type == S_IFREG {
                listed = try contents(reader, file)
                return
            }
            guard let target = target(of: path), targets.insert(target).inserted else {
                throw failure(file, "the name \(shown) in it is not allowed, or occurs twice")
            }
            if type == S_IFLNK {
                guard !target.hasPrefix(".lamplighter"), !isSettings(path) else {
                    throw failure(file, "\(shown) in it is a link: 'lamplighter backup' does not make such entries")
                }
                links.insert(target)
            } else {
                lines.insert(line(try sum(reader, file, shown), path))
            }
        }
        guard let listed else { throw failure(file, "it has no \(checksums) at its end; it is cut off") }
        for target in targets where parents(of: target).contains(where: links.contains) {
            throw failure(file, "\(target.prefix(200).description.printable) in it is below a link")
        }
        let expected = listed.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) + "\n" }
        guard expected.count == lines.count, lines.isSuperset(of: expected) else {
            let differing = lines.symmetricDifference(expected).map { $0.drop { $0 == "\\" }.dropFirst(66) }.min() ?? ""
            let name = differing.prefix(200).description.trimmingCharacters(in: .newlines).printable
            throw failure(file, "\(name) in it is missing, damaged, or not in its \(checksums)")
        }
    }

    private static func contents(_ reader: OpaquePointer, _ file: URL) throws -> Data {
        var data = Data()
        try forEachPart(of: checksums, reader, file) { part in
            data.append(contentsOf: part)
            guard data.count <= longestList else { throw failure(file, "its \(checksums) is too long") }
        }
        return data
    }

    private static func sum(_ reader: OpaquePointer, _ file: URL, _ path: String) throws -> String {
        var hash = SHA256()
        try forEachPart(of: path, reader, file) { hash.update(data: $0) }
        return text(hash.finalize())
    }

    private static func forEachPart(
        of path: String, _ reader: OpaquePointer, _ file: URL, _ body: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = archive_read_data(reader, &buffer, buffer.count)
            guard count >= 0 else { throw failure(file, "it is damaged at \(path): \(reason(reader))") }
            if count == 0 { return }
            try body(buffer[..<count])
        }
    }

    /// Returns the path of an entry in the restored project: files of the data folder are below `.lamplighter`.
    ///
    /// - Returns: `nil` for a path that leads elsewhere.
    private static func target(of path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, parts.allSatisfy({ !["", ".", ".."].contains($0) }) else { return nil }
        switch parts[0] {
        case "project" where parts.count > 2 || parts[1] != ".lamplighter":
            return parts.dropFirst().joined(separator: "/")
        case "data": return ([".lamplighter"] + parts.dropFirst()).joined(separator: "/")
        default: return nil
        }
    }

    private static func parents(of path: String) -> [String] {
        path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
    }

    /// Unpacks an archive that ``check(_:)`` has read into a folder: the project's files, and those of the data folder into `.lamplighter`.
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
        let root = real(folder.path)
        try forEachEntry(of: file) { reader, header, path in
            guard path != checksums else { return }
            guard let target = target(of: path), archive_entry_hardlink(header) == nil else {
                throw failure(file, "it has changed since it was checked")
            }
            archive_entry_set_pathname(header, "\(root)/\(target)")
            archive_entry_set_perm(header, archive_entry_perm(header) & 0o777)
            guard archive_read_extract2(reader, header, disk) == ARCHIVE_OK else {
                throw failure(file, "\(path.prefix(200).description.printable) cannot be unpacked: \(reason(reader))")
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
