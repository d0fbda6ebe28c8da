import CArchive
public import Foundation

/// An adapter's archive for the old server, with one more procedure.
public enum ExportAdapter {
    /// Writes an archive of an adapter's folder.
    ///
    /// - Parameters:
    ///   - folder: the adapter's folder.
    ///   - name: the adapter's name.
    ///   - procedure: the name of the procedure that the descriptor gets. It has no security test.
    ///   - script: appended to the adapter's script.
    ///   - target: must not exist.
    /// - Throws: ``ImportError`` when the folder has no such adapter, or when the archive cannot be written.
    public static func write(
        adapter folder: URL, named name: String, procedure: String, script: String, to target: URL
    ) throws(ImportError) {
        var contents: [(path: String, data: Data)] = []
        for path in FileManager.default.enumerator(atPath: folder.path)?.compactMap({ $0 as? String }).sorted() ?? [] {
            let url = folder.appending(path: path)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue,
                !path.hasSuffix(".test.js"), !path.hasPrefix(".")
            else { continue }
            guard let data = try? Data(contentsOf: url) else { throw ImportError(url.path, "cannot be read") }
            contents.append((path, data))
        }
        guard let descriptor = contents.firstIndex(where: { $0.path == "\(name).xml" }),
            let code = contents.firstIndex(where: { $0.path == "\(name)-impl.js" })
        else { throw ImportError(folder.path, "expected \(name).xml and \(name)-impl.js") }
        let xml = String(decoding: contents[descriptor].data, as: UTF8.self)
        guard let end = xml.matches(of: /<\/(?:[A-Za-z_][A-Za-z0-9_.\-]*:)?adapter\s*>/).last else {
            throw ImportError("\(name).xml", "the element 'adapter' does not end")
        }
        var changed = xml
        changed.insert(
            contentsOf: "    <procedure name=\"\(procedure)\" securityTest=\"wl_unprotected\"/>\n",
            at: end.range.lowerBound)
        contents[descriptor].data = Data(changed.utf8)
        contents[code].data += Data("\n\n\(script)".utf8)
        try write(contents, to: target)
    }

    private static func write(_ contents: [(path: String, data: Data)], to target: URL) throws(ImportError) {
        guard !FileManager.default.fileExists(atPath: target.path) else {
            throw ImportError(target.path, "it exists already; move it, or name another file")
        }
        guard let writer = archive_write_new() else {
            throw ImportError(target.path, "libarchive could not start: out of memory")
        }
        defer { archive_write_free(writer) }
        archive_write_set_format_zip(writer)
        var status = archive_write_open_filename(writer, target.path)
        for (path, data) in contents where status == ARCHIVE_OK {
            let entry = archive_entry_new()
            defer { archive_entry_free(entry) }
            archive_entry_set_pathname(entry, path)
            archive_entry_set_filetype(entry, 0o100000)
            archive_entry_set_perm(entry, 0o644)
            archive_entry_set_size(entry, Int64(data.count))
            status = archive_write_header(writer, entry)
            let written = data.withUnsafeBytes { archive_write_data(writer, $0.baseAddress, $0.count) }
            if written != data.count { status = ARCHIVE_FATAL }
        }
        guard status == ARCHIVE_OK, archive_write_close(writer) == ARCHIVE_OK else {
            let reason = archive_error_string(writer).map { String(cString: $0) } ?? "no reason known"
            try? FileManager.default.removeItem(at: target)
            throw ImportError(target.path, "cannot be written: \(reason)")
        }
    }
}
