import Core

/// The bytes of a zip archive.
///
/// - Parameter isDeflated: whether the files are compressed.
public func zipArchive(_ files: [(path: String, text: String)], isDeflated: Bool = true) -> [UInt8] {
    var (archive, directory): ([UInt8], [UInt8]) = ([], [])
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
    for (path, text) in files {
        let (name, plain) = (Array(path.utf8), Array(text.utf8))
        // A gzip member has a header of 10 bytes, and a trailer of the checksum and the size.
        let member = Zlib.gzip(plain)!
        let packed = isDeflated ? Array(member.dropFirst(10).dropLast(8)) : plain
        let checksum = Array(member.suffix(8).prefix(4))
        let common =
            little(20, 2) + little(0, 2) + little(isDeflated ? 8 : 0, 2) + little(0, 4) + checksum
            + little(packed.count, 4)
            + little(plain.count, 4) + little(name.count, 2) + little(0, 2)
        directory +=
            [0x50, 0x4B, 0x01, 0x02] + little(20, 2) + common + little(0, 10) + little(archive.count, 4) + name
        archive += [0x50, 0x4B, 0x03, 0x04] + common + name + packed
    }
    let end =
        [0x50, 0x4B, 0x05, 0x06] + little(0, 4) + little(files.count, 2) + little(files.count, 2)
        + little(directory.count, 4) + little(archive.count, 4) + little(0, 2)
    return archive + directory + end
}
