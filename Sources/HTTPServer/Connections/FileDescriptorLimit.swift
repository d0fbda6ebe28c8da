import Foundation

/// The limit on the files and sockets that the process may have open.
public enum FileDescriptorLimit {
    /// The number of files that this process has open, and its limit; `nil` when the system does not say.
    public static var use: (open: Int, limit: Int)? {
        guard let limit, let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        else { return nil }
        return (open, limit)
    }

    /// Raises the limit to the largest value that the system allows an ordinary process.
    ///
    /// - Returns: the limit now, for a warning when it is below the number of connections; nil when the system does not say.
    public static func raiseLimit() -> Int? {
        guard var limit = known else { return nil }
        let wanted = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
        if limit.rlim_cur < limit.rlim_max, withUnsafePointer(to: wanted, { setrlimit(files, $0) }) == 0 {
            limit = wanted
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// The limit now; nil when the system does not say.
    public static var limit: Int? { known.map { Int(clamping: $0.rlim_cur) } }

    private static let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    private static var known: rlimit? {
        var limit = rlimit()
        return getrlimit(files, &limit) == 0 ? limit : nil
    }
}
