// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.
public import Foundation
import Synchronization

/// Logs on the device, and sends the log to the server when asked (seed 004, 2.11). It may be used from any thread.
public final class OCLogger: NSObject, Sendable {
    let package: String
    private let store: LogStore
    private static let sender = Mutex<WLClient?>(nil)

    init(package: String, store: LogStore) {
        self.package = package
        self.store = store
        super.init()
    }

    /// The logger of a package: always the same one for the same name (2.11.1).
    public class func getInstanceWithPackage(_ package: String!) -> OCLogger! {
        LogStore.shared.logger(package ?? "")
    }

    /// Sets the level from which messages are printed and kept: ``OCLogger_INFO`` logs information, warnings and errors
    /// (2.11.2).
    public class func setLevel(_ level: OCLogType) { LogStore.shared.level = level }

    /// The level, ``OCLogger_DEBUG`` unless set (2.11.3).
    public class func getLevel() -> OCLogType { LogStore.shared.level }

    /// Turns keeping messages in a file on or off (2.11.5).
    public class func setCapture(_ flag: Bool) { LogStore.shared.isCapturing = flag }

    /// Whether messages are kept in a file, as they are unless turned off (2.11.6).
    public class func getCapture() -> Bool { LogStore.shared.isCapturing }

    /// Sets the file's largest size (2.11.7). When the file is full nothing is appended any more until it was sent.
    ///
    /// - Parameter bytes: less than 10,000 become 10,000.
    public class func setMaxFileSize(_ bytes: Int32) { LogStore.shared.maximum = Int(bytes) }

    /// The file's largest size in bytes, 100,000 unless set (2.11.8).
    public class func getMaxFileSize() -> Int32 { Int32(clamping: LogStore.shared.maximum) }

    /// Sends the file to the server when there is something in it; what the server took is deleted (2.11.4). When it
    /// does not take it, it stays for the next time.
    public class func send() {
        Task {
            do {
                _ = try await upload()
            } catch {
                LogStore.shared.write(
                    .warn, package: "wl.logger", message: "the log was not sent: \(error)", metadata: nil)
            }
        }
    }

    /// ``send()`` with a result; ours, not the original's.
    ///
    /// - Returns: whether there was something to send.
    /// - Throws: ``WLError``.
    public class func upload() async throws -> Bool {
        guard let text = LogStore.shared.beginSending() else { return false }
        do {
            try await (client ?? WLClient.sharedInstance()).core().upload(log: text)
            LogStore.shared.endSending(text)
            return true
        } catch {
            LogStore.shared.endSending(nil)
            throw error
        }
    }

    /// The client whose server gets the log; `nil`, as it is unless set, for the shared one. Ours, not the original's.
    public class var client: WLClient? {
        get { sender.withLock { $0 } }
        set { sender.withLock { $0 = newValue } }
    }

    /// Where the file `wl.log` is: in Application Support unless set. Ours, not the original's.
    public class var folder: URL {
        get { LogStore.shared.folder }
        set { LogStore.shared.folder = newValue }
    }

    // MARK: Messages

    /// Logs at the level INFO (2.11.9).
    public func info(_ message: String!) { write(OCLogger_INFO, message) }
    /// Logs at the level DEBUG (2.11.10).
    public func debug(_ message: String!) { write(OCLogger_DEBUG, message) }
    /// Logs at the level ERROR (2.11.11).
    public func error(_ message: String!) { write(OCLogger_ERROR, message) }
    /// Logs at the level LOG (2.11.12).
    public func log(_ message: String!) { write(OCLogger_LOG, message) }
    /// Logs at the level WARN (2.11.13).
    public func warn(_ message: String!) { write(OCLogger_WARN, message) }

    // Swift imports no methods with C's variable arguments; these are what they would be.

    /// Logs at the level INFO, with metadata and a format's arguments (2.11.9).
    public func metadata(_ metadata: [AnyHashable: Any]!, info text: String!, _ arguments: any CVarArg...) {
        write(OCLogger_INFO, Self.formatted(text, arguments), metadata)
    }
    /// Logs at the level DEBUG, with metadata and a format's arguments (2.11.10).
    public func metadata(_ metadata: [AnyHashable: Any]!, debug text: String!, _ arguments: any CVarArg...) {
        write(OCLogger_DEBUG, Self.formatted(text, arguments), metadata)
    }
    /// Logs at the level ERROR, with metadata and a format's arguments (2.11.11).
    public func metadata(_ metadata: [AnyHashable: Any]!, error text: String!, _ arguments: any CVarArg...) {
        write(OCLogger_ERROR, Self.formatted(text, arguments), metadata)
    }
    /// Logs at the level LOG, with metadata and a format's arguments (2.11.12).
    public func metadata(_ metadata: [AnyHashable: Any]!, log text: String!, _ arguments: any CVarArg...) {
        write(OCLogger_LOG, Self.formatted(text, arguments), metadata)
    }
    /// Logs at the level WARN, with metadata and a format's arguments (2.11.13).
    public func metadata(_ metadata: [AnyHashable: Any]!, warn text: String!, _ arguments: any CVarArg...) {
        write(OCLogger_WARN, Self.formatted(text, arguments), metadata)
    }

    private func write(_ level: OCLogType, _ message: String?, _ metadata: [AnyHashable: Any]? = nil) {
        store.write(level, package: package, message: message ?? "", metadata: metadata)
    }

    /// A text without arguments is taken as it is: it may come from anywhere, and have a percent sign in it.
    private static func formatted(_ text: String?, _ arguments: [any CVarArg]) -> String {
        guard let text, !arguments.isEmpty else { return text ?? "" }
        return String(format: text, arguments: arguments)
    }
}
