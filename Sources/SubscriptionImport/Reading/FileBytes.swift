import Foundation

/// The bytes of a file, one after the other, with the number of the line.
final class FileBytes {
    /// The file's name in errors.
    let name: String
    /// The line of the next byte, from 1.
    private(set) var line = 1

    private let file: FileHandle
    private var buffer: [UInt8] = []
    private var position = 0

    /// - Throws: ``SubscriptionImportError`` when the file cannot be opened.
    init(_ url: URL) throws(SubscriptionImportError) {
        name = url.lastPathComponent
        do {
            file = try FileHandle(forReadingFrom: url)
        } catch {
            throw SubscriptionImportError(url.path, "cannot be read; check the path and the file's permissions")
        }
        // A byte order mark.
        if [peek(), peek(1), peek(2)] == [0xEF, 0xBB, 0xBF] { position = 3 }
    }

    deinit { try? file.close() }

    /// - Returns: `nil` at the end.
    func next() -> UInt8? {
        guard let byte = peek() else { return nil }
        position += 1
        if byte == 0x0A { line += 1 }
        return byte
    }

    /// The byte that ``next()`` returns then, or one of those after it.
    func peek(_ offset: Int = 0) -> UInt8? {
        if position + offset >= buffer.count {
            buffer.removeFirst(position)
            position = 0
            while buffer.count <= offset, let more = try? file.read(upToCount: 65_536), !more.isEmpty { buffer += more }
        }
        return position + offset < buffer.count ? buffer[position + offset] : nil
    }

    /// - Parameter line: the line where the bytes begin.
    /// - Throws: ``SubscriptionImportError`` for bytes that are not UTF-8.
    func text(_ bytes: [UInt8], line: Int) throws(SubscriptionImportError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SubscriptionImportError(
                name, line: line, "it is not UTF-8; convert it, as by iconv -f WINDOWS-1252 -t UTF-8")
        }
        return text
    }
}

extension UInt8 {
    var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

/// Takes the rows of a file.
protocol RowReceiver {
    /// Begins a table, or goes on with it.
    ///
    /// - Parameter line: where the columns are named.
    func begin(table: String, columns: [String], line: Int) throws

    /// - Parameter values: one for each column of the table; `nil` for NULL.
    func add(_ values: [String?], line: Int) throws
}
