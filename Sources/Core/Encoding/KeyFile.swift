import Foundation

/// A file with a private key, which only its owner can read.
package struct KeyFile {
    /// A PEM file of the longest key that we would read has some 6 KB.
    private static let sizeLimit = 65_536

    let path: String

    package init(path: String) {
        self.path = path
    }

    /// - Returns: `nil` when the file does not exist.
    /// - Throws: ``KeyFileError``.
    package func read() throws(KeyFileError) -> String? {
        // O_NONBLOCK: a pipe of that name must not block the open call.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("cannot be opened", errno)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot be examined", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw KeyFileError(path: path, reason: "is not a regular file")
        }
        guard status.st_mode & S_IRWXO == 0 else {
            throw KeyFileError(
                path: path,
                reason: "may be read or changed by every user of this machine; take that away with 'chmod 600'")
        }
        guard status.st_size <= Self.sizeLimit else {
            throw KeyFileError(path: path, reason: "is longer than any key; \(Self.advice)")
        }
        guard let data = try? handle.read(upToCount: Self.sizeLimit),
            let text = String(bytes: data, encoding: .utf8)
        else { throw KeyFileError(path: path, reason: "cannot be read as UTF-8; \(Self.advice)") }
        return text
    }

    /// Makes the file with mode 0600, whole or not at all.
    ///
    /// - Returns: whether this call made it; not, when it was there already.
    /// - Throws: ``KeyFileError``.
    package func create(_ text: String) throws(KeyFileError) -> Bool {
        let draft = "\(path).\(UUID().uuidString).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("cannot be made", errno) }
        defer { unlink(draft) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
        } catch {
            throw KeyFileError(path: path, reason: "cannot be written: \(error)")
        }
        // Unlike a rename, a link never replaces a file that another process has made meanwhile.
        if link(draft, path) == 0 { return true }
        guard errno == EEXIST else { throw failure("cannot be made", errno) }
        return false
    }

    package static let advice = "put back a copy of it, or remove it to have a new key made"

    private func failure(_ what: String, _ code: Int32) -> KeyFileError {
        KeyFileError(path: path, reason: "\(what): \(String(cString: strerror(code)))")
    }
}

/// The reason why the server's key cannot be read from its file or written to it.
public struct KeyFileError: Error, CustomStringConvertible {
    public let path: String
    /// The problem and the remedy.
    public let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    public var description: String { "the key file '\(path)' \(reason)" }
}
