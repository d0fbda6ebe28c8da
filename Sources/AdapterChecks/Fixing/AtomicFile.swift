import Foundation
import WorklightProject

/// A file whose text is replaced at once: a reader sees the old text or the new one, never a mixture.
struct AtomicFile: Sendable {
    let url: URL

    init(_ url: URL) {
        self.url = url
    }

    private static let byteOrderMark = Data([0xEF, 0xBB, 0xBF])

    /// Whether the file begins with the mark of UTF-8, as it is now.
    var hasByteOrderMark: Bool {
        guard let file = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: Self.byteOrderMark.count)) == Self.byteOrderMark
    }

    /// - Parameters:
    ///   - before: what the file must hold still, without a byte order mark; else somebody has changed it.
    /// - Throws: ``FixError``; the file is then unchanged.
    func replace(_ before: String, by after: String) throws(FixError) {
        // A link stays one: what it leads to is replaced.
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
        // Only root can give a file away, and only root has others' files to mend.
        let owner = attributes.filter { [.ownerAccountID, .groupOwnerAccountID].contains($0.key) }
        try? FileManager.default.setAttributes(owner, ofItemAtPath: path)
    }
}
