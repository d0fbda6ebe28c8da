import Foundation
import TestSupport

/// A disk of 4 MB that a test can fill. Only root can mount it.
final class SmallDisk: Sendable {
    struct MountError: Error {
        /// The value of `errno`.
        let code: Int32
    }

    /// True if this process can mount a disk.
    static let isAvailable = geteuid() == 0

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=4m") == 0 else { throw MountError(code: errno) }
    }

    /// Unmounts the disk as soon as no file on it is open.
    deinit { umount2(folder.path, 2) }

    /// The root folder of the disk.
    var url: URL { folder.url }

    private var filler: URL { url.appending(path: "filler") }

    /// Writes a file until the disk is full.
    func fill() throws {
        try Data().write(to: filler)
        let file = try FileHandle(forWritingTo: filler)
        while (try? file.write(contentsOf: Data(count: 4096))) != nil {}
        try file.close()
    }

    /// Removes the file of ``fill()``.
    func free() throws { try FileManager.default.removeItem(at: filler) }
}
