import CArchive
import Core
import Foundation

/// A zip archive of the original's tools, such as `APP-android-1.0.wlapp`.
struct ZipArchive {
    /// A regular file in the archive.
    struct Entry {
        /// Its path in the archive.
        let path: String
        /// The file with its contents.
        let file: URL
    }

    /// The largest size of all archives of an import: the number of files, and of bytes once they are unpacked.
    struct Limits {
        var files = 50_000
        var bytes = 1 << 30
    }

    /// The archive's name in errors and reports.
    let name: String
    /// In the order of the archive.
    let entries: [Entry]

    /// Returns the entry at `path`.
    subscript(path: String) -> Entry? { entries.first { $0.path == path } }

    /// Returns true if another archive has the same files.
    func hasSameContents(as other: ZipArchive) -> Bool {
        let files = Dictionary(other.entries.map { ($0.path, $0.file) }) { first, _ in first }
        return entries.count == other.entries.count
            && entries.allSatisfy { entry in
                files[entry.path].map { FileManager.default.contentsEqual(atPath: entry.file.path, andPath: $0.path) }
                    ?? false
            }
    }

    /// Unpacks an archive. Folders and empty entries' attributes are left out; files get new names.
    ///
    /// - Parameters:
    ///   - folder: an existing empty folder, which gets the files.
    ///   - name: the archive's name in errors.
    ///   - limits: reduced by the archive's size.
    /// - Throws: ``ImportError`` when the file is not a zip archive, is damaged or encrypted, exceeds a limit, or has an entry outside its folder.
    init(unpacking archive: URL, named name: String, into folder: URL, limits: inout Limits) throws(ImportError) {
        self.name = name.printable
        guard let reader = archive_read_new() else {
            throw ImportError(name, "libarchive could not start: out of memory")
        }
        defer { archive_read_free(reader) }
        archive_read_support_format_zip_seekable(reader)
        guard archive_read_open_filename(reader, archive.path, 1 << 16) == ARCHIVE_OK else {
            throw ImportError(
                name,
                "not a zip archive, or cut off: \(Self.reason(reader)); get the file again from where it comes from")
        }
        var entries: [Entry] = []
        var header: OpaquePointer?
        while true {
            let status = archive_read_next_header(reader, &header)
            if status == ARCHIVE_EOF { break }
            guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let header,
                let text = archive_entry_pathname_utf8(header)
            else {
                throw ImportError(name, "damaged: \(Self.reason(reader)); get the file again from where it comes from")
            }
            let path = String(cString: text)
            let type = archive_entry_filetype(header)
            if type == S_IFDIR || path.hasSuffix("/") { continue }
            guard type == S_IFREG, Self.isInside(path) else {
                throw ImportError(
                    name,
                    "the entry '\(path.printable)' is a link, has control characters, or lies outside of the archive's folder; such an archive is not read"
                )
            }
            guard archive_entry_is_encrypted(header) == 0 else {
                throw ImportError(
                    name, "the entry '\(path)' is encrypted; unpack the archive, and make one without a password")
            }
            guard limits.files > 0 else {
                throw ImportError(
                    name,
                    "it and the archives before it have more than \(Limits().files) files; expected archives of Worklight's tools"
                )
            }
            limits.files -= 1
            let file = folder.appending(path: String(entries.count))
            try Self.extract(from: reader, to: file, path, in: name, &limits.bytes)
            entries.append(Entry(path: path, file: file))
        }
        self.entries = entries
    }

    /// Returns the paths in an archive, such as a `.jar` file.
    ///
    /// - Throws: ``ImportError`` when it is not a zip archive, or is damaged.
    static func paths(of archive: URL) throws(ImportError) -> [String] {
        guard let reader = archive_read_new() else {
            throw ImportError(archive.path, "libarchive could not start: out of memory")
        }
        defer { archive_read_free(reader) }
        archive_read_support_format_zip_seekable(reader)
        guard archive_read_open_filename(reader, archive.path, 1 << 16) == ARCHIVE_OK else {
            throw ImportError(archive.path, "not a zip archive: \(reason(reader))")
        }
        var paths: [String] = []
        var header: OpaquePointer?
        while archive_read_next_header(reader, &header) == ARCHIVE_OK, let header, paths.count < Limits().files {
            if let path = archive_entry_pathname_utf8(header) { paths.append(String(cString: path)) }
        }
        return paths
    }

    private static func isInside(_ path: String) -> Bool {
        path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !["", ".", ".."].contains($0) }
            && path == path.printable && !path.contains("\\") && !path.hasControlCharacters
    }

    /// - Parameter left: the number of bytes that may be unpacked.
    private static func extract(
        from reader: OpaquePointer, to file: URL, _ path: String, in archive: String, _ left: inout Int
    ) throws(ImportError) {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ImportError(file.path, "cannot be written: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        return try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer throws(ImportError) in
            while true {
                let count = archive_read_data(reader, buffer.baseAddress, buffer.count)
                if count == 0 { return }
                guard count > 0 else { throw ImportError(archive, "the entry '\(path)' is damaged: \(reason(reader))") }
                left -= count
                guard left >= 0 else {
                    throw ImportError(
                        archive,
                        "it and the archives before it unpack to more than a gigabyte; expected archives of Worklight's tools"
                    )
                }
                guard write(descriptor, buffer.baseAddress, count) == count else {
                    throw ImportError(file.path, "cannot be written: \(String(cString: strerror(errno)))")
                }
            }
        }
    }

    private static func reason(_ reader: OpaquePointer) -> String {
        archive_error_string(reader).map { String(cString: $0) } ?? "no reason known"
    }
}
