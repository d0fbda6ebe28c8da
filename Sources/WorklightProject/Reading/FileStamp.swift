import Foundation

/// Identifies a version of a file without reading it. An editor that writes in place changes the size or the time; one that writes
/// another file and renames it changes the inode. `cp -p` and `rsync -t` can set back the modification time, but not the change time.
package struct FileStamp: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: [Int]
    private let changed: [Int]

    /// `nil` when the file does not exist or cannot be examined; `errno` says why.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}
