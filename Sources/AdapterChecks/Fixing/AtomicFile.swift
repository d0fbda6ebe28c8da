import Foundation
import WorklightProject

/// A file whose content is replaced atomically: a reader sees the old content or the new one, never a mixture.
struct AtomicFile: Sendable {
    let url: URL

    init(_ url: URL) {
        self.url = url
    }

    private static let byteOrderMark = Data([0xEF, 0xBB, 0xBF])

    /// True if the file on disk begins with UTF-8's byte order mark.
    var hasByteOrderMark: Bool {
        guard let file = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: Self.byteOrderMark.count)) == Self.byteOrderMark
    }

    /// - Parameters:
    ///   - before: the expected content of the file, without a byte order mark; a different one means that somebody has changed it.
    /// - Throws: ``FixError``; the file is then unchanged.
    func replace(_ before: String, by after: String) throws(FixError) {
        // A symbolic link remains; its target is replaced.
        let target = url.resolvingSymlinksInPath()
        let beside = target.deletingLastPathComponent()
            .appending(path: ".\(target.lastPathComponent).\(UUID().uuidString)")
        do {
            let old = try Data(contentsOf: target)
            let file = FileText(plain: old)
            guard file.text.utf8.elementsEqual(before.utf8) else {
                throw FixError(description: "\(target.path): somebody has changed it meanwhile; run this again")
            }
            let attributes = try FileManager.default.attributesOfItem(atPath: target.path)
            try file.data(of: after).write(to: beside)
            try copy(attributes, to: beside.path)
            guard rename(beside.path, target.path) == 0 else {
                throw FixError(description: "\(target.path): cannot be replaced: \(String(cString: strerror(errno)))")
            }
        } catch {
            try? FileManager.default.removeItem(at: beside)
            throw error as? FixError
                ?? FixError(description: "\(target.path): cannot be written: \(error.localizedDescription)")
        }
    }

    private func copy(_ attributes: [FileAttributeKey: Any], to path: String) throws {
        try FileManager.default.setAttributes(attributes.filter { $0.key == .posixPermissions }, ofItemAtPath: path)
        // Only root can change a file's owner, and only root has others' files to fix.
        let owner = attributes.filter { [.ownerAccountID, .groupOwnerAccountID].contains($0.key) }
        try? FileManager.default.setAttributes(owner, ofItemAtPath: path)
    }
}
