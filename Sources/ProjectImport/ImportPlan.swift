import Foundation
import WorklightProject

/// The files that an import will write, and the report about them.
struct ImportPlan {
    enum Content {
        case file(URL)
        case text(String)

        func data() throws -> Data {
            switch self {
            case .file(let url): try Data(contentsOf: url, options: .mappedIfSafe)
            case .text(let text): Data(text.utf8)
            }
        }
    }

    /// A file to write.
    struct File {
        /// Relative to the project's folder.
        let path: String
        fileprivate(set) var content: Content
        /// True for a file that only its owner may read.
        let isSecret: Bool
        /// The given file from which it comes.
        let source: String
        /// The item of the report that it belongs to.
        let item: Int
    }

    private(set) var files: [File] = []
    private var positions: [String: Int] = [:]
    /// The parts of the given files, with their paths in the project or the reasons for which they are left out.
    private(set) var items: [(source: String, part: String, path: String?, reason: String?)] = []
    var remarks: [String] = []

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - part: the part of the given file, for the report.
    ///   - path: relative to the project's folder.
    /// - Throws: ``ImportError`` when another given file has other contents for that path.
    mutating func add(_ content: Content, of source: String, _ part: String, to path: String, isSecret: Bool = false)
        throws(ImportError)
    {
        items.append((source, part, path, nil))
        try addFile(content, of: source, part, to: path, isSecret: isSecret)
    }

    /// Adds the entries of an archive below a folder, as one item of the report.
    ///
    /// - Parameters:
    ///   - folder: the folder in the archive, with `/` at the end.
    ///   - path: the folder in the project.
    mutating func add(_ entries: [ZipArchive.Entry], of source: String, below folder: String, to path: String)
        throws(ImportError)
    {
        guard !entries.isEmpty else { return }
        items.append((source, "\(folder) (files: \(entries.count))", path, nil))
        for entry in entries {
            try addFile(
                .file(entry.file), of: source, entry.path, to: "\(path)/\(entry.path.dropFirst(folder.count))",
                isSecret: false)
        }
    }

    private mutating func addFile(
        _ content: Content, of source: String, _ part: String, to path: String, isSecret: Bool
    ) throws(ImportError) {
        if let known = positions[path] {
            guard let old = try? files[known].content.data(), let new = try? content.data(), old == new else {
                throw ImportError(
                    source,
                    "'\(part)' and a part of \(files[known].source) would both be \(path); leave one of the two files out"
                )
            }
            return
        }
        positions[path] = files.count
        files.append(File(path: path, content: content, isSecret: isSecret, source: source, item: items.count - 1))
    }

    /// The planned contents of a file; `nil` if it is not planned.
    func text(of path: String) -> String? {
        guard let number = positions[path], let data = try? files[number].content.data() else { return nil }
        return FileText(plain: data).text
    }

    /// Adds lines at the end of a file, or makes it.
    mutating func append(_ lines: String, of source: String, _ part: String, to path: String) throws(ImportError) {
        guard let old = text(of: path), let number = positions[path] else {
            return try add(.text(lines), of: source, part, to: path, isSecret: true)
        }
        items.append((source, part, path, nil))
        files[number].content = .text(old + lines)
    }

    /// Replaces the contents of a planned file.
    mutating func replace(_ path: String, by text: String) {
        if let number = positions[path] { files[number].content = .text(text) }
    }

    /// Notes a part that is not taken.
    mutating func leaveOut(_ part: String, of source: String, because reason: String) {
        items.append((source, part, nil, reason))
    }
}
