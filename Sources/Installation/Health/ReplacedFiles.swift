import Foundation

/// Files of this process that were replaced on the disk: it keeps those with which it started.
enum ReplacedFiles {
    /// The program and the libraries that were replaced since the start, in the order of their paths.
    static var paths: [String] {
        guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return [] }
        let lines = maps.split(separator: "\n").filter { $0.hasSuffix(" (deleted)") }
        return Set(lines.compactMap(path)).sorted()
    }

    /// Returns the file of a line of `/proc/self/maps`, such as `7f12-7f13 r-xp 0000 fe:01 99 /usr/lib/libz.so.1 (deleted)`, if it has code.
    private static func path(_ line: Substring) -> String? {
        line.firstMatch(of: /\/.*\/(?:lamplighter|[^\/]*\.so[.0-9]*)(?= \(deleted\)$)/).map { String($0.0) }
    }
}
