/// A log that a server opens again at SIGHUP, so that programs such as logrotate can rename its file.
public protocol ReopenableLog: Sendable {
    /// Opens the log's file again. When that fails, the former file stays in use.
    func reopen() throws
}
