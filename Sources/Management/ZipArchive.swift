import Core
import Foundation

/// The files of a zip archive (APPNOTE 6.3.10, without ZIP64, encryption and several disks), such as an `.adapter` file.
struct ZipArchive {
    struct File {
        /// With slashes.
        let path: String
        let bytes: [UInt8]
    }

    private static let endOfDirectory: UInt32 = 0x0605_4b50
    private static let directoryEntry: UInt32 = 0x0201_4b50
    private static let localHeader: UInt32 = 0x0403_4b50

    let files: [File]

    /// - Parameters:
    ///   - limit: the largest size of all files together, in bytes.
    ///   - mostFiles: the largest number of files and folders.
    /// - Throws: ``ZipError``.
    init(_ bytes: [UInt8], limit: Int, mostFiles: Int) throws(ZipError) {
        let reader = LittleEndian(bytes: bytes)
        // The archive ends with this record and a comment of at most 65,535 bytes.
        let starts = stride(from: bytes.count - 22, through: max(bytes.count - 22 - 65_535, 0), by: -1)
        guard bytes.count >= 22, let end = starts.first(where: { reader.integer32($0) == Self.endOfDirectory }) else {
            throw ZipError("expected a zip archive")
        }
        let count = Int(reader.integer16(end + 10))
        guard count <= mostFiles else { throw ZipError("expected \(mostFiles) files at most, found \(count)") }
        var position = Int(reader.integer32(end + 16))
        var files: [File] = []
        var size = 0
        for _ in 0..<count {
            guard reader.integer32(position) == Self.directoryEntry else { throw ZipError("the archive is damaged") }
            let lengths = [28, 30, 32].map { Int(reader.integer16(position + $0)) }
            let name = reader.bytes(position + 46, lengths[0])
            guard let name, let path = String(validating: name, as: UTF8.self) else {
                throw ZipError("expected names of files in UTF-8")
            }
            if !path.hasSuffix("/") {
                let content = try Self.content(at: position, reader, path, limit: limit - size)
                size += content.count
                files.append(File(path: path, bytes: content))
            }
            position += 46 + lengths.reduce(0, +)
        }
        self.files = files
    }

    private static func content(
        at entry: Int, _ reader: LittleEndian, _ path: String, limit: Int
    ) throws(ZipError) -> [UInt8] {
        let (packedSize, start) = (Int(reader.integer32(entry + 20)), Int(reader.integer32(entry + 42)))
        guard reader.integer16(entry + 8) & 1 == 0 else {
            throw ZipError("\(path): expected a file without encryption")
        }
        guard reader.integer32(start) == localHeader,
            let packed = reader.bytes(
                start + 30 + Int(reader.integer16(start + 26)) + Int(reader.integer16(start + 28)), packedSize)
        else { throw ZipError("\(path): the archive is damaged") }
        switch reader.integer16(entry + 10) {
        case 0:
            guard packedSize <= limit else { throw ZipError("the files are too large") }
            return Array(packed)
        case 8:
            do {
                return try Zlib.decompress(Array(packed), .bare, limit: limit)
            } catch .tooLarge {
                throw ZipError("the files are too large")
            } catch {
                throw ZipError("\(path): the archive is damaged")
            }
        default: throw ZipError("\(path): expected a file that is stored or deflated")
        }
    }
}

/// An archive cannot be read.
struct ZipError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Numbers in bytes; 0 beyond their end.
private struct LittleEndian {
    let bytes: [UInt8]

    func integer16(_ position: Int) -> UInt16 {
        guard position >= 0, position + 2 <= bytes.count else { return 0 }
        return UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
    }

    func integer32(_ position: Int) -> UInt32 {
        UInt32(integer16(position)) | UInt32(integer16(position + 2)) << 16
    }

    func bytes(_ position: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard position >= 0, position + count <= bytes.count else { return nil }
        return bytes[position..<position + count]
    }
}
