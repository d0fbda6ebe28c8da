import Foundation

/// How many files and sockets the process may have open.
public enum OpenFiles {
    /// The number of files that this process has open, and its limit; `nil` when the system does not say.
    public static var use: (open: Int, limit: Int)? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0,
            let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        else { return nil }
        return (open, Int(clamping: limit.rlim_cur))
    }

    #if canImport(Glibc)
    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
    private static var resource: Int32 { RLIMIT_NOFILE }
    #endif

    /// Raises the limit as far as the system lets an ordinary process raise it.
    ///
    /// - Returns: the limit now, for a warning when it is below the number of connections; nil when the system does not say.
    public static func raiseLimit() -> Int? {
        var limit = rlimit()
        let files = resource
        guard getrlimit(files, &limit) == 0 else { return nil }
        let wanted = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
        if limit.rlim_cur < limit.rlim_max, withUnsafePointer(to: wanted, { setrlimit(files, $0) }) == 0 {
            limit = wanted
        }
        return Int(clamping: limit.rlim_cur)
    }
}
