import Foundation

/// How many files and sockets the process may have open.
public enum OpenFiles {
    /// Raises the limit as far as the system lets an ordinary process raise it.
    ///
    /// - Returns: the limit now, for a warning when it is below the number of connections; nil when the system does not say.
    public static func raiseLimit() -> Int? {
        var limit = rlimit()
        #if canImport(Glibc)
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0 else { return nil }
        let wanted = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
        if limit.rlim_cur < limit.rlim_max, withUnsafePointer(to: wanted, { setrlimit(files, $0) }) == 0 {
            limit = wanted
        }
        return Int(clamping: limit.rlim_cur)
    }
}
